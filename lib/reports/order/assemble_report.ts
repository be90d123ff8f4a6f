import type { OrderBook } from "../../client/order_book.ts";
import { readClock } from "../../client/track_order.ts";
import { blockTimes } from "../../evm/mod.ts";
import { AuctionTimes, orderLifecycle, tolerance } from "../../metrics/mod.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import { readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import type { Competition, DebugReport, Order } from "../../schemas/mod.ts";
import { listAlsoHappened, reportContradictions, reportUnknown } from "./also_happened.ts";
import { isShort, listFundsMoments, readFundsAt, readOrderState } from "./order_funds.ts";
import { type OrderRecords, readReplacedUid, type Replacement } from "./gather_evidence.ts";
import { judgeOrder, type OrderFindings } from "./judge_order.ts";
import { formatSearch } from "../command_text.ts";
import { measureDistance } from "./limit_distance.ts";
import { readValidityEnd, suggestSteps } from "./next_steps.ts";
import { describeNow } from "./order_now.ts";
import { reportDeposit } from "./ethflow_deposit.ts";
import { readOnchainHistory } from "./onchain_history.ts";
import {
  explainFailure,
  INSPECT_SCHEMA,
  type OrderReport,
  readCapturingOwners,
  reportDeployment,
  type ReportedAppData,
  type ReportedUnknown,
  type ReportEvidence,
  type ReportNode,
} from "./order_report.ts";
import { rateExchange } from "./dollar_amounts.ts";
import {
  collectAuctionEvidence,
  createNameLookup,
  readDomain,
  reportAppData,
  reportAuctions,
  reportFills,
  reportStageBids,
} from "./report_parts.ts";
import { recordOrNull, toPresence } from "./report_requests.ts";
import { reportTimeline } from "./report_timeline.ts";
import { formatSentence } from "./format_sentence.ts";
import { buildVerdict, type ReportedFunds } from "./verdicts.ts";

/** Records and options from which a report is assembled. */
export interface ReportParts {
  /** The answers. */
  readonly records: OrderRecords;
  /** Competition of the last auction that listed it, if nobody bid on it there. @default {null} */
  readonly lastUnbid?: Competition | null;
  /** A node, for the times of blocks. */
  readonly node?: ReportNode | undefined;
  /** The time of the answers. */
  readonly now?: Temporal.Instant | undefined;
  /** The latest time that is known, of answers without a time. @default {the latest in those about the order} */
  readonly asOf?: Temporal.Instant | undefined;
  /** Names of solvers. */
  readonly solvers?: ReadonlyMap<string, string> | undefined;
  /** Owners whose orders capture surplus although no auction lists them. */
  readonly surplusCapturingJitOrderOwners?: readonly string[] | undefined;
  /** Ends the requests to the node. */
  readonly signal?: AbortSignal | undefined;
}

/**
 * Judges the answers about one order, and computes what a report shows, but who signed it: that takes
 * most of the time, and no verdict rests on it.
 */
export async function assembleReport(
  book: OrderBook,
  uid: string,
  parts: ReportParts,
): Promise<OrderReport> {
  const { records } = parts;
  return records.order === null
    ? reportUnknownOrder(book, uid, records)
    : await reportKnownOrder(book, uid, records.order, parts);
}

