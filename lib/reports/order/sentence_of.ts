import { formatPercent, ratio } from "../../units/mod.ts";
import type { Order } from "../../schemas/mod.ts";
import { filledOf } from "../../metrics/orders/state_in_words.ts";
import { CAUSE_WORDS, reasonInWords } from "./cause_words.ts";
import type { AuctionOutcome } from "./judge_auction.ts";
import type { Judgement } from "./judge_order.ts";
import type { ReportedFill } from "./order_report.ts";

/** What the sentence of a verdict says. */
export interface SentenceFacts {
  /** The order; `null` if it is unknown here. */
  readonly order: Order | null;
  /** What decided. */
  readonly judgement: Judgement;
  /** Its fills. */
  readonly fills: readonly ReportedFill[];
  /** UID of the order that replaced it. */
  readonly replacedBy: string | null;
}

/** The verdict as one sentence with its full stop. */
export function sentenceOf({ order, judgement, fills, replacedBy }: SentenceFacts): string {
  if (order === null) {
    return "This deployment does not have the order: a UID names neither its network nor its environment.";
  }
  const { cause } = judgement;
  const partly = order.status !== "fulfilled" && fills.length > 0
    ? `, after ${filledShare(order)} of it was filled`
    : "";
  switch (cause) {
    case "filled":
      return `Filled${howFilled(fills)}.`;
    case "filled_late":
      return `Filled${howFilled(fills)}, ${
        blocks(fills.at(-1)?.blocksLate ?? 0)
      } after the deadline of its auction.`;
    case "jit_liquidity":
    case "jit_capturing":
      return `Settled outside the auction's list of orders: ${CAUSE_WORDS[cause]}.`;
    case "cancelled":
      return `Cancelled${partly}.`;
    case "replaced":
      return `Cancelled${partly}, because order ${replacedBy} replaced it.`;
    case "refunded":
      return `Refunded${partly}: its funds were returned on the chain.`;
    case "placement_failed":
      return `Not placed: the service refused the order of the chain with ${judgement.reason}.`;
    default:
      return `${statusWord(order)}${partly}${why(judgement)}.`;
  }
}

function filledShare(order: Order): string {
  const [filled, whole] = filledOf(order);
  return formatPercent(ratio(filled, whole), { digits: 1, rounding: "floor" });
}

function statusWord({ status }: Order): string {
  if (status === "presignaturePending") return "Waiting";
  return `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
}

function howFilled(fills: readonly ReportedFill[]): string {
  const last = fills.at(-1);
  if (last === undefined) return "";
  const by = last.solver === null ? "" : ` by ${last.solverName ?? last.solver}`;
  if (fills.length === 1) return ` in block ${last.blockNumber}${by}`;
  return ` in ${fills.length} parts, the last in block ${last.blockNumber}${by}`;
}

function why({ cause, reason, possible, outcomes }: Judgement): string {
  if (cause === "unknown") {
    const options = possible.map((each) => each.replaceAll("_", " "));
    return `, and the answers do not show why: ${options.join(", or ")}`;
  }
  const detail = cause === "invalid" || cause === "filtered" ? `: ${reasonInWords(reason)}` : "";
  return ` because ${CAUSE_WORDS[cause]}${detail}${counted(cause as AuctionOutcome, outcomes)}`;
}

/** In how many auctions it was so; nothing where there was no auction. */
function counted(cause: AuctionOutcome, outcomes: readonly AuctionOutcome[]): string {
  const same = outcomes.filter((outcome) => outcome === cause).length;
  if (same === 0) return "";
  if (same === outcomes.length) return same === 1 ? ", in 1 auction" : `, in all ${same} auctions`;
  return `, in the last and in ${same} of ${outcomes.length} auctions in all`;
}

function blocks(count: number): string {
  return count === 1 ? "1 block" : `${count} blocks`;
}
