import type { Funding, OrderAt, TwapFault, TwapTerms } from "../../evm/mod.ts";
import {
  type AuctionRole,
  isNotComputable,
  type LimitPrices,
  marketOverLimitBps,
  marketPosition,
  type OrderAuction,
} from "../../metrics/mod.ts";
import type { Order, SettlementAttempt } from "../../schemas/mod.ts";

/** The cause that decided an order's fate; each is one row of the verdicts. */
export type OrderCause = EndingCause | LastingCause | "evidence_gone" | "unknown";

/** A cause that may keep an order from being filled for a time, and may change from auction to auction. */
export type LastingCause =
  | "presignature_missing"
  | "not_valid_yet"
  | "invalid"
  | "filtered"
  | "won_not_settled"
  | "executing"
  | "executed_not_indexed"
  | "auction_running"
  | AuctionCause
  | "ready_in_no_stored_auction"
  | "never_in_an_auction";

/** Outcome of one auction for an order that it listed. */
export type AuctionCause =
  | "bids_unfair"
  | "outbid"
  | "no_bid_limit_beyond_market"
  | "no_bid_at_a_fair_limit";

/** Name of each cause in a list of those that fit, in the order of the verdicts. */
export const CAUSE_NAMES: Readonly<Record<OrderCause, string>> = {
  unknown_here: "not at this deployment",
  part_not_posted: "a part of a TWAP that was not posted",
  jit_liquidity: "liquidity of a solver",
  jit_capturing: "an order of a solver that captures surplus",
  filled: "filled",
  filled_late: "filled after the deadline",
  replaced: "replaced",
  cancelled: "cancelled",
  refunded: "refunded",
  placement_failed: "not placed",
  presignature_missing: "no pre-signature",
  not_valid_yet: "not valid yet",
  invalid: "not possible to settle, such as for lack of balance",
  filtered: "left out by the protocol",
  won_not_settled: "won but not settled",
  executing: "being settled",
  executed_not_indexed: "executed and not indexed yet",
  auction_running: "in a running auction",
  bids_unfair: "only unfair bids",
  outbid: "outbid",
  no_bid_limit_beyond_market: "no bid, with a limit beyond the market",
  no_bid_at_a_fair_limit: "no bid, with a limit within the market",
  ready_in_no_stored_auction: "only in auctions that were not stored",
  never_in_an_auction: "never in an auction",
  evidence_gone: "no events at the service",
  unknown: "unknown",
};

/** Names a verdict, or a class of verdicts, in words: `open: no bid, with a limit within the market`. */
export function nameVerdict(verdict: string): string {
  const [, partly, status, cause = verdict] =
    /^(partly_filled_)?(?:(open|expired|cancelled)_)?(\w+)$/.exec(verdict) ?? [];
  const name = Object.hasOwn(CAUSE_NAMES, cause)
    ? CAUSE_NAMES[cause as OrderCause]
    : cause.replaceAll("_", " ");
  return `${partly === undefined ? "" : "partly filled, "}${
    status === undefined ? "" : `${status}: `
  }${name}`;
}

/** Every cause, in the order of the verdicts. */
export const ORDER_CAUSES: readonly string[] = Object.keys(CAUSE_NAMES);

/** Causes that end an order: the verdict is the cause alone, whatever the status is. */
export type EndingCause =
  | "unknown_here"
  | "part_not_posted"
  | "jit_liquidity"
  | "jit_capturing"
  | "filled"
  | "filled_late"
  | "replaced"
  | "cancelled"
  | "refunded"
  | "placement_failed";

/** A cause that leaves an order open, or lets it expire. */
export type PendingCause = Exclude<OrderCause, EndingCause>;

/** A cause with the status in front; a cancelled order has it while it may still be settled. */
export type StatusVerdict =
  | `open_${PendingCause}`
  | `expired_${PendingCause}`
  | `cancelled_${"executing" | "executed_not_indexed"}`;

/** The verdict: the cause, with the status in front where the cause alone does not say it. */
export type OrderVerdict =
  | EndingCause
  | PendingCause
  | StatusVerdict
  | `partly_filled_${EndingCause | StatusVerdict}`;

/** Parts of a verdict. */
interface VerdictParts {
  /** The decisive cause. */
  readonly cause: OrderCause;
  /** The reported status; `null` if the order is unknown. */
  readonly status: string | null;
  /** Whether something, but not all, was filled. */
  readonly isPartlyFilled: boolean;
}

