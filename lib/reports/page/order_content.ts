import { surplusToken } from "../../metrics/mod.ts";
import { findAttemptedBid } from "../../metrics/orders/lifecycle_facts.ts";
import { NATIVE_TOKEN_ADDRESS } from "../../networks/networks.ts";
import { isClosedStatus, type Order } from "../../schemas/mod.ts";
import { lowerFirst } from "../../units/format.ts";
import { formatInspectCommand } from "../command_text.ts";
import { formatOutcome } from "../order/also_happened.ts";
import { toTraderView } from "../order/ethflow_deposit.ts";
import { suggestSteps } from "../order/next_steps.ts";
import { isShort } from "../order/order_funds.ts";
import { describeOutcome } from "../order/reported_failure.ts";
import type { OrderReport, ReportedAuction, TimelineEntry } from "../order/order_report.ts";
import { formatFunds, formatLack, type WriteFunds } from "../order/format_sentence.ts";
import { selectUnbid } from "../order/limit_distance.ts";
import { isUnbid } from "../order/verdicts.ts";
import { buildAppDataSection } from "./app_data_section.ts";
import {
  buildAmountsSection,
  buildOrderFacts,
  buildOrderLead,
  listFunds,
  toAgedCell,
  toAsOfCell,
} from "./order_amounts.ts";
import { buildFeesSection, buildFillsSections } from "./order_fills.ts";
import {
  buildTable,
  cell,
  listSection,
  numberColumn,
  type PageContent,
  type Section,
  textColumn,
  toFacts,
  type Tone,
} from "./page_content.ts";
import {
  type CellFormatter,
  shortenHex,
  shortenSentence,
  toAccountCell,
  toAuctionCell,
  toBpsCell,
  toSolverCell,
  toTimeCell,
  toUidCell,
} from "./cell_formatter.ts";
import { buildFailuresSection } from "./failures_section.ts";
import { buildMoneySection } from "./money_section.ts";
import { buildProgrammaticSections, buildUnknownSection } from "./subject_sections.ts";

/** The report of an order as a page. */
export function toOrderContent(data: OrderReport, amounts: CellFormatter): PageContent {
  const report = { ...data, order: toTraderView(data.order) };
  const { uid, deployment } = report;
  return {
    title: `Order ${shortenHex(uid)}`,
    subject: { uid },
    ...buildOrderLead(report, amounts),
    now: buildNow(report),
    sentence: [
      ...listMismatches(report),
      toInterim(formatVerdict(report, amounts), report),
      ...listDocumentMismatches(report),
    ].join(" "),
    next: suggestSteps(data, (atoms, token) => amounts.formatAmount(atoms, token).text)
      .map(({ text }) => text),
    tone: [...listMismatches(report), ...listDocumentMismatches(report)].length > 0
      ? "bad"
      : chooseTone(report),
    facts: buildOrderFacts(report, amounts),
    sections: [
      buildMoneySection(data, amounts),
      buildFailuresSection(report, amounts),
      buildDistanceSection(report),
      buildAlsoSection(report),
      buildTimelineSection(report, amounts),
      buildAmountsSection(report, amounts),
      ...buildFillsSections(report, amounts),
      buildAttemptsSection(report),
      buildBidsSection(report, amounts),
      buildFeesSection(report, amounts),
      ...report.programmatic === null
        ? []
        : buildProgrammaticSections([report.programmatic], amounts, uid),
      buildIdentitySection(report),
      buildAppDataSection(report, amounts),
      buildUnknownSection(report.unknown),
    ].flatMap((section) => section ?? []),
    network: report.order === null ? null : deployment.network,
    command: formatInspectCommand(uid, deployment),
    data,
  };
}

/** Builds what an order is doing, while it can still be filled. */
function buildNow(report: OrderReport): PageContent["now"] {
  const { now, order } = report;
  if (now === null || order === null) return undefined;
  const { text, until, state } = now;
  const name = state === "not_valid_yet"
    ? "It is valid from"
    : isClosedStatus(order.status)
    ? "It may be filled until"
    : "Valid until";
  return {
    asOf: toAsOfCell(report),
    sentence: shortenSentence(`${text}.`),
    end: until === null ? null : { name, value: toAgedCell(until, report) },
  };
}

