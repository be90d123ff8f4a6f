import { findContradictions, formatContradiction, type OrderLifecycle } from "../../metrics/mod.ts";
import type { BlockClock } from "../../metrics/orders/fills.ts";
import type { Competition, DebugReport, Order, OrderEvent, Trade } from "../../schemas/mod.ts";
import { lowerFirst, pluralize } from "../../units/format.ts";
import { type OrderFindings, selectSinceLastFill } from "./judge_order.ts";
import type { AlsoHappened, ReportedUnknown, ReportEvidence } from "./order_report.ts";
import { DEEP_IDS, SEARCH_ALL, WALK_AUCTIONS } from "./walk_text.ts";
import {
  type AuctionOutcome,
  CAUSE_NAMES,
  judgeUnbid,
  ORDER_CAUSES,
  type OrderCause,
} from "./verdicts.ts";

/** Counts the other things that happened to an order, in the order of the verdicts. */
export function listAlsoHappened(facts: OrderFindings): AlsoHappened[] {
  const { cause: verdictCause, outcomes } = facts.judgement;
  // Of several possible causes, the sentence names what the last auction that is known did.
  const mainCause = verdictCause === "unknown"
    ? selectSinceLastFill(outcomes).at(-1) ?? verdictCause
    : verdictCause;
  const entries = [
    ...countFills(facts),
    ...countCancellation(facts),
    ...countStates(facts),
    ...countAuctions(facts),
    ...countNoAuction(facts),
  ];
  const rank = ({ cause }: AlsoHappened) => ORDER_CAUSES.indexOf(cause);
  return entries.filter(({ cause }) => cause !== mainCause).sort((a, b) => rank(a) - rank(b));
}

function countFills({ order, fills, judgement: { cause } }: OrderFindings): AlsoHappened[] {
  const entries: AlsoHappened[] = [];
  const late = fills.filter(({ blocksLate }) => blocksLate !== null && blocksLate > 0).length;
  const isFill = cause === "filled" || cause === "filled_late";
  // What a solver brought is filled as a whole, whatever its role was.
  // The verdict says that it was filled in part.
  if (fills.length > 1 && !isFill && order.status !== "fulfilled") {
    const text = `${formatTimes(fills.length)} filled in part`;
    entries.push({ cause: "filled", count: fills.length, text });
  }
  if (late > 0) {
    const text = `${formatTimes(late)} filled after the deadline`;
    entries.push({ cause: "filled_late", count: late, text });
  }
  return entries;
}

/**
 * Classifies the cancellation of a filled order as before or after its fill: `during` if it was in no auction that
 * began between the two, and `sometime` if no event tells.
 */
export function classifyCancellation(
  { invalidated, status }: Order,
  events: readonly OrderEvent[] | null,
): "never" | "before" | "during" | "after" | "sometime" {
  const cancelledIndex = events?.findIndex(({ label }) => label === "cancelled") ?? -1;
  if (status !== "fulfilled" || !invalidated && cancelledIndex === -1) return "never";
  const filledIndex = events?.findLastIndex(({ label }) => label === "traded") ?? -1;
  if (cancelledIndex === -1 || filledIndex === -1) return "sometime";
  if (cancelledIndex > filledIndex) return "after";
  const readyIndex = events?.findLastIndex(({ label }) => label === "ready") ?? -1;
  return readyIndex !== -1 && readyIndex < cancelledIndex ? "during" : "before";
}

const CANCELLED_WORDS = {
  before: "Cancelled before it was filled",
  during: "Cancelled while an auction with it was under way, which filled it",
  after: "Cancelled after it was filled",
  sometime: "Cancelled: no event shows whether before or after it was filled",
} as const;

function countCancellation({ order, life }: OrderFindings): AlsoHappened[] {
  const moment = classifyCancellation(order, life.events);
  return moment === "never"
    ? []
    : [{ cause: "cancelled", count: 1, text: CANCELLED_WORDS[moment] }];
}

/** Outcomes of an auction that an order won, which keeps it out of the next ones until it is settled. */
const WINS: ReadonlySet<AuctionOutcome> = new Set([
  "settled",
  "settled_late",
  "executing",
  "won_not_settled",
]);

function countStates(
  { order, life, judgement: { cause, outcomes } }: OrderFindings,
): AlsoHappened[] {
  const isWon = outcomes.some((outcome) => WINS.has(outcome));
  return (life.timeInStates ?? []).flatMap(({ label, reason, stays }) => {
    if (label !== "invalid" && label !== "filtered") return [];
    // What follows from its win, or is the verdict in other words.
    if (reason === "in_flight" && isWon) return [];
    if (reason === "invalid_signature" && cause === "presignature_missing") return [];
    const clause = label === "invalid"
      ? "it could not be settled"
      : "the protocol left it out of auctions";
    const text = `${formatTimes(stays)}, ${clause} ${formatReason(reason, order)}`;
    return [{ cause: label as OrderCause, count: stays, text }];
  });
}

