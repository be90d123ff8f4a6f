import { solverImbalances } from "orderlens/charts";
import { imbalanceValuesTable } from "orderlens/tables";
import { audited, audits, node } from "./market.ts";

const { solvers } = node.deployment;
const values = imbalanceValuesTable(audits, { competitions: audited, solvers: solvers! });
export default solverImbalances(values, { nativeSymbol: "ETH" });
