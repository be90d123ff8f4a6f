import { auctionRanking } from "orderlens/charts";
import { solutionsTable } from "orderlens/tables";
import { competitions } from "./market.ts";

const solutions = solutionsTable(competitions.slice(-1));
export default auctionRanking(solutions, { nativeSymbol: "ETH" });