/** The verdict of an order that can still be filled as what it is so far. */
function toInterim(sentence: string, { now }: OrderReport): string {
  if (now === null) return sentence;
  return sentence.replace(
    /^Open( with [^:;]+)?([:;]) /,
    (_, partly: string | undefined, mark: string) =>
      `So far${partly === undefined ? "" : `,${partly}`}${mark === ":" ? ":" : ","} `,
  );
}

/** The sentence of a verdict with amounts in whole tokens. */
function formatVerdict({ sentence, reason, ...details }: OrderReport, amounts: CellFormatter) {
  const { order, funds, earlierFunds } = details;
  // What was missing before stands among the facts: what still is comes first.
  const shownFunds = funds !== null && isShort(funds) ? [funds] : earlierFunds;
  return toWholeTokens(sentence, {
    clause: formatLack(reason, listFunds(details)),
    newClause: order === null
      ? null
      : formatLack(reason, shownFunds, createFundsWriter(order, amounts)),
  });
}

/** A sentence with its clause about missing funds in whole tokens, and long hex texts by their ends. */
function toWholeTokens(
  sentence: string,
  { clause, newClause }: { readonly clause: string | null; readonly newClause: string | null },
): string {
  const text = clause === null || newClause === null
    ? sentence
    : sentence.replace(clause, () => newClause);
  return shortenSentence(text);
}

function createFundsWriter({ sellToken }: Order, amounts: CellFormatter): WriteFunds {
  return (atoms) => amounts.formatAmount(atoms, sellToken).text;
}

/** Causes that only wait for an auction, as of an order that is open. */
const WAITING: ReadonlySet<string> = new Set([
  "ready_in_no_stored_auction",
  "never_in_an_auction",
  "evidence_gone",
]);

function chooseTone({ cause, outlook, order }: OrderReport): Tone {
  const isOver = order !== null && isClosedStatus(order.status);
  if (isOver && outlook?.basis === "in_flight") return "neutral";
  if (cause === "filled" || cause === "executing" || cause === "executed_not_indexed") {
    return "good";
  }
  if (cause === "auction_running") return "neutral";
  if (cause === "filled_late" || cause === "jit_capturing" || cause === "jit_liquidity") {
    return "warning";
  }
  // Its owner ended it.
  if (cause === "cancelled" || cause === "replaced") return "warning";
  if (cause === "unknown" || cause === "unknown_here" || cause === "not_valid_yet") {
    return "neutral";
  }
  // What can still be filled has not failed.
  return isOver || order === null ? "bad" : WAITING.has(cause) ? "neutral" : "warning";
}

/** Builds the rest of what happened to an order, without the auctions that its sentence counts. */
function buildAlsoSection({ alsoHappened, sentence }: OrderReport): Section | null {
  const texts = alsoHappened.map(({ text }) => text).filter((text) =>
    !sentence.includes(text.replace(/^In (\d+ auctions?), /, "in $1 before, "))
  );
  if (texts.length === 0) return null;
  const note = texts.map((text) => `${text}.`).join(" ");
  return { id: "also", title: "Also happened", note };
}

/** The distance of the limit from the market; that of a filled order has met it. */
function buildDistanceSection({ limitDistance, order }: OrderReport): Section | null {
  if (limitDistance === null || order?.status === "fulfilled") return null;
  return { id: "distance", title: "Its limit where nobody bid", note: `${limitDistance.text}.` };
}

function buildTimelineSection(report: OrderReport, amounts: CellFormatter): Section | null {
  const { timeline, evidence } = report;
  const intervals = timeline.filter(({ basis }) => basis === "bracketed");
  const subjects = ["auction", "fill"].filter((each) => intervals.some(({ kind }) => kind === each))
    .map((kind) => `${kind}s`).join(" and ");
  const note = subjects === ""
    ? undefined
    : `${
      evidence.node ? "Some" : "Without a node,"
    } times of ${subjects} are intervals: both ends are shown, and the first sorts them.`;
  return listSection({
    id: "timeline",
    title: "Timeline",
    note,
    rows: buildTimelineRows(report, amounts),
  }, [
    textColumn("Time", ({ at, latestAt }) => toTimeCell(at, latestAt), { isWhole: true }),
    textColumn(
      "Known by",
      ({ basis }) => cell(basis === "bracketed" ? "interval" : basis),
      { isMinor: true },
    ),
    numberColumn("Block", ({ blocks }) => cell(blocks)),
    textColumn("What", ({ text }) => cell(text)),
  ]);
}

