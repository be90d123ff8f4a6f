import { settlementOutcomes } from "orderlens/charts";
import { market } from "./market.ts";

export default settlementOutcomes(await market.leaderboard(), market.caption);
