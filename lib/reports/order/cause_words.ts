import type { AuctionOutcome } from "./judge_auction.ts";
import type { OrderCause } from "./verdicts.ts";

/** What an auction did with an order, as the end of a sentence. */
export const AUCTION_WORDS: Readonly<Record<AuctionOutcome, string>> = {
  settled: "settled it",
  settled_late: "settled it after the deadline",
  executing: "won, and is being settled",
  won_not_settled: "won, and was not settled",
  bids_unfair: "every bid on it was filtered out as unfair",
  outbid: "its bids did not win",
  no_bid_limit_beyond_market: "nobody bid, and its limit was beyond the market",
  no_bid_at_a_fair_limit: "nobody bid, although its limit was within the market",
};

/** The same as a whole clause. */
export function auctionClause(outcome: AuctionOutcome): string {
  const words = AUCTION_WORDS[outcome];
  return /^(won|settled)/.test(words) ? `a solution with it ${words}` : words;
}

/** Reasons of events in plain words, as the end of a sentence. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  banned_user: "because its owner is banned",
  invalid_signature: "because its signature is not valid",
  unsupported_token: "because one of its tokens is not supported",
  insufficient_balance: "for lack of balance or allowance",
  in_flight: "with a settlement of it pending",
  dust_order: "because it is too small",
  missing_native_price: "because one of its tokens has no native price",
};

/** A reason of an event, as the end of a sentence. */
export function forReason(reason: string | null): string {
  if (reason === null) return "for a reason that is not stored";
  return REASON_WORDS[reason] ?? `because of ${reason.replaceAll("_", " ")}`;
}

/** Causes in a list of those that fit. */
export const CAUSE_NAMES: Readonly<Record<OrderCause, string>> = {
  unknown_here: "not at this deployment",
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
  invalid: "not possible to settle, as with too little balance",
  filtered: "left out by the protocol",
  won_not_settled: "won but not settled",
  executing: "being settled",
  bids_unfair: "only unfair bids",
  outbid: "outbid",
  no_bid_limit_beyond_market: "no bid, with a limit beyond the market",
  no_bid_at_a_fair_limit: "no bid, with a limit within the market",
  ready_in_no_stored_auction: "only in auctions without any bid",
  never_in_an_auction: "never in an auction",
  evidence_gone: "events that are deleted",
  unknown: "unknown",
};