async function reportKnownOrder(
  book: OrderBook,
  uid: string,
  order: Order,
  parts: ReportParts,
): Promise<OrderReport> {
  const { records, lastUnbid = null, node, now, solvers, signal } = parts;
  const { trades, competitions, replacement } = records;
  const replacedBy = replacement?.uid ?? null;
  const debugReport = recordOrNull(records.debugReport);
  const seenAt = now ?? readClock(book);
  const asOf = seenAt ?? parts.asOf ?? findLastTime(order, debugReport, replacement);
  const blocks = new Set([
    ...trades?.map(({ blockNumber }) => blockNumber) ?? [],
    ...competitions.map(({ auctionStartBlock }) => auctionStartBlock),
    ...debugReport?.auctions.map(({ block }) => block) ?? [],
  ]);
  const unread: ReportedUnknown[] = [];
  const knownTimes = node === undefined ? undefined : await blockTimes(node, blocks, { signal })
    .catch((error) => void unread.push({ what: "block_times", ...explainFailure(error) }));
  const times = new AuctionTimes(competitions, {
    ...knownTimes !== undefined && { blockTimes: knownTimes },
    ...debugReport !== null && { debugReports: [debugReport] },
    orders: [order],
  });
  const life = orderLifecycle(
    { order, trades, competitions, debugReport, competitionStatus: recordOrNull(records.stage) },
    { now: asOf, times },
  );
  const capturingOwners = parts.surplusCapturingJitOrderOwners ?? readCapturingOwners(book);
  const auctions = collectAuctionEvidence(life.auctions, {
    order,
    debugReport,
    competitions,
    capturingOwners,
  });
  const chain = { node, domain: readDomain(book, uid, order), signal };
  const events = debugReport?.events ?? null;
  const stage = records.stage === "absent" ? "absent" : recordOrNull(records.stage);
  const pastFunds = await readFundsAt(order, listFundsMoments({ order, events, stage }), {
    ...chain,
    blockTimes: knownTimes,
  });
  const { walked } = records;
  const isTailSeen = walked !== null && walked.isOrdered &&
    (walked.isLastMinuteSeen || order.status === "open");
  const onchain = await readOnchainHistory(order, chain);
  const stateResult = await readOrderState(order, chain);
  const state = stateResult === null || "why" in stateResult ? null : stateResult;
  if (stateResult !== null && "why" in stateResult) unread.push({ what: "state", ...stateResult });
  const judgement = judgeOrder({
    order,
    fills: life.fills,
    auctions,
    areAuctionsComplete: isTailSeen && walked.isWhole,
    isLastAuctionKnown: isTailSeen && walked.isLastSeen,
    areAuctionsHidden: isTailSeen && walked.isWhole && !walked.isAnySeen,
    funds: pastFunds.funds.at(-1) ?? null,
    events,
    stage,
    replacedBy,
    now: asOf,
    seenAt,
  });
  const evidence = summarizeEvidence(records, node, seenAt !== null);
  const { cause, reason, possible, outcomes } = judgement;
  const findName = createNameLookup(solvers, book);
  const network = book.network?.name ?? null;
  const fills = reportFills(life.fills, {
    order,
    trades: trades ?? [],
    debugReport,
    competitions,
    auctions,
    findName,
    network,
  });
  const findings: OrderFindings = {
    ...{ order, life, judgement, fills, times, state, evidence, seenAt, replacement, replacedBy },
    attempts: new Map(
      debugReport?.auctions.map((auction) => [auction.id, auction.settlementAttempts]),
    ),
    auctions: reportAuctions(auctions, outcomes, {
      order,
      competitions: lastUnbid === null ? competitions : [...competitions, lastUnbid],
      findName,
    }),
    funds: pastFunds.funds,
    placement: onchain.placement,
    refund: onchain.refund,
    deposit: reportDeposit(order, book.chainId),
  };
  const [firstTrade, ...laterTrades] = trades ?? [];
  const appData = reportAppData(order);
  const report: Omit<OrderReport, "next" | "now"> = {
    schema: INSPECT_SCHEMA,
    uid,
    deployment: reportDeployment(book),
    asOf,
    verdict: buildVerdict({
      cause,
      status: order.status,
      isPartlyFilled: order.status !== "fulfilled" &&
        (life.fills.length > 0 || readFilled(order)[0] > 0n),
    }),
    cause,
    reason,
    possible,
    sentence: formatSentence(findings),
    alsoHappened: listAlsoHappened(findings),
    replacedBy,
    replaces: readReplacedUid(order),
    order,
    status: life.status,
    outlook: judgement.outlook,
    stage: life.stage,
    stageBids: reportStageBids(recordOrNull(records.stage), { order, findName }),
    timeline: reportTimeline(findings),
    timeInStates: life.timeInStates,
    auctions: findings.auctions,
    limitDistance: measureDistance(findings.auctions),
    usdPerAtom: rateExchange(
      {
        ...order,
        ...order.quote != null && {
          sellAmount: order.quote.sellAmount,
          buyAmount: order.quote.buyAmount,
        },
      },
      auctions.findLast(({ prices }) => prices !== null)?.auctionId ?? null,
      { competitions, debugReport, network },
    ),
    fills,
    leftOnTheTable: life.leftOnTheTable,
    tolerance: tolerance(order, order.quote, {
      appData: parseOrderAppData(order),
      ...firstTrade !== undefined && laterTrades.length === 0 && { fill: firstTrade },
    }),
    identity: null,
    funds: pastFunds.funds.find(({ moment }) => moment === "now") ?? null,
    earlierFunds: pastFunds.funds.filter(({ moment }) => moment !== "now"),
    state,
    placement: onchain.placement,
    refund: onchain.refund,
    deposit: findings.deposit,
    money: null,
    failures: [],
    failureSimulation: null,
    programmatic: null,
    appData,
    unknown: mergeNodeFailures(node, [
      ...records.missing,
      ...reportUnknown(findings),
      ...reportContradictions({
        order,
        trades,
        debugReport,
        competitions,
        times,
      }),
      ...unread,
      ...explainFunds(findings, pastFunds.unknown, appData.hooks),
      ...onchain.unknown,
    ]),
    evidence,
  };
  const stated = { ...report, now: describeNow(report, seenAt) };
  return { ...stated, next: suggestSteps(stated) };
}

/** Merges the failures of one node into a single entry. */
function mergeNodeFailures(
  node: ReportNode | undefined,
  unknowns: readonly ReportedUnknown[],
): ReportedUnknown[] {
  const failure = node?.failure ?? null;
  if (failure === null) return [...unknowns];
  return [{ what: "node", ...failure }, ...unknowns.filter(({ why }) => why !== failure.why)];
}