function countAuctions({ order, judgement: { cause, outcomes } }: OrderFindings): AlsoHappened[] {
  const counts = new Map<AuctionOutcome, number>();
  for (const outcome of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].flatMap(([outcome, count]) => {
    if (outcome === "settled" || outcome === "settled_late") return [];
    if (outcome === "won_not_settled" && cause === "executed_not_indexed") return [];
    const text = `In ${pluralize(count, "auction")}, ${formatAuctionClause(outcome, order)}`;
    return [{ cause: outcome, count, text }];
  });
}

/** Events of an order that no auction listed. */
const UNLISTED: ReadonlySet<string> = new Set(["created", "invalid", "filtered", "cancelled"]);

/** That an order whose verdict says how it ended was in no auction, by its events. */
function countNoAuction(
  { order, life: { events }, judgement: { cause, outcomes } }: OrderFindings,
): AlsoHappened[] {
  const isEnded = cause === "refunded" || cause === "cancelled" || cause === "replaced";
  const isUnlisted = events?.every(({ label }) => UNLISTED.has(label)) ?? false;
  if (!isEnded || !isUnlisted || outcomes.length > 0) return [];
  const limit = formatLimitClause(judgeUnbid(order) ?? cause, order);
  return [{ cause: "never_in_an_auction", count: 1, text: `It was in no auction${limit}` }];
}

function formatTimes(count: number): string {
  return count === 1 ? "Once" : `${count} times`;
}

/** Outcomes of an auction for an order, as the end of a sentence. */
const AUCTION_WORDS: Readonly<Record<AuctionOutcome, string>> = {
  settled: "settled it",
  settled_late: "settled it after the deadline",
  executing: "won, and is being settled",
  won_not_settled: "won, and was not settled",
  bids_unfair: "every bid on it was filtered out as unfair",
  outbid: "no bid on it won",
  no_bid_limit_beyond_market: "nobody bid on it",
  no_bid_at_a_fair_limit: "nobody bid on it",
};

/** Formats an outcome for the verdict's cause: which of its wins is an execution without a trade, nothing shows. */
export function formatOutcome(outcome: AuctionOutcome, cause: OrderCause): string {
  return cause === "executed_not_indexed" && outcome === "won_not_settled"
    ? "won, and no response shows whether it was settled"
    : AUCTION_WORDS[outcome];
}

/** Formats an outcome as a whole clause. */
export function formatAuctionClause(outcome: AuctionOutcome, order: Order): string {
  const words = AUCTION_WORDS[outcome];
  return /^(won|settled)/.test(words)
    ? `a solution with it ${words}`
    : `${words}${formatLimitClause(outcome, order)}`;
}

/**
 * Formats whether the market met the limit of an order that nobody bid on, as the end of a clause, by what the
 * outcome was judged by: its quote, or native prices. Without a quote, prices that are missing count as fair, so
 * that nothing is said.
 */
export function formatLimitClause(outcome: OrderCause | AuctionOutcome, { quote }: Order): string {
  switch (outcome) {
    case "no_bid_limit_beyond_market":
      return quote == null
        ? ", and native prices did not meet its limit"
        : ", and its quote did not meet its limit after network costs";
    case "no_bid_at_a_fair_limit":
      return quote == null ? "" : ", although its quote met its limit after network costs";
    default:
      return "";
  }
}

/** Reasons of events in plain words, as the end of a sentence. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  banned_user: "because its owner is banned",
  invalid_signature: "for lack of a valid signature",
  unsupported_token: "because one of its tokens is not supported",
  insufficient_balance: "for lack of balance or allowance",
  in_flight: "with a settlement of it pending",
  dust_order: "for being too small",
  missing_native_price: "for lack of a native price of one of its tokens",
};

/** A reason of an event of an order, as the end of a sentence. */
export function formatReason(
  reason: string | null,
  { signingScheme }: Partial<Pick<Order, "signingScheme">> = {},
): string {
  if (reason === null) return "for a reason that is not stored";
  if (reason === "invalid_signature" && signingScheme === "presign") {
    return "for lack of its pre-signature on the chain";
  }
  return REASON_WORDS[reason] ?? `because of ${reason.replaceAll("_", " ")}`;
}

