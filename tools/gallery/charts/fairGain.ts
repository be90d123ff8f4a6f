import { fairGain } from "orderlens/charts";
import { market } from "./market.ts";

export default fairGain(await market.fairGain(), market.caption);
