import { connect } from "orderlens";
import { settlementFlows } from "orderlens/charts";
import { settlement } from "orderlens/evm";
import { openSandbox } from "orderlens/sandbox";
import { tokenFlowsTable } from "orderlens/tables";

const sandbox = await openSandbox({ seed: 20, auctions: 60 }); // or the URL of a node
const { transactionHashes } = await connect(sandbox).competition(1_054);
const { tokens } = sandbox.deployment;
const flows = tokenFlowsTable([await settlement(sandbox, transactionHashes.at(-1)!)], {
  decimals: new Map(tokens!.map(({ address, decimals }) => [address, decimals!])),
  symbols: new Map(tokens!.map(({ address, symbol }) => [address, symbol!])),
});
export default settlementFlows(flows);