const USE_PARTNER_KEY = "Use an API key of a partner, for the debug report";
/** Remedies instead of a partner's key, by what came of the debug report. */
const REPORT_REMEDIES: Partial<Record<ReportEvidence["debugReport"], string>> = {
  present: "Nothing: the service keeps events for 30 days",
  failed: "Try again later: the debug report, which includes it, could not be fetched",
};
const PASS_OWNERS =
  "Pass `surplusCapturingJitOrderOwners`, which no response lists for past auctions";
const PASS_NODE = "Pass the URL of a node";

/** Gaps of a life cycle that a report names; without its trades, records that did not come name them. */
type NamedGap = Exclude<OrderLifecycle["unknown"][number]["what"], "fills">;

const REMEDIES: Readonly<Record<NamedGap, string>> = {
  events: USE_PARTNER_KEY,
  auctions: WALK_AUCTIONS,
  bids: WALK_AUCTIONS,
  attempts: USE_PARTNER_KEY,
  fill_times: PASS_NODE,
  presignature: PASS_NODE,
  status: "Pass the time of the responses as `now`",
};

/** Reasons that differ from those of the life cycle, since a report reads more. */
const REASONS: Partial<typeof REMEDIES> = {
  auctions:
    "Public responses do not say which auctions had an order: only those that filled it are listed",
  bids:
    "Public responses do not say which auctions had an order, so the bids on it are unknown too",
  fill_times: "Trades have their block, but not its time",
};

/** Gaps about auctions, which an order that was in none does not have. */
const OF_AUCTIONS: ReadonlySet<string> = new Set(["auctions", "bids", "attempts"]);

/** Lists the facts that the responses do not show, each with its reason and a remedy. */
export function reportUnknown(facts: OrderFindings): ReportedUnknown[] {
  const { life, evidence: { walked, isTimed } } = facts;
  const unknowns = [
    ...explainCause(facts),
    ...explainLastAuction(facts),
    ...explainCancellation(facts),
    ...explainWalk(walked, isTimed),
  ];
  const { cause, reason } = facts.judgement;
  const isNeverListed = cause === "never_in_an_auction" || cause === "placement_failed" ||
    cause === "not_valid_yet" && reason !== "fast_path";
  for (const { what, why } of life.unknown) {
    const isWalked = walked !== null && (what === "auctions" || what === "bids");
    const isKnown = isWalked || isNeverListed && OF_AUCTIONS.has(what);
    if (!isKnown && what !== "fills") {
      unknowns.push({ what, why: REASONS[what] ?? why, remedy: REMEDIES[what] });
    }
  }
  const instead = REPORT_REMEDIES[facts.evidence.debugReport] ?? USE_PARTNER_KEY;
  return unknowns.map((entry) => ({
    ...entry,
    remedy: entry.remedy.replace(USE_PARTNER_KEY, instead),
  }));
}

/** Names of causes that concern all auctions, for an order that some filled in part. */
const CAUSE_NAMES_OF_REST: Partial<typeof CAUSE_NAMES> = {
  ready_in_no_stored_auction: "only in auctions that were not stored since its last fill",
  never_in_an_auction: "in no auction since its last fill",
};

function explainCause({ judgement, evidence, order, fills }: OrderFindings): ReportedUnknown[] {
  const { cause, possible, reason } = judgement;
  if (cause === "unknown") {
    const isJit = possible.includes("jit_liquidity");
    const isLeftOut = possible.includes("invalid") && order.status === "open" && !evidence.node;
    const remedies = [
      ...isJit ? [PASS_OWNERS] : [USE_PARTNER_KEY],
      ...isLeftOut ? ["pass the URL of a node, which shows balance and allowance"] : [],
      ...isJit || evidence.walked?.isWhole === true || !possible.includes("outbid")
        ? []
        : [WALK_AUCTIONS],
    ];
    const names = { ...CAUSE_NAMES, ...fills.length > 0 && CAUSE_NAMES_OF_REST };
    return [{
      what: "cause",
      why: `Several causes are possible: ${possible.map((cause) => names[cause]).join("; ")}`,
      remedy: remedies.map((text, index) => index === 0 ? text : lowerFirst(text)).join("; or: "),
    }];
  }
  const hasNoReason = (cause === "invalid" || cause === "filtered") && reason === null;
  return hasNoReason
    ? [{
      what: "reason",
      why: "The event does not give a reason",
      remedy: "Nothing: the service does not store it",
    }]
    : [];
}

