import { feeRateByPolicy } from "orderlens/charts";
import { market } from "./market.ts";

export default feeRateByPolicy(await market.fees(), market.caption);