function reportUnknownOrder(book: OrderBook, uid: string, records: OrderRecords): OrderReport {
  const report: Omit<OrderReport, "next"> = {
    schema: INSPECT_SCHEMA,
    uid,
    deployment: reportDeployment(book),
    asOf: null,
    verdict: "unknown_here",
    cause: "unknown_here",
    reason: null,
    possible: [],
    sentence: formatSentence({
      order: null,
      judgement: {
        ...{ cause: "unknown_here", reason: null, possible: [], outcomes: [] },
        areAuctionsComplete: false,
        outlook: null,
      },
      fills: [],
      replacedBy: null,
      funds: [],
      deposit: null,
    }),
    now: null,
    alsoHappened: [],
    replacedBy: null,
    replaces: null,
    order: null,
    status: null,
    outlook: null,
    stage: null,
    stageBids: [],
    timeline: [],
    timeInStates: null,
    auctions: [],
    limitDistance: null,
    usdPerAtom: null,
    fills: [],
    leftOnTheTable: [],
    tolerance: null,
    identity: null,
    funds: null,
    earlierFunds: [],
    state: null,
    placement: null,
    refund: null,
    deposit: null,
    money: null,
    failures: [],
    failureSimulation: null,
    programmatic: null,
    appData: null,
    unknown: [{
      what: "order",
      why: "A UID names neither its network nor its environment",
      remedy: formatSearch("UID"),
    }],
    evidence: summarizeEvidence(records, undefined, readClock(book) !== null),
  };
  return { ...report, next: suggestSteps(report) };
}

function summarizeEvidence(
  records: OrderRecords,
  node: ReportNode | undefined,
  isTimed: boolean,
): ReportEvidence {
  return {
    debugReport: toPresence(records.debugReport),
    stage: toPresence(records.stage),
    competitions: records.competitions.length,
    walked: records.walked,
    node: node !== undefined && node.failure === null,
    simulation: records.simulation,
    isTimed,
  };
}

/** The latest time in the responses, and not before the order expired if it is reported so. */
function findLastTime(
  order: Order,
  debugReport: DebugReport | null,
  replacement: Replacement | null,
): Temporal.Instant {
  const { events = [], auctions = [] } = debugReport ?? {};
  const attempts = auctions.flatMap(({ settlementAttempts }) => settlementAttempts);
  return [
    ...order.status === "expired" ? [readValidityEnd(order)] : [],
    ...replacement === null ? [] : [replacement.creationDate],
    ...events.map(({ timestamp }) => timestamp),
    ...attempts.flatMap(({ startTimestamp, endTimestamp }) => endTimestamp ?? startTimestamp),
  ].reduce(
    (latest, time) => Temporal.Instant.compare(time, latest) > 0 ? time : latest,
    order.creationDate,
  );
}

/**
 * Explains unknown balances and allowances of an order that was left out, or may have been: those that
 * the node does not tell, those that hooks bring, and a shortage that no block shows.
 */
function explainFunds(
  { order, judgement: { cause, reason, possible }, funds }: OrderFindings,
  unreadFunds: readonly ReportedUnknown[],
  hooks: ReportedAppData["hooks"],
): ReportedUnknown[] {
  const isLack = cause === "invalid" && (reason === null || reason === "insufficient_balance");
  if (!isLack && !possible.includes("invalid")) return [];
  const hookFunds = funds.length === 0 ? [] : explainHookFunds(order, hooks);
  return [...unreadFunds, ...hookFunds, ...isLack ? explainUnseenLack(funds) : []];
}

/** Pre-hooks run within a settlement, and may bring what is missing, or take what is there. */
function explainHookFunds(order: Order, hooks: ReportedAppData["hooks"]): ReportedUnknown[] {
  const count = hooks.filter(({ moment }) => moment === "pre").length;
  if (count === 0) return [];
  const subject = count === 1 ? "Its pre-hook runs" : `Its ${count} pre-hooks run`;
  const wraps = order.ethflowData == null ? "" : ", as does the wrapping of its native balance";
  return [{
    what: "funds_in_settlement",
    why:
      `${subject} within the settlement${wraps}, and may bring funds or allowances that no block shows`,
    remedy: "Simulate the settlement: balances alone are not enough",
  }];
}

function explainUnseenLack(funds: readonly ReportedFunds[]): ReportedUnknown[] {
  const pastFunds = funds.filter(({ moment }) => moment !== "now");
  if (pastFunds.length === 0 || pastFunds.some(isShort)) return [];
  const blocks = pastFunds.map(({ block }) => block).join(" and ");
  return [{
    what: "shortage",
    why: `Balance and allowance were sufficient in block ${blocks}, the last one before the event`,
    remedy:
      "Look at the blocks around it with `fundingAt`: the service may have judged an earlier one, with the order's pre-hooks, or found that the token refuses the transfer",
  }];
}
