import { slippageByQuoteAge } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageByQuoteAge(await market.fills(), market.caption);
