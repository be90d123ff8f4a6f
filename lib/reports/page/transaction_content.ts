import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { formatReadable, pluralize } from "../../units/format.ts";
import { sameHex } from "../../units/mod.ts";
import type { TransactionReport } from "../subjects/inspect_transaction.ts";
import type { ReportedSettlement } from "../subjects/settlement_onchain.ts";
import { toFunctionCell } from "./app_data_section.ts";
import {
  type Cell,
  cell,
  type Fact,
  listSection,
  numberColumn,
  type PageContent,
  type Section,
  textColumn,
  toFacts,
} from "./page_content.ts";
import {
  type CellFormatter,
  shortenHex,
  toAccountCell,
  toAuctionCell,
  toSolverCell,
  toTimeCell,
  toTransactionCell,
  toUidCell,
} from "./cell_formatter.ts";
import {
  buildDeploymentFacts,
  buildProgrammaticSections,
  buildSettledSection,
  toSubjectContent,
} from "./subject_sections.ts";

/** The report of a transaction as a page. */
export function toTransactionContent(
  report: TransactionReport,
  amounts: CellFormatter,
): PageContent {
  const { txHash, onchain } = report;
  return toSubjectContent(report, txHash, {
    title: `Transaction ${shortenHex(txHash)}`,
    subject: { transaction: txHash },
    tone: chooseTone(report),
    facts: buildTransactionFacts(report, amounts),
    sections: [
      buildSettledSection(report.settled, amounts),
      ...buildProgrammaticSections(report.programmatic, amounts),
      ...onchain === null ? [] : [
        buildDifferencesSection(onchain),
        buildFlowsSection(onchain, amounts),
        buildImbalancesSection(onchain, amounts),
        buildCallsSection(onchain, amounts),
        listSection({
          id: "unverified",
          title: "Not verified",
          rows: onchain.unverified,
        }, [textColumn("What", (sentence) => cell(sentence))]),
      ],
    ],
  });
}

function chooseTone({ isFound, blocksLate, onchain }: TransactionReport): PageContent["tone"] {
  if (!isFound) return "neutral";
  if (onchain?.succeeded === false) return "bad";
  const isLate = blocksLate !== null && blocksLate > 0;
  return isLate || (onchain?.differences.length ?? 0) > 0 ? "warning" : "good";
}

function buildTransactionFacts(report: TransactionReport, amounts: CellFormatter): Fact[] {
  const { txHash, deployment, isFound, block, at: blockAt, auctionId, solver, solverName } = report;
  const { ranking, score, settlementCount, onchain } = report;
  const facts = {
    Hash: { ...toTransactionCell(txHash), isWhole: true },
    ...buildDeploymentFacts(deployment),
  };
  if (!isFound) return toFacts(facts);
  return toFacts({
    ...facts,
    Block: cell(block),
    "Block at": blockAt === null ? null : toTimeCell(blockAt),
    Settlements: settlementCount !== null && settlementCount > 1 ? cell(settlementCount) : null,
    Auction: toAuctionCell(auctionId),
    Solver: toSolverCell(solver, solverName),
    Rank: cell(ranking),
    Score: amounts.formatNative(score),
    ...onchain === null ? {} : buildCostFacts(onchain, solver, amounts),
  });
}

/** Decimals of the unit in which prices of gas are quoted. */
const GWEI_DECIMALS = 9;

/** Builds the facts about who sent a settlement, how it ended, and what its gas cost. */
function buildCostFacts(
  { succeeded, sender, through, gasUsed, gasPrice, gasCost }: ReportedSettlement,
  solver: string | null,
  amounts: CellFormatter,
): Record<string, Cell | null> {
  return {
    Result: succeeded ? { text: "succeeded", tone: "good" } : { text: "reverted", tone: "bad" },
    "Sent by": solver !== null && sameHex(sender, solver) ? null : toAccountCell(sender),
    "Sent to": through === null
      ? null
      : { ...toAccountCell(through), after: ", which called the settlement contract" },
    "Gas used": cell(gasUsed.toLocaleString("en-US")),
    "Gas price": gasPrice === null
      ? null
      : { text: formatReadable(gasPrice, GWEI_DECIMALS, "gwei"), exact: `${gasPrice} wei` },
    // A rollup may charge for its data beside it.
    "Paid for gas": gasCost === null
      ? null
      : { ...amounts.formatNative(gasCost), after: ", which is gas used at this price" },
  };
}