/** The timeline with amounts in whole tokens, and with auctions without a bid in one line. */
function buildTimelineRows(report: OrderReport, amounts: CellFormatter) {
  const unbid = new Map(
    selectUnbid(report.auctions).map((auction) => [auction.auctionId, auction]),
  );
  const rows: (Pick<TimelineEntry, "at" | "latestAt" | "basis"> & {
    readonly blocks: string | null;
    readonly text: string;
    readonly run: readonly ReportedAuction[];
  })[] = [];
  for (const entry of report.timeline) {
    const { at: earliest, latestAt, basis, block, kind, auctionId } = entry;
    const auction = kind === "auction" ? unbid.get(auctionId ?? -1) : undefined;
    const last = rows.at(-1);
    if (auction === undefined || last === undefined || last.run.length === 0) {
      const blocks = block === null ? null : `${block}`;
      const run = auction === undefined ? [] : [auction];
      const text = formatTimelineEntry(entry, report, amounts);
      rows.push({ at: earliest, latestAt, basis, blocks, text, run });
      continue;
    }
    const run = [...last.run, auction];
    rows[rows.length - 1] = {
      ...last,
      latestAt,
      blocks: `${run[0]!.block} to ${auction.block}`,
      text: formatRun(run, report.cause),
      run,
    };
  }
  return rows;
}

const NATIVE = /(\d+) native atoms/g;

function formatTimelineEntry(
  entry: TimelineEntry,
  report: OrderReport,
  amounts: CellFormatter,
): string {
  const { order } = report;
  const ownFunds = listFunds(report).find(({ block, at }) =>
    entry.kind === "funds" && block === entry.block && entry.at !== null && at.equals(entry.at)
  );
  if (ownFunds !== undefined && order !== null) {
    return formatFunds(ownFunds, createFundsWriter(order, amounts));
  }
  return entry.text.replaceAll(
    NATIVE,
    (_, atoms) => amounts.formatAmount(BigInt(atoms), NATIVE_TOKEN_ADDRESS).text,
  );
}

/** Auctions that did the same with the order, or in which nobody bid on it, in one clause. */
function formatRun(run: readonly ReportedAuction[], cause: OrderReport["cause"]): string {
  const [{ auctionId: from, outcome }, to] = [run[0]!, run.at(-1)!.auctionId];
  const beyondCount = run.filter(({ outcome }) => outcome === "no_bid_limit_beyond_market").length;
  const outcomeText = !isUnbid(outcome) || beyondCount === 0 || beyondCount === run.length
    ? formatOutcome(outcome, cause)
    : `nobody bid on it; in ${beyondCount} of them native prices did not meet its limit`;
  const name = run.length === 1
    ? `Auction ${from}`
    : run.length === 2
    ? `Auctions ${from} and ${to}`
    : `${run.length} auctions from ${from} to ${to}`;
  return `${name}: ${outcomeText}`;
}

function buildBidsSection(
  { auctions, order, cause }: OrderReport,
  amounts: CellFormatter,
): Section | null {
  if (order === null || auctions.length === 0) return null;
  const { sellToken, buyToken } = order;
  const allBids = auctions.flatMap(({ bids }) => bids);
  const table = buildTable(allBids, [
    numberColumn("Auction", ({ auctionId }) => toAuctionCell(auctionId)),
    numberColumn("Rank", ({ ranking }) => cell(ranking)),
    textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
    numberColumn("Sells", ({ sellAmount }) => amounts.formatAmount(sellAmount, sellToken)),
    numberColumn("Buys", ({ buyAmount }) => amounts.formatAmount(buyAmount, buyToken)),
    numberColumn("Over limit", ({ overLimitBps }) => toBpsCell(overLimitBps)),
    numberColumn(
      "Over winner",
      ({ behindWinnerAtoms: atoms, isWinner }) =>
        atoms === null || isWinner
          ? cell(null)
          : amounts.formatDifference({ low: -atoms, high: -atoms }, surplusToken(order)),
    ),
    textColumn(
      "Outcome",
      ({ isWinner, filteredOut }) => cell(isWinner ? "won" : filteredOut ? "filtered out" : "lost"),
    ),
  ]);
  const lostIndexes = allBids.flatMap((bid, index) => bid.isWinner || bid.filteredOut ? [] : index);
  return {
    id: "auctions",
    title: "Auctions and bids",
    note: formatOutcomes(auctions, cause),
    table: allBids.length === 0
      ? undefined
      : { ...table, minor: { rows: new Set(lostIndexes), name: "bids that lost" } },
  };
}

