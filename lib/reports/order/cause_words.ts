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
  no_bid_limit_beyond_market: "nobody bid, its limit was beyond the market",
  no_bid_at_a_fair_limit: "nobody bid, its limit was within the market",
};

/** Reasons of events in plain words. */
const REASON_WORDS: Readonly<Record<string, string>> = {
  banned_user: "its owner is banned",
  invalid_signature: "its signature is not valid",
  unsupported_token: "one of its tokens is not supported",
  insufficient_balance: "its owner has too little balance or allowance",
  in_flight: "a settlement of it was pending",
  dust_order: "it is too small",
  missing_native_price: "one of its tokens has no native price",
};

/** A reason of an event in plain words. */
export function reasonInWords(reason: string | null): string {
  if (reason === null) return "no reason is stored";
  return REASON_WORDS[reason] ?? reason.replaceAll("_", " ");
}

/** What decided, as the second half of a sentence after "because". */
export const CAUSE_WORDS: Readonly<Record<OrderCause, string>> = {
  unknown_here: "this deployment does not have it",
  jit_liquidity: "a solver brought it as liquidity",
  jit_capturing: "a solver brought it, and its owner captures surplus",
  filled: "it was filled",
  filled_late: "it was filled after the deadline of its auction",
  replaced: "another order replaced it",
  cancelled: "it was cancelled",
  refunded: "its funds were returned",
  placement_failed: "it could not be placed",
  presignature_missing: "its pre-signature is not on the chain",
  not_valid_yet: "it is not valid yet",
  invalid: "it cannot be settled",
  filtered: "the protocol left it out of auctions",
  won_not_settled: "a solution with it won, and was not settled",
  executing: "a winning solution with it is being settled",
  bids_unfair: "every bid on it was filtered out as unfair",
  outbid: "other solutions won",
  no_bid_limit_beyond_market: "nobody bid on it, and its limit was beyond the market",
  no_bid_at_a_fair_limit: "nobody bid on it, although its limit was within the market",
  ready_in_no_stored_auction:
    "it was ready, but in no auction that the service kept: no solver bid on anything in them",
  never_in_an_auction: "it was never in an auction",
  evidence_gone: "its events are deleted",
  unknown: "what is public does not show it",
};
