import { slippageByPair } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageByPair(await market.fills(), market.caption);
