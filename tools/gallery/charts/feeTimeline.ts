import { feeTimeline } from "orderlens/charts";
import { protocolFeesTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fees = protocolFeesTable(records, { competitions });
export default feeTimeline(fees);
