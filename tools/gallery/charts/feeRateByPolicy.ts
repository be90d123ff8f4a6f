import { feeRateByPolicy } from "orderlens/charts";
import { protocolFeesTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fees = protocolFeesTable(records, { competitions });
export default feeRateByPolicy(fees);
