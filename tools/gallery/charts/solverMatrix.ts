import { solverMatrix } from "orderlens/charts";
import { market } from "./market.ts";

export default solverMatrix(await market.pairs(), market.caption);
