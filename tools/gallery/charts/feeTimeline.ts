import { feeTimeline } from "orderlens/charts";
import { market } from "./market.ts";

export default feeTimeline(await market.fees(), market.caption);
