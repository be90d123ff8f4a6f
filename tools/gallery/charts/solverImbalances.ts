import { auditRange, connect } from "orderlens";
import { solverImbalances } from "orderlens/charts";
import { openSandbox } from "orderlens/sandbox";
import { imbalanceValuesTable } from "orderlens/tables";

const sandbox = await openSandbox({ seed: 20, auctions: 60 }); // or the URL of a node
const walked = await Array.fromAsync(connect(sandbox).competitions({ last: 60 }));
const competitions = walked.flatMap(({ competition }) => competition ?? []);
const audited = await Array.fromAsync(auditRange(sandbox, competitions));
const audits = audited.flatMap(({ audit }) => audit ?? []);
const values = imbalanceValuesTable(audits, { competitions, solvers: sandbox.deployment.solvers! });
export default solverImbalances(values, { nativeSymbol: "ETH" });
