import { timeSeries } from "orderlens/charts";
import { solutionsTable } from "orderlens/tables";
import { competitions, solvers } from "./market.ts";

const winners = solutionsTable(competitions, { solvers }).toRecords().filter((one) =>
  one["is_winner"]
);
const who = { x: "auction_id", y: "score_native", series: "solver_name", unit: "ETH" };
export default timeSeries(winners, { ...who, stat: "sum", every: "50 auctions" });
