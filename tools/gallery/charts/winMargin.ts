import { winMargin } from "orderlens/charts";
import { referenceScoresTable } from "orderlens/tables";
import { competitions, solvers } from "./market.ts";

const margins = referenceScoresTable(competitions, { solvers });
export default winMargin(margins, { nativeSymbol: "ETH" });
