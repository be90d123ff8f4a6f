import { slippageDecomposition } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageDecomposition(await market.fills(), market.caption);
