import { slippageBySolver } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageBySolver(await market.fills(), market.caption);
