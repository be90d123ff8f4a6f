import { formatPercent, ratio } from "../../units/mod.ts";
import type { Order, OrderEvent } from "../../schemas/mod.ts";
import { cancelledWhen } from "./also_happened.ts";
import { filledOf } from "../../metrics/orders/state_in_words.ts";
import { CAUSE_NAMES } from "./cause_words.ts";
import type { Judgement } from "./judge_order.ts";
import type { ReportedFill } from "./order_report.ts";
import type { ReportedFunds } from "./reported_chain.ts";
import { pendingClause } from "./pending_clause.ts";

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
  /** What its owner has and had, oldest first. */
  readonly funds: readonly ReportedFunds[];
  /** Its events, oldest first; `null` without a debug report. @default {null} */
  readonly events?: readonly OrderEvent[] | null;
}

/** The verdict as one sentence with its full stop. */
export function sentenceOf(facts: SentenceFacts): string {
  const { order, judgement, fills, replacedBy, events = null } = facts;
  if (order === null) {
    return "This deployment does not have the order: a UID names neither its network nor its environment.";
  }
  const partly = order.status !== "fulfilled" && fills.length > 0
    ? ` with ${filledShare(order)} filled`
    : "";
  switch (judgement.cause) {
    case "filled":
      return `Filled${howFilled(fills)}${DESPITE[cancelledWhen(order, events)]}.`;
    case "filled_late":
      return `Filled${howFilled(fills)}, ${
        blocks(fills.at(-1)?.blocksLate ?? 0)
      } after the deadline of its auction${DESPITE[cancelledWhen(order, events)]}.`;
    case "jit_liquidity":
      return "Settled outside the auction's list of orders: a solver brought it as liquidity.";
    case "jit_capturing":
      return "Settled outside the auction's list of orders: a solver brought it, and its owner captures surplus.";
    case "cancelled":
      return `Cancelled${afterAuctions(judgement)}${partly}.`;
    case "replaced":
      return `Cancelled${partly}: order ${shortUid(replacedBy)} replaced it.`;
    case "refunded":
      return `Refunded${partly}: its funds were returned on the chain.`;
    case "placement_failed":
      return `Not placed: the service refused this on-chain order with ${judgement.reason}.`;
    case "unknown":
      return unknownCause(order, partly, judgement);
    case "presignature_missing":
      if (order.status === "presignaturePending") {
        return "Waiting: its pre-signature is not on the chain.";
      }
  }
  return `${statusWord(order)}${partly}: ${pendingClause(order, facts)}.`;
}

/** Causes that a sentence names; a report lists all that fit. */
const MOST_NAMED = 4;

function unknownCause(order: Order, partly: string, { possible }: Judgement): string {
  if (possible.includes("jit_liquidity")) {
    return "Settled outside the auction's list of orders: a solver brought it, and whether its owner captures surplus is not known.";
  }
  if (possible.length > MOST_NAMED) {
    return `${
      statusWord(order)
    }${partly}; the answers do not show why: ${possible.length} causes fit.`;
  }
  const names = possible.map((each) => CAUSE_NAMES[each]);
  return `${statusWord(order)}${partly}; the answers do not show why: ${names.join("; or ")}.`;
}

const LEAST_SHARE = ratio(1n, 1_000n);

function filledShare(order: Order): string {
  const [filled, whole] = filledOf(order);
  if (filled > 0n && filled * LEAST_SHARE.denominator < whole * LEAST_SHARE.numerator) {
    return "less than 0.1%";
  }
  return formatPercent(ratio(filled, whole), { digits: 1, rounding: "floor" });
}

function statusWord({ status }: Order): string {
  return `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
}

/** That a filled order was cancelled too, as the end of a sentence. */
const DESPITE = {
  never: "",
  before: ", although it was cancelled before",
  after: ", and cancelled later",
  sometime: ", although it was also cancelled",
} as const;

function afterAuctions({ outcomes, areAuctionsComplete }: Judgement): string {
  if (outcomes.length === 0) return "";
  const count = `${areAuctionsComplete ? "" : "at least "}${outcomes.length}`;
  return ` after ${count} ${outcomes.length === 1 ? "auction" : "auctions"}`;
}

function shortUid(uid: string | null): string {
  return uid === null ? "" : `${uid.slice(0, 10)}…${uid.slice(-6)}`;
}

function howFilled(fills: readonly ReportedFill[]): string {
  const last = fills.at(-1);
  if (last === undefined) return "";
  const by = last.solver === null ? "" : ` by ${last.solverName ?? last.solver}`;
  if (fills.length === 1) return ` in block ${last.blockNumber}${by}`;
  return ` in ${fills.length} parts, the last in block ${last.blockNumber}${by}`;
}

function blocks(count: number): string {
  return count === 1 ? "1 block" : `${count} blocks`;
}
