import { slippageBySize } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageBySize(await market.fills(), market.nativeCaption);
