import { gasSurplus } from "orderlens/charts";
import { market } from "./market.ts";

export default gasSurplus(await market.gasSurplus(), market.nativeCaption);
