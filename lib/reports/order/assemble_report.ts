import type { OrderBook } from "../../client/order_book.ts";
import { readClock } from "../../client/track_order.ts";
import { blockTimes } from "../../evm/mod.ts";
import { AuctionTimes, orderLifecycle, tolerance } from "../../metrics/mod.ts";
import { parseOrderAppData } from "../../metrics/orders/calculate_status.ts";
import type { Competition, DebugReport, Order } from "../../schemas/mod.ts";
import { alsoHappened, reportContradictions, reportUnknown } from "./also_happened.ts";
import { fundsAt, fundsMoments, isShort, orderState } from "./order_funds.ts";
import { type OrderAnswers, replacedOrder } from "./gather_evidence.ts";
import { judgeOrder, type OrderFindings } from "./judge_order.ts";
import { formatSearch } from "../command_text.ts";
import { endOf, nextSteps } from "./next_steps.ts";
import { reportDeposit } from "./ethflow_deposit.ts";
import { onchainHistory } from "./onchain_history.ts";
import {
  deploymentOf,
  INSPECT_SCHEMA,
  notToldBy,
  type OrderReport,
  recordedOwners,
  type ReportedAppData,
  type ReportedUnknown,
  type ReportEvidence,
  type ReportNode,
} from "./order_report.ts";
import {
  auctionEvidence,
  domainOf,
  namesOf,
  reportAppData,
  reportAuctions,
  reportFills,
} from "./report_parts.ts";
import { presenceOf, recordOf } from "./report_requests.ts";
import { reportTimeline } from "./report_timeline.ts";
import { sentenceOf } from "./sentence_of.ts";
import { type ReportedFunds, verdictOf } from "./verdicts.ts";

/** What a report is assembled from. */
interface ReportParts {
  /** The answers. */
  readonly answers: OrderAnswers;
  /** Competition of the last auction that listed it, if nobody bid on it there. @default {null} */
  readonly lastUnbid?: Competition | null;
  /** A node, for the times of blocks. */
  readonly node?: ReportNode | undefined;
  /** The time of the answers. */
  readonly now?: Temporal.Instant | undefined;
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
  const { answers } = parts;
  return answers.order === null
    ? unknownHere(book, uid, answers)
    : await reportOf(book, uid, answers.order, parts);
}

async function reportOf(
  book: OrderBook,
  uid: string,
  order: Order,
  parts: ReportParts,
): Promise<OrderReport> {
  const { answers, lastUnbid = null, node, now, solvers, signal } = parts;
  const { trades, competitions, replacedBy } = answers;
  const debugReport = recordOf(answers.debugReport);
  const seenAt = now ?? readClock(book);
  const asOf = seenAt ?? lastTime(order, debugReport);
  const blocks = new Set([
    ...trades.map(({ blockNumber }) => blockNumber),
    ...competitions.map(({ auctionStartBlock }) => auctionStartBlock),
    ...debugReport?.auctions.map(({ block }) => block) ?? [],
  ]);
  const notTold: ReportedUnknown[] = [];
  const knownTimes = node === undefined ? undefined : await blockTimes(node, blocks, { signal })
    .catch((error) => void notTold.push({ what: "block_times", ...notToldBy(error) }));
  const times = new AuctionTimes(competitions, {
    ...knownTimes !== undefined && { blockTimes: knownTimes },
    ...debugReport !== null && { debugReports: [debugReport] },
    orders: [order],
  });
  const life = orderLifecycle(
    { order, trades, competitions, debugReport, competitionStatus: recordOf(answers.stage) },
    { now: asOf, times },
  );
  const capturingOwners = parts.surplusCapturingJitOrderOwners ?? recordedOwners(book);
  const auctions = auctionEvidence(life.auctions, {
    order,
    debugReport,
    competitions,
    capturingOwners,
  });
  const chain = { node, domain: domainOf(book, uid, order), signal };
  const events = debugReport?.events ?? null;
  const stage = answers.stage === "absent" ? "absent" : recordOf(answers.stage);
  const found = await fundsAt(order, fundsMoments({ order, events, stage }), {
    ...chain,
    blockTimes: knownTimes,
  });
  const { walked } = answers;
  const isLastAuctionKnown = walked !== null && walked.unread === 0 &&
    (walked.isEndSeen || order.status === "open");
  const onchain = await onchainHistory(order, chain);
  const told = await orderState(order, chain);
  const state = told === null || "why" in told ? null : told;
  if (told !== null && "why" in told) notTold.push({ what: "state", ...told });
  const judgement = judgeOrder({
    order,
    fills: life.fills,
    auctions,
    areAuctionsComplete: isLastAuctionKnown && walked.isWhole,
    isLastAuctionKnown,
    funds: found.funds.at(-1) ?? null,
    events,
    stage,
    replacedBy,
    now: asOf,
    seenAt,
  });
  const evidence = evidenceOf(answers, node);
  const { cause, reason, possible, outcomes } = judgement;
  const nameOf = namesOf(solvers, book);
  const fills = reportFills(life.fills, {
    order,
    trades,
    debugReport,
    competitions,
    auctions,
    nameOf,
  });
  const findings: OrderFindings = {
    ...{ order, life, judgement, fills, times, state, replacedBy, evidence },
    auctions: reportAuctions(auctions, outcomes, {
      order,
      competitions: lastUnbid === null ? competitions : [...competitions, lastUnbid],
      nameOf,
    }),
    funds: found.funds,
    placement: onchain.placement,
    refund: onchain.refund,
    deposit: reportDeposit(order, book.chainId),
  };
  const [firstTrade] = trades;
  const appData = reportAppData(order);
  const report: Omit<OrderReport, "next"> = {
    schema: INSPECT_SCHEMA,
    uid,
    deployment: deploymentOf(book),
    asOf,
    verdict: verdictOf({
      cause,
      status: order.status,
      isPartlyFilled: order.status !== "fulfilled" && life.fills.length > 0,
    }),
    cause,
    reason,
    possible,
    sentence: sentenceOf(findings),
    alsoHappened: alsoHappened(findings),
    replacedBy,
    replaces: replacedOrder(order),
    order,
    status: life.status,
    outlook: judgement.outlook,
    stage: life.stage,
    timeline: reportTimeline(findings),
    timeInStates: life.timeInStates,
    auctions: findings.auctions,
    fills,
    leftOnTheTable: life.leftOnTheTable,
    tolerance: tolerance(order, order.quote, {
      appData: parseOrderAppData(order),
      ...trades.length === 1 ? { fill: firstTrade } : {},
    }),
    identity: null,
    funds: found.funds.find(({ moment }) => moment === "now") ?? null,
    earlierFunds: found.funds.filter(({ moment }) => moment !== "now"),
    state,
    placement: onchain.placement,
    refund: onchain.refund,
    deposit: findings.deposit,
    programmatic: null,
    appData,
    unknown: onceOfNode(node, [
      ...answers.missing,
      ...reportUnknown(findings),
      ...reportContradictions({
        order,
        trades: answers.missing.some(({ what }) => what === "trades") ? null : trades,
        debugReport,
        competitions,
        times,
      }),
      ...notTold,
      ...unknownFunds(findings, found.unknown, appData.hooks),
      ...onchain.unknown,
    ]),
    evidence,
  };
  return { ...report, next: nextSteps(report) };
}

