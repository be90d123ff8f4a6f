import { feeTimeline } from "orderlens/charts";
import { feesTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fees = feesTable(records, { competitions });
export default feeTimeline(fees);
