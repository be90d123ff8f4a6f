import { timeSeries } from "orderlens/charts";
import { solutionsTable } from "orderlens/tables";
import { competitions } from "./market.ts";

const winners = solutionsTable(competitions).toRecords().filter((one) => one["is_winner"]);
const who = { x: "auction_id", y: "score_native", series: "solver", unit: "ETH" };
export default timeSeries(winners, { ...who, stat: "sum", every: "50 auctions" });
