import { auditRange, auditSettlement, type Competition, connect } from "orderlens";
import { type OnchainSettlement, settlement } from "orderlens/evm";
import { isNotComputable, type SettlementAudit } from "orderlens/metrics";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";

const sandbox = await openSandbox({ seed: 7, auctions: 6 });
const found = await Array.fromAsync(connect(sandbox).competitions({ last: 6 }));
const competitions = found.flatMap(({ competition }) => competition ?? []);
const audited = await Array.fromAsync(auditRange(sandbox, competitions));
const recording = await replay("trades_v2__trades_v2_endpoints");
const recorded = "0x0773271348a6205b552937aca5c67b4803d43c586f68d1f3cc5471cfca6247e6";
const { deployment: { tokens, solvers } } = sandbox;

/** The settlement of a recording, whose logs are not all there. */
export const WITHOUT_LOGS: SettlementAudit = await auditSettlement(
  recording,
  recorded,
);

/** Audits of a sandbox with all logs, the first with a difference made up; then the recorded one. */
export const AUDITS: readonly SettlementAudit[] = [
  ...audited.flatMap(({ audit }) => audit ?? []).map((audit, place) => ({
    ...audit,
    differences: place > 0 ? [] : [{
      what: "other_amounts" as const,
      uid: audit.trades[0]!.uid,
      onChain: "sold 2, bought 3",
      reported: "sold 2, bought 4",
    }],
  })),
  WITHOUT_LOGS,
];

/** Settlements of the sandbox; then the recorded one, without all logs. */
export const SETTLEMENTS: readonly OnchainSettlement[] = await Promise.all([
  ...audited.map(({ txHash }) => settlement(sandbox, txHash)),
  settlement(recording, recorded),
]);

/** The auctions of the sandbox's settlements. */
export const AUCTIONS: readonly Competition[] = competitions;

/** Decimals of the sandbox's tokens, and names of its solvers. */
export const FACTS = {
  decimals: new Map(tokens!.map(({ address, decimals }) => [address, decimals!])),
  solvers: Object.fromEntries(solvers!.map(({ address, name }) => [address, name!])),
};

/** Imbalances of all tokens, as the audits have them. */
export const NET_ATOMS: string[] = AUDITS.toSorted((a, b) => a.txHash < b.txHash ? -1 : 1)
  .flatMap(({ imbalances }) =>
    isNotComputable(imbalances) ? [] : imbalances.tokens.map(({ netAtoms }) => `${netAtoms}`)
  );
