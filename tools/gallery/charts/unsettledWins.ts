import { unsettledWins } from "orderlens/charts";
import { market } from "./market.ts";

export default unsettledWins(await market.attempts(), market.nativeCaption);