/** What cannot be known, with a node that fails named once, and not with everything it was asked. */
function onceOfNode(
  node: ReportNode | undefined,
  unknown: readonly ReportedUnknown[],
): ReportedUnknown[] {
  const failure = node?.failure ?? null;
  if (failure === null) return [...unknown];
  return [{ what: "node", ...failure }, ...unknown.filter(({ why }) => why !== failure.why)];
}

function unknownHere(book: OrderBook, uid: string, answers: OrderAnswers): OrderReport {
  const report: Omit<OrderReport, "next"> = {
    schema: INSPECT_SCHEMA,
    uid,
    deployment: deploymentOf(book),
    asOf: null,
    verdict: "unknown_here",
    cause: "unknown_here",
    reason: null,
    possible: [],
    sentence: sentenceOf({
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
    alsoHappened: [],
    replacedBy: null,
    replaces: null,
    order: null,
    status: null,
    outlook: null,
    stage: null,
    timeline: [],
    timeInStates: null,
    auctions: [],
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
    programmatic: null,
    appData: null,
    unknown: [{
      what: "order",
      why: "A UID names neither its network nor its environment",
      remedy: formatSearch("UID"),
    }],
    evidence: evidenceOf(answers, undefined),
  };
  return { ...report, next: nextSteps(report) };
}

function evidenceOf(answers: OrderAnswers, node: ReportNode | undefined): ReportEvidence {
  return {
    debugReport: presenceOf(answers.debugReport),
    stage: presenceOf(answers.stage),
    competitions: answers.competitions.length,
    walked: answers.walked,
    node: node !== undefined && node.failure === null,
    simulation: answers.simulation,
  };
}

/** The latest time in the answers, and not before the order expired if it is reported so. */
function lastTime(order: Order, debugReport: DebugReport | null): Temporal.Instant {
  if (order.status === "expired") return endOf(order);
  return debugReport?.events.at(-1)?.timestamp ?? order.creationDate;
}

/**
 * What balances and allowances do not show, where an order was left out, or may have been: those that
 * the node does not tell, those that hooks bring, and a shortage that no block shows.
 */
function unknownFunds(
  { order, judgement: { cause, reason, possible }, funds }: OrderFindings,
  unknown: readonly ReportedUnknown[],
  hooks: ReportedAppData["hooks"],
): ReportedUnknown[] {
  const isLack = cause === "invalid" && (reason === null || reason === "insufficient_balance");
  if (!isLack && !possible.includes("invalid")) return [];
  const brought = funds.length === 0 ? [] : broughtFunds(order, hooks);
  return [...unknown, ...brought, ...isLack ? unseenLack(funds) : []];
}

/** Pre-hooks run within a settlement, and may bring what is missing, or take what is there. */
function broughtFunds(order: Order, hooks: ReportedAppData["hooks"]): ReportedUnknown[] {
  const count = hooks.filter(({ moment }) => moment === "pre").length;
  if (count === 0) return [];
  const who = count === 1 ? "Its pre-hook runs" : `Its ${count} pre-hooks run`;
  const wraps = order.ethflowData == null ? "" : ", as does the wrapping of its native balance";
  return [{
    what: "funds_in_settlement",
    why:
      `${who} within the settlement${wraps}, and may bring funds or allowances that no block shows`,
    remedy: "Simulate the settlement: balances alone cannot tell",
  }];
}

function unseenLack(funds: readonly ReportedFunds[]): ReportedUnknown[] {
  const then = funds.filter(({ moment }) => moment !== "now");
  if (then.length === 0 || then.some(isShort)) return [];
  const blocks = then.map(({ block }) => block).join(" and ");
  return [{
    what: "shortage",
    why: `Balance and allowance sufficed in block ${blocks}, the last one before the event`,
    remedy:
      "Look at the blocks around it with `fundingAt`: the service may have judged an earlier one, with the order's pre-hooks, or found that the token refuses the transfer",
  }];
}
