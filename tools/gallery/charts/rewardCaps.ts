import { rewardCaps } from "orderlens/charts";
import { market } from "./market.ts";

export default rewardCaps(await market.rewards(), market.nativeCaption);
