import { solverRewards } from "orderlens/charts";
import { market } from "./market.ts";

export default solverRewards(await market.rewards(), market.nativeCaption);
