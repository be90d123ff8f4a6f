import { slippageByPair } from "orderlens/charts";
import { slippageTable } from "orderlens/tables";
import { competitions, records } from "./market.ts";

const fills = slippageTable(records, { competitions });
export default slippageByPair(fills);
