import { feeRateByPolicy } from "orderlens/charts";
import { feesTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fees = feesTable(records, { competitions });
export default feeRateByPolicy(fees);
