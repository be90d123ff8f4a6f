import { solverMatrix } from "orderlens/charts";
import { solverPairsTable } from "orderlens/tables";
import { competitions } from "./market.ts";

const pairs = solverPairsTable(competitions);
export default solverMatrix(pairs);