/** Runs of auctions with the same outcome, such as `4 auctions from 1621 to 1645: nobody bid`. */
function formatOutcomes(
  auctions: OrderReport["auctions"],
  cause: OrderReport["cause"],
): string {
  const runs: ReportedAuction[][] = [];
  for (const auction of auctions) {
    const last = runs.at(-1);
    const isSame = last !== undefined &&
      (last[0]!.outcome === auction.outcome ||
        isUnbid(last[0]!.outcome) && isUnbid(auction.outcome));
    if (isSame) last.push(auction);
    else runs.push([auction]);
  }
  const texts = runs.map((run) => formatRun(run, cause));
  return `${texts.map((text, index) => index === 0 ? text : lowerFirst(text)).join("; ")}.`;
}

function buildAttemptsSection({ auctions }: OrderReport): Section | null {
  const rows = auctions.flatMap((auction) =>
    (auction.attempts ?? []).map((attempt) => ({
      auctionId: auction.auctionId,
      solverName: findAttemptedBid(auction.bids, attempt)?.solverName ?? null,
      ...attempt,
    }))
  );
  return listSection({ id: "attempts", title: "Attempts to settle", rows }, [
    numberColumn("Auction", ({ auctionId }) => toAuctionCell(auctionId)),
    textColumn("Solver", ({ solver, solverName }) => toSolverCell(solver, solverName)),
    textColumn("Began", ({ startTimestamp }) => toTimeCell(startTimestamp), { isWhole: true }),
    numberColumn("From block", ({ startBlock }) => cell(startBlock)),
    numberColumn("To block", ({ endBlock }) => cell(endBlock)),
    numberColumn("Deadline", ({ deadlineBlock }) => cell(deadlineBlock)),
    textColumn("Outcome", ({ outcome }) => ({
      text: outcome == null ? "pending" : describeOutcome(outcome),
      ...outcome != null && { exact: outcome },
    })),
  ]);
}

/** Sentences that say what of the reported order is not what its UID names and its owner signed. */
function listMismatches({ identity }: OrderReport): string[] {
  return [
    ...identity?.isUidRight !== false ? [] : [
      "The reported terms do not hash to its UID: they are not those that were signed, or they are " +
      "for another chain or settlement contract.",
    ],
    ...identity?.isUidRight !== true || identity.isSignerOwner !== false
      ? []
      : [`Account ${identity.signer} signed it, not its owner.`],
  ];
}

/**
 * Says that the app data document is not the one that was signed. The service has `{}` for some hashes whose document
 * it does not know.
 */
function listDocumentMismatches({ appData }: OrderReport): string[] {
  return appData?.isHashRight !== false || appData.document === "{}"
    ? []
    : ["Its app data document does not have the hash that was signed."];
}

function buildIdentitySection({ identity, status, cause }: OrderReport): Section | null {
  if (identity === null) return null;
  const isUnsigned = cause === "presignature_missing" || status?.reported === "presignaturePending";
  const { isUidRight, computedUid, signingScheme, signer, isSignerOwner, onchainUser } = identity;
  const signatureText = isUnsigned
    ? `${signingScheme}: no pre-signature ${
      status?.reported === "expired" ? "before it expired" : "yet"
    }, so anybody may have placed it`
    : isSignerOwner === null
    ? `${signingScheme}: only the chain shows who signed`
    : `${signingScheme}, ${isSignerOwner ? "by its owner" : "not by its owner"}`;
  return {
    id: "identity",
    title: "Signature",
    facts: toFacts({
      "UID recomputed": isUidRight
        ? { text: "matches", tone: "good" }
        : { ...toUidCell(computedUid), tone: "bad" },
      Signed: {
        text: signatureText,
        ...isUnsigned ? { tone: "warning" } : isSignerOwner === false && { tone: "bad" },
      },
      Signer: signer === null ? null : toAccountCell(signer),
      "Placed for": onchainUser === null ? null : toAccountCell(onchainUser),
    }),
  };
}
