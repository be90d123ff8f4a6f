import { solverMatrix } from "orderlens/charts";
import { solverPairsTable } from "orderlens/tables";
import { competitions, solvers } from "./market.ts";

const pairs = solverPairsTable(competitions, { solvers });
export default solverMatrix(pairs);
