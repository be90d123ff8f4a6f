import { toleranceUsed } from "orderlens/charts";
import { market } from "./market.ts";

export default toleranceUsed(await market.fills(), market.caption);
