import { settlementFlows } from "orderlens/charts";
import { settlement } from "orderlens/evm";
import { tokenFlowsTable } from "orderlens/tables";
import { audits, decimals, node, symbols } from "./market.ts";

const { txHash } = audits.find(({ trades }) => trades.length > 1)!;
const flows = tokenFlowsTable([await settlement(node, txHash)], { decimals, symbols });
export default settlementFlows(flows);
