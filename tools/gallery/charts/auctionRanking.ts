import pl from "nodejs-polars";
import { auctionRanking } from "orderlens/charts";
import { market } from "./market.ts";

const solutions = await market.solutions();
const ofOne = pl.col("auction_id").eq(pl.lit(2_624));
export default auctionRanking(solutions.filter(ofOne), market.nativeCaption);