/** The text of a verdict: `expired_outbid`, `partly_filled_cancelled`, `filled`. */
export function buildVerdict({ cause, status, isPartlyFilled }: VerdictParts): OrderVerdict {
  const isPrefixed = !ENDING_CAUSE.test(cause) &&
    (status === "open" || status === "expired" || status === "cancelled");
  const suffix = isPrefixed ? `${status}_${cause}` : cause;
  return (isPartlyFilled ? `partly_filled_${suffix}` : suffix) as OrderVerdict;
}

/** Pattern of an {@linkcode EndingCause}. */
const ENDING_CAUSE =
  /^(?:unknown_here|part_not_posted|jit_\w+|filled(?:_late)?|replaced|cancelled|refunded|placement_failed)$/;

/** Evidence of one auction that listed or settled an order. */
export interface AuctionEvidence extends OrderAuction {
  /** Role of the order in it. */
  readonly role: AuctionRole;
  /** Native prices of the order's two tokens; `null` where one is missing. */
  readonly prices: LimitPrices | null;
  /** Attempts to settle its winning solutions that hold the order; `null` without a debug report. */
  readonly attempts: readonly SettlementAttempt[] | null;
}

/** Outcome of an auction for an order. */
export type AuctionOutcome =
  | AuctionCause
  | "settled"
  | "settled_late"
  | "executing"
  | "won_not_settled";

/**
 * Judges the outcome of an auction for an order that it listed: settled it, in time or late; let it win without
 * a settlement; outbid it; filtered all its bids out; or got no bid for it.
 *
 * A limit is beyond the market if its order is `out_of_market` by `marketPosition`, which tables show
 * too: if it asks for more than the order's quote gives. Without a quote, it is beyond the market if it
 * asks for more native value than it gives, at the prices of the auction; without prices of both tokens,
 * it counts as fair.
 *
 * @param mayBePending Whether a win of it may still be settled: not once the order is over, or was ready
 * again since.
 */
export function judgeAuction(
  order: Order,
  { bids, deadlineBlock, fills, attempts, prices }: AuctionEvidence,
  mayBePending: boolean,
): AuctionOutcome {
  if (fills.length > 0) {
    const isLate = fills.some(({ blockNumber }) =>
      deadlineBlock !== null && blockNumber > deadlineBlock
    );
    return isLate ? "settled_late" : "settled";
  }
  if (bids.some(({ isWinner }) => isWinner)) {
    const isPending = attempts === null ||
      attempts.length === 0 || attempts.some(({ outcome }) => outcome == null);
    return isPending && mayBePending ? "executing" : "won_not_settled";
  }
  if (bids.length > 0) {
    return bids.every(({ filteredOut }) => filteredOut) ? "bids_unfair" : "outbid";
  }
  return judgeUnbid(order) ?? (isBeyondPrices(order, prices) ? BEYOND : FAIR);
}

const BEYOND = "no_bid_limit_beyond_market";
const FAIR = "no_bid_at_a_fair_limit";

/** Whether nobody bid on the order, by the outcome of an auction or the cause of a verdict. */
export function isUnbid(outcome: string): outcome is typeof BEYOND | typeof FAIR {
  return outcome === BEYOND || outcome === FAIR;
}

/** Judges by its quote an order that nobody bid on; `null` without one, where prices of the auction tell. */
export function judgeUnbid(order: Order): typeof BEYOND | typeof FAIR | null {
  const { position, basis } = marketPosition(order, order.quote);
  if (basis === "no_quote") return null;
  return position === "out_of_market" ? BEYOND : FAIR;
}

function isBeyondPrices(order: Order, prices: LimitPrices | null): boolean {
  if (prices === null || order.sellAmount === 0n) return false;
  const overLimit = marketOverLimitBps(order, prices);
  return !isNotComputable(overLimit) && overLimit.numerator < 0n;
}

/**
 * The reason that funds are shown for a block: the service had left the order out for lack of them by an event, or
 * as dust; its validity ended while it was left out; it is the latest block.
 */
export type FundsMomentName =
  | "first_invalid"
  | "last_invalid"
  | "last_filtered"
  | "expiry"
  | "now";

/**
 * Funds of the owner in the state of one block, against what the order needs. The owner of an EthFlow
 * order is the EthFlow contract, which holds the funds of all its orders together.
 */
