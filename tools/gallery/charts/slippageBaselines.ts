import { slippageBaselines } from "orderlens/charts";
import { fillsTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fills = fillsTable(records, { competitions });
export default slippageBaselines(fills);
