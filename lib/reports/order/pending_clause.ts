import type { Order } from "../../schemas/mod.ts";
import { forReason } from "./cause_words.ts";
import type { AuctionOutcome } from "./judge_auction.ts";
import type { Judgement } from "./judge_order.ts";
import type { ReportedFunds } from "./order_report.ts";

/** What the clause depends on. */
export interface PendingFacts {
  /** What decided. */
  readonly judgement: Judgement;
  /** What its owner has; `null` if unknown. */
  readonly funds: ReportedFunds | null;
}

/** Why an order is open or expired, as the second half of a sentence after a colon. */
export function pendingClause(order: Order, { judgement, funds }: PendingFacts): string {
  const { cause, reason, outcomes } = judgement;
  const isOpen = order.status === "open";
  const counted = auctionCount(cause as AuctionOutcome, outcomes);
  switch (cause) {
    case "presignature_missing":
      return `its pre-signature ${isOpen ? "is" : "was"} not on the chain`;
    case "not_valid_yet":
      return "it is not valid yet";
    case "invalid":
      return funds === null
        ? `it ${isOpen ? "cannot" : "could not"} be settled ${forReason(reason)}`
        : lacking(funds);
    case "filtered":
      return `the protocol ${isOpen ? "leaves" : "left"} it out of auctions ${forReason(reason)}`;
    case "executing":
      return "a winning solution with it is being settled";
    case "won_not_settled":
      return `a solution with it won ${counted.of}, and was not settled`;
    case "bids_unfair":
      return `every bid on it was filtered out as unfair in ${counted.of}`;
    case "outbid":
      return `its bids did not win in ${counted.any}`;
    case "no_bid_limit_beyond_market":
      return `nobody bid on it in ${counted.any}, and its limit was beyond the market`;
    case "no_bid_at_a_fair_limit":
      return `nobody bid on it in ${counted.any}, although its limit was within the market`;
    case "ready_in_no_stored_auction":
      return "it was ready, but the service kept none of its auctions, in which nobody bid on anything";
    case "never_in_an_auction":
      return outcomes.length === 0 ? "it was in no auction" : "it was in no further auction";
    default:
      return "the service has deleted its events, so that nothing shows why";
  }
}

/** Which auctions it was so in, after "in all" and after "not in any". */
function auctionCount(
  cause: AuctionOutcome,
  outcomes: readonly AuctionOutcome[],
): { readonly of: string; readonly any: string } {
  const filled = outcomes.findLastIndex((each) => each === "settled" || each === "settled_late");
  const since = outcomes.slice(filled + 1);
  const same = since.filter((each) => each === cause).length;
  const after = filled === -1 ? "" : " after its last fill";
  if (since.length <= 1) {
    const only = filled === -1 ? "its only auction" : `the only auction${after}`;
    return { of: only, any: only };
  }
  const whose = filled === -1 ? `its ${since.length} auctions` : `${since.length} auctions${after}`;
  if (same === since.length) return { of: `all of ${whose}`, any: `any of ${whose}` };
  const before = same === 1 ? "" : ` and ${same - 1} before it`;
  return { of: `the last of ${whose}${before}`, any: `the last of ${whose}${before}` };
}

function lacking({ balanceAtoms, allowanceAtoms, neededAtoms }: ReportedFunds): string {
  return balanceAtoms < neededAtoms
    ? `its owner has too little of the sell token: ${balanceAtoms} of ${neededAtoms} atoms`
    : `its owner allows too little of the sell token to be taken: ${allowanceAtoms} of ${neededAtoms} atoms`;
}
