import pl from "nodejs-polars";
import { timeSeries } from "orderlens/charts";
import { market } from "./market.ts";

const winners = (await market.solutions()).filter(pl.col("is_winner"));
const who = { x: "auction_id", y: "score_native", series: "solver_name", unit: "ETH" };
const sums = { stat: "sum", every: "50 auctions" } as const;
export default timeSeries(winners, { ...market.caption, ...who, ...sums });