export interface ReportedFunds extends Omit<Funding, "blockHash" | "usableAtoms"> {
  /** The moment that selects this block: the last one at that moment or before it. */
  readonly moment: FundsMomentName;
  /**
   * Amount that the service requires of both, in atoms of the sell token: the whole amount with its signed fee;
   * 1 for an order that can be filled in parts.
   */
  readonly neededAtoms: bigint;
  /** Amount left to sell with its signed fee, in atoms of the sell token, rounded down. */
  readonly remainingAtoms: bigint;
  /** Amount that the balances lack, in atoms; `0n` if nothing. */
  readonly missingBalanceAtoms: bigint;
  /** Amount that the allowance lacks, in atoms; `0n` if nothing. */
  readonly missingAllowanceAtoms: bigint;
  /** Whether the service leaves the order out without them; it does not if a contract signed it. */
  readonly isChecked: boolean;
}

/** State of an order in the settlement contract at the latest block. */
export interface ReportedState extends Omit<OrderAt, "blockHash" | "uid"> {}

/** The placement of an EthFlow order on the chain. */
export interface ReportedPlacement {
  /** Transaction. */
  readonly txHash: string;
  /** Its block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** Account that placed it. */
  readonly sender: string;
  /** Amount paid into the EthFlow contract, in native atoms: the sell amount and the signed fee. */
  readonly nativeAtoms: bigint;
  /** Quote that it names; `null` if it names none. */
  readonly quoteId: bigint | null;
  /** Expiry that was set, in unix seconds; `null` if none. */
  readonly userValidTo: number | null;
}

/** The refund of an EthFlow order on the chain. */
export interface ReportedRefund {
  /** Transaction. */
  readonly txHash: string;
  /** Its block. */
  readonly block: number;
  /** Timestamp of the block. */
  readonly at: Temporal.Instant;
  /** `OrderRefund` after its expiry, `OrderInvalidation` where the trader cancelled it before. */
  readonly event: "OrderRefund" | "OrderInvalidation";
  /** Account that requested it: mostly a service, after the expiry; `null` if unknown. */
  readonly refunder: string | null;
  /** Whether that was the trader; `null` if unknown. */
  readonly isByTrader: boolean | null;
  /**
   * Amount that the trader got back, in native atoms, computed by the contract's formula from what the service
   * reports as filled; `null` if that is more than the order.
   */
  readonly nativeAtoms: bigint | null;
}

/**
 * State of a part of a TWAP: its status as the service reports it; or, if the service does not
 * have it, that its time has not begun, is now, or has passed; `unread` if the answer failed.
 */
export type TwapPartState =
  | Order["status"]
  | "not_due"
  | "not_posted_yet"
  | "never_posted"
  | "unread";

/** One part of a TWAP. */
export interface ReportedTwapPart {
  /** Number of the part, from 1. */
  readonly part: number;
  /** UID of its order. */
  readonly uid: string;
  /** Earliest time at which it can be posted. */
  readonly validFrom: Temporal.Instant;
  /** Its last second. */
  readonly validTo: Temporal.Instant;
  /** Its state. */
  readonly state: TwapPartState;
}

/** A TWAP, or another order from which a contract generates orders. */
export interface ReportedProgrammaticOrder {
  /** Its id in ComposableCoW, 32 bytes. */
  readonly id: string;
  /** Owner of the orders that it generates. */
  readonly owner: string;
  /** Account that the owner acts for, if it is the proxy of the account that was requested; otherwise `null`. */
  readonly trader: string | null;
  /** The contract that generates its orders. */
  readonly handler: string;
  /** Transaction that created it; `null` if it is known from the signature of a part. */
  readonly txHash: string | null;
  /** Block of the transaction; `null` without one. */
  readonly block: number | null;
  /** Whether its owner still allows it; `null` if no node tells. */
  readonly isAllowed: boolean | null;
  /** Terms of a TWAP, with the start that applies; `null` for other handlers. */
  readonly terms: TwapTerms | null;
  /** The reason that the contract refuses the terms; `null` if it does not. */
  readonly fault: TwapFault | null;
  /** Parts of a TWAP, first to last; of many the last 500 that have begun. */
  readonly parts: readonly ReportedTwapPart[];
  /** Its state, as one sentence. */
  readonly sentence: string;
}
