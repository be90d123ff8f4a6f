import type { Order } from "../../schemas/mod.ts";
import { auctionClause, forReason } from "./cause_words.ts";
import { lackClause } from "./lack_clause.ts";
import type { AuctionOutcome } from "./judge_auction.ts";
import type { Judgement } from "./judge_order.ts";
import type { OrderCause } from "./verdicts.ts";
import type { ReportedFunds } from "./reported_chain.ts";

/** What the clause depends on. */
export interface PendingFacts {
  /** What decided. */
  readonly judgement: Judgement;
  /** What its owner has and had, oldest first. */
  readonly funds: readonly ReportedFunds[];
}

/** Why an order is open or expired, as the second half of a sentence after a colon. */
export function pendingClause(order: Order, facts: PendingFacts): string {
  const { cause, outcomes } = facts.judgement;
  return `${mainClause(order, facts)}${otherAuctions(cause, sinceFilled(outcomes))}`;
}

function mainClause(order: Order, { judgement, funds }: PendingFacts): string {
  const { cause, reason, outcomes } = judgement;
  const isOpen = order.status === "open";
  const counted = auctionCount(cause as AuctionOutcome, judgement);
  switch (cause) {
    case "presignature_missing":
      return `its pre-signature ${isOpen ? "is" : "was"} not on the chain`;
    case "not_valid_yet":
      return "it is not valid yet";
    case "invalid":
      return lackClause(reason, funds) ??
        `it ${isOpen ? "cannot" : "could not"} be settled ${forReason(reason)}`;
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
  { outcomes, areAuctionsComplete }: Judgement,
): { readonly of: string; readonly any: string } {
  const since = sinceFilled(outcomes);
  const isFilled = since.length < outcomes.length;
  const same = since.filter((each) => each === cause).length;
  const after = isFilled ? " after its last fill" : "";
  const known = areAuctionsComplete ? "" : " known of it";
  if (since.length === 0) return { of: `an auction${after}`, any: `an auction${after}` };
  if (since.length === 1) {
    const only = isFilled || known !== "" ? `the only auction${known}${after}` : "its only auction";
    return { of: only, any: only };
  }
  const its = isFilled ? "" : known === "" ? "its " : "the ";
  const whose = `${its}${since.length} auctions${known}${after}`;
  if (same === since.length) return { of: `all of ${whose}`, any: `any of ${whose}` };
  const before = same === 1 ? "" : ` and ${same - 1} before it`;
  return { of: `the last of ${whose}${before}`, any: `the last of ${whose}${before}` };
}

function sinceFilled(outcomes: readonly AuctionOutcome[]): readonly AuctionOutcome[] {
  const filled = outcomes.findLastIndex((each) => each === "settled" || each === "settled_late");
  return outcomes.slice(filled + 1);
}

/** What the other auctions did, if an auction decided: `; in 2 its bids did not win`. */
function otherAuctions(cause: OrderCause, since: readonly AuctionOutcome[]): string {
  if (since.at(-1) !== cause) return "";
  const counts = new Map<AuctionOutcome, number>();
  for (const outcome of since) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  return [...counts].filter(([outcome]) => outcome !== cause)
    .map(([outcome, count]) => `; in ${count} before, ${auctionClause(outcome)}`).join("");
}
