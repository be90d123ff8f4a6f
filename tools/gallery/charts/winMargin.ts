import { winMargin } from "orderlens/charts";
import { referenceScoresTable } from "orderlens/tables";
import { competitions } from "./market.ts";

const margins = referenceScoresTable(competitions);
export default winMargin(margins, { nativeSymbol: "ETH" });
