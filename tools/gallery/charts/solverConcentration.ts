import { solverConcentration } from "orderlens/charts";
import { market } from "./market.ts";

export default solverConcentration(await market.concentration(), market.caption);
