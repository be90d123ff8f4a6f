import { slippageBaselines } from "orderlens/charts";
import { market } from "./market.ts";

export default slippageBaselines(await market.fills(), market.caption);
