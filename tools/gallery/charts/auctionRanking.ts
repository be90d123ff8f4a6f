import { auctionRanking } from "orderlens/charts";
import { solutionsTable } from "orderlens/tables";
import { competitions, solvers } from "./market.ts";

const solutions = solutionsTable(competitions.slice(-1), { solvers });
export default auctionRanking(solutions, { nativeSymbol: "ETH" });
