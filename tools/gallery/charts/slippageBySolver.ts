import { slippageBySolver } from "orderlens/charts";
import { fillsTable } from "orderlens/tables";
import { competitions, records, solvers } from "./market.ts";

const fills = fillsTable(records, { competitions, solvers });
export default slippageBySolver(fills);
