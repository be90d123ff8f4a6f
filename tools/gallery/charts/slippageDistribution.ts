import { slippageDistribution } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageDistribution(await market.fills(), market.caption);