function buildDifferencesSection({ differences }: ReportedSettlement): Section {
  const id = "differences";
  const title = "Compared with the chain";
  return listSection({
    ...{ id, title, rows: differences },
    note: `${pluralize(differences.length, "difference")} from what the service reported.`,
  }, [
    textColumn("What", ({ what }) => cell(what.replaceAll("_", " "))),
    textColumn("Order", ({ uid }) => uid === null ? cell(null) : toUidCell(uid)),
    textColumn("On the chain", ({ onChain }) => cell(onChain)),
    textColumn("Reported", ({ reported }) => cell(reported)),
  ]) ?? {
    ...{ id, title },
    note: "Nothing of what was compared differs from what the service reported.",
  };
}

const ROLE_NAMES = {
  contract: "settlement contract",
  trader: "trader",
  solver: "solver",
  wrapper: "wrapped native token",
  nobody: "nobody",
  other: "other",
} as const;

/** The transfers of a settlement, as its logs show them. */
function buildFlowsSection(
  { flows, unknownFlows }: ReportedSettlement,
  amounts: CellFormatter,
): Section | null {
  if (flows === null) return null;
  const reasons = unknownFlows.map(({ token, why }) => ` ${amounts.token(token).text}: ${why}.`);
  const note =
    "In the order of the logs; native tokens leave none, those paid to traders come last.";
  return listSection({
    id: "transfers",
    title: "Transfers",
    note: note + reasons.join(""),
    rows: flows,
  }, [
    textColumn(
      "Way",
      ({ fromRole, toRole }) => cell(`${ROLE_NAMES[fromRole]} → ${ROLE_NAMES[toRole]}`),
    ),
    textColumn("From", ({ from }) => toAccountCell(from)),
    textColumn("To", ({ to }) => toAccountCell(to)),
    numberColumn("Amount", ({ atoms, token }) => amounts.formatAmount(atoms, token)),
  ]);
}

/** The amounts that the settlement contract received and paid; those that only passed through are left out. */
function buildImbalancesSection(
  { imbalances }: ReportedSettlement,
  amounts: CellFormatter,
): Section | null {
  const rows = (imbalances ?? []).filter(({ netAtoms }) => netAtoms !== 0n);
  const note = "Kept by the settlement contract; negative where it paid more than it received.";
  return listSection({ id: "imbalances", title: "Buffers", note, rows }, [
    textColumn("Token", ({ token }) => amounts.token(token)),
    numberColumn("Received", ({ inAtoms, token }) => amounts.formatAmount(inAtoms, token)),
    numberColumn("Paid", ({ outAtoms, token }) => amounts.formatAmount(outAtoms, token)),
    numberColumn("Kept", ({ netAtoms, token }) => amounts.formatAmount(netAtoms, token)),
  ]);
}

const PHASE_NAMES = {
  pre: "before the trades",
  intra: "between",
  post: "after the trades",
} as const;

/** The calls that a settlement made: hooks, approvals and swaps. */
function buildCallsSection({ calls }: ReportedSettlement, amounts: CellFormatter): Section | null {
  const note = "Functions are named by their selectors, which other functions may have too.";
  const rows = calls.flatMap(({ hooks, ...call }) => [
    { ...call, gasLimit: null },
    ...hooks.map((hook) => ({ ...hook, phase: call.phase, value: 0n })),
  ]);
  return listSection({ id: "calls", title: "Calls", note, rows }, [
    textColumn("When", ({ phase, gasLimit }) =>
      cell(
        phase === null ? null : `${PHASE_NAMES[phase]}${gasLimit === null ? "" : ", as a hook"}`,
      )),
    textColumn("Contract", ({ target }) => toAccountCell(target)),
    textColumn("Function", ({ selector }) => toFunctionCell(selector)),
    numberColumn("Gas limit", ({ gasLimit }) => cell(gasLimit?.toLocaleString("en-US"))),
    numberColumn(
      "Sends",
      ({ value }) => value === 0n ? cell(null) : amounts.formatAmount(value, NATIVE_TOKEN_ADDRESS),
    ),
  ]);
}
