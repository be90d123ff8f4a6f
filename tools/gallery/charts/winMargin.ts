import { winMargin } from "orderlens/charts";
import { market } from "./market.ts";

export default winMargin(await market.referenceScores(), market.nativeCaption);