/** Without the auction of a fill, nothing tells whether it was late, or whether a solver added the order. */
function explainLastAuction({ judgement, fills, order }: OrderFindings): ReportedUnknown[] {
  const last = fills.at(-1);
  const isKnown = last === undefined ? order.class !== "liquidity" : last.blocksLate !== null;
  if (judgement.cause !== "filled" || isKnown) return [];
  const [topic, question] = last === undefined
    ? ["role", "a solver added it"]
    : ["deadline", "it was late"];
  const why = `No response has the auction of its last fill, so whether ${question} is unknown`;
  const remedy =
    "Query the other environment of the network, or use a recording that has the auction";
  return [{ what: topic, why, remedy }];
}

/** Without an event, an order may have been cancelled on the chain or by a signed request. */
function explainCancellation({ order, life, judgement, state }: OrderFindings): ReportedUnknown[] {
  const isShown = life.events?.some(({ label }) => label === "cancelled") ?? false;
  if (order.status !== "cancelled" || isShown || judgement.cause !== "cancelled") return [];
  // The service stores no event, and so no stage, of a cancellation on the chain.
  const requested = life.stage.reported === "cancelled" ? " by request" : null;
  const means = state === null
    ? requested
    : state.refusal === null
    ? " by request: the settlement contract would still take it"
    : "";
  return [{
    what: "cancellation",
    why: means === null
      ? "The responses show neither when it was cancelled, nor whether on the chain or by request"
      : `The responses do not show when it was cancelled${means}`,
    remedy: life.events !== null
      ? "Search the chain for `OrderInvalidated` of its settlement contract: no event shows it"
      : means !== null
      ? USE_PARTNER_KEY
      : `${USE_PARTNER_KEY}; or: pass the URL of a node, which shows whether it was cancelled on the chain`,
  }];
}

function explainWalk(
  walked: ReportEvidence["walked"],
  isTimed: boolean,
): ReportedUnknown[] {
  if (walked === null) return [];
  const { from, to, read, unread, isStartSeen, isOrdered } = walked;
  if (!isOrdered) {
    return [{
      what: "auction_order",
      why: "Auction IDs do not follow time here, so nothing shows which ones are of its lifetime",
      remedy: USE_PARTNER_KEY,
    }];
  }
  const total = to - from + 1;
  const all = total > DEEP_IDS
    ? `\`deep: ${total}\` in code, --deep ${total} on the command line`
    : SEARCH_ALL;
  return [
    ...walked.isEndSeen ? [] : [
      walked.isLastMinuteSeen
        ? {
          what: "last_minute",
          why:
            `Auctions after ${to}, in its last minute, were not looked at: the service lists no order in them, unless it is set up otherwise`,
          remedy: `Read all: ${all}`,
        }
        : isTimed
        ? {
          what: "newest_auctions",
          why: `Auctions after ${to} are not visible before their deadlines`,
          remedy: "Try again in a few minutes",
        }
        : {
          what: "newest_auctions",
          why: `The recording has no auctions after ${to}`,
          remedy: "Use a recording that has them",
        },
    ],
    ...isStartSeen && read === total ? [] : [{
      what: "earlier_auctions",
      why: isStartSeen
        ? `${total - read} of the auctions ${from} to ${to} around its lifetime were not looked at`
        : `Auctions before ${from} were not looked at`,
      remedy: isStartSeen
        ? `Read all: ${all}`
        : `Read all: ${all}; or use an API key of a partner: auctions before ${from} may be deleted`,
    }],
    ...unread === 0 ? [] : [{
      what: "unread_auctions",
      why: `${unread} of the auctions ${from} to ${to} could not be read, or were not recorded`,
      remedy: "Try again, or use a recording that has all auctions of the range",
    }],
  ];
}

/** Contradictions that a report lists. */
const MAX_CONTRADICTIONS = 5;

/** Records of one order, as far as they came. */
interface InspectedRecords {
  /** The order. */
  readonly order: Order;
  /** All of its fills; `null` if they did not come. */
  readonly trades: readonly Trade[] | null;
  /** Its debug report; `null` without one. */
  readonly debugReport: DebugReport | null;
  /** Its auctions. */
  readonly competitions: readonly Competition[];
  /** Times of blocks. */
  readonly times: BlockClock;
}

/** Facts of an order's records that contradict each other: one of them is not what happened. */
export function reportContradictions(
  { order, trades, debugReport, competitions, times }: InspectedRecords,
): ReportedUnknown[] {
  const orders = [{ order, trades, debugReport }];
  const contradictions = [...findContradictions({ orders, competitions, times })];
  return contradictions.slice(0, MAX_CONTRADICTIONS).map((contradiction) => ({
    what: "contradiction",
    why: `Responses contradict each other: ${formatContradiction(contradiction)}`,
    remedy: "Inspect it again: replicas of a service may differ for some seconds",
  }));
}
