import { feeWaterfall } from "orderlens/charts";
import { market } from "./market.ts";

export default feeWaterfall(await market.feeSteps(), market.caption);
