import type { OrderLifecycle } from "../../metrics/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import type { Judgement } from "./judge_order.ts";
import type { ReportedFill, ReportedUnknown, ReportEvidence } from "./order_report.ts";
import type { ReportedState } from "./reported_chain.ts";

const PARTNER = "Ask with an API key of a partner, whose debug reports have it";
const DEEP = "Walk the auctions of its lifetime: `deep` in code, --deep on the command line";
const OWNERS = "Pass `surplusCapturingJitOrderOwners`, which no answer lists for past auctions";
const NODE = "Pass the URL of a node";

const REMEDIES: Readonly<Record<OrderLifecycle["unknown"][number]["what"], string>> = {
  events: PARTNER,
  auctions: DEEP,
  bids: DEEP,
  attempts: PARTNER,
  fills: "Ask again: the trades could not be read",
  fill_times: NODE,
  presignature: NODE,
  status: "Pass the time of the answers as `now`",
};

/** Why, where a report reads more than what it passes on. */
const WHYS: Partial<typeof REMEDIES> = {
  auctions:
    "Public answers do not lead from an order to its auctions: only those that filled it are here",
  bids: "Public answers do not lead from an order to its auctions, and so to the bids on it",
  fill_times: "Trades have their block, and no time",
};

/** What a report knows and does not. */
export interface KnownFacts {
  /** The order. */
  readonly order: Order;
  /** Its life. */
  readonly life: OrderLifecycle;
  /** What decided. */
  readonly judgement: Judgement;
  /** Its fills. */
  readonly fills: readonly ReportedFill[];
  /** What was asked. */
  readonly evidence: ReportEvidence;
  /** What the settlement contract makes of it; `null` if unknown. */
  readonly state: ReportedState | null;
}

/** What the answers do not show, why, and what would show it. */
export function reportUnknown(facts: KnownFacts): ReportedUnknown[] {
  const { life, evidence: { walked } } = facts;
  const unknown = [
    ...ofCause(facts),
    ...ofDeadline(facts),
    ...ofCancellation(facts),
    ...ofWalk(walked),
  ];
  for (const { what, why } of life.unknown) {
    const isWalked = walked !== null && (what === "auctions" || what === "bids");
    if (!isWalked) unknown.push({ what, why: WHYS[what] ?? why, remedy: REMEDIES[what] });
  }
  return unknown;
}

function ofCause({ judgement, evidence, order }: KnownFacts): ReportedUnknown[] {
  const { cause, possible, reason } = judgement;
  if (cause === "unknown") {
    const isJit = possible.includes("jit_liquidity");
    const isLeftOut = possible.includes("invalid") && order.status === "open" && !evidence.node;
    const remedies = [
      ...isJit ? [OWNERS] : [PARTNER],
      ...isLeftOut ? ["pass the URL of a node, which shows balance and allowance"] : [],
      ...isJit || evidence.walked !== null || !possible.includes("outbid") ? [] : [DEEP],
    ];
    return [{
      what: "cause",
      why: `The answers fit ${possible.join(", ")}`,
      remedy: remedies.join("; or: "),
    }];
  }
  const hasNoReason = (cause === "invalid" || cause === "filtered") && reason === null;
  return hasNoReason
    ? [{
      what: "reason",
      why: "The event has no reason",
      remedy: "No action: the service does not store it",
    }]
    : [];
}

/** Without the auction of a fill, nothing tells whether it was late. */
function ofDeadline({ judgement, fills }: KnownFacts): ReportedUnknown[] {
  const last = fills.at(-1);
  if (judgement.cause !== "filled" || last === undefined || last.blocksLate !== null) return [];
  return [{
    what: "deadline",
    why:
      "The deployment has no auction of its last fill, so that nothing tells whether it was late",
    remedy: "Ask the other environment of the network, which may have the auction",
  }];
}

/** Without an event, an order may have been cancelled on the chain or by a signed request. */
function ofCancellation({ order, life, judgement, state }: KnownFacts): ReportedUnknown[] {
  const isShown = life.events?.some(({ label }) => label === "cancelled") ?? false;
  if (order.status !== "cancelled" || isShown || judgement.cause !== "cancelled") return [];
  return [{
    what: "cancellation",
    why: state === null
      ? "The answers show neither when it was cancelled, nor whether on the chain or by request"
      : `The answers do not show when it was cancelled${
        state.refusal === null ? " by request: the settlement contract would still take it" : ""
      }`,
    remedy: life.events === null
      ? state === null ? `${PARTNER}; or: pass the URL of a node, which shows whether` : PARTNER
      : "Search the chain for `OrderInvalidated` of its settlement contract: no event tells",
  }];
}

function ofWalk(walked: ReportEvidence["walked"]): ReportedUnknown[] {
  if (walked === null) return [];
  const { from, to, unread, isWhole, isEndSeen } = walked;
  return [
    ...isEndSeen ? [] : [{
      what: "newest_auctions",
      why: `Auctions after ${to} are not visible before their deadlines`,
      remedy: "Ask again in a few minutes",
    }],
    ...isWhole ? [] : [{
      what: "earlier_auctions",
      why: `Only auctions ${from} to ${to} were walked, not those back to its creation`,
      remedy: "Walk more: a larger number in `deep`, or --deep on the command line",
    }],
    ...unread === 0 ? [] : [{
      what: "unread_auctions",
      why: `${unread} of the auctions ${from} to ${to} could not be read, or were not recorded`,
      remedy: "Ask again, or use a recording that has all auctions of the range",
    }],
  ];
}
