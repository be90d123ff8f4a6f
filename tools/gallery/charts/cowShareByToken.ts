import { cowShareByToken } from "orderlens/charts";
import { market } from "./market.ts";

export default cowShareByToken(await market.cowShares(), market.caption);
