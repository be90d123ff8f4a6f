import { type FilledAmounts, readFilled } from "../../metrics/orders/lifecycle_facts.ts";
import { isClosedStatus, type Order } from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import { formatInstant, formatPercent, ratio } from "../../units/mod.ts";
import {
  classifyCancellation,
  formatAuctionClause,
  formatLimitClause,
  formatReason,
} from "./also_happened.ts";
import {
  CONSIDERED,
  type Judgement,
  LAST_AUCTION_CAUSES,
  type OrderFindings,
  selectSinceLastFill,
} from "./judge_order.ts";
import { formatDepositClause } from "./ethflow_deposit.ts";
import { isShort } from "./order_funds.ts";
import { findPendingWin, formatPendingWin, type ReportedFill } from "./order_report.ts";
import {
  type AuctionOutcome,
  judgeUnbid,
  type OrderCause,
  type ReportedFunds,
} from "./verdicts.ts";

/** Facts in the sentence of a verdict. */
type SentenceFacts =
  & Pick<
    OrderFindings,
    "judgement" | "fills" | "replacedBy" | "funds" | "deposit"
  >
  & {
    /** The order; `null` if it is unknown here. */
    readonly order: Order | null;
    /** Its life, with the events of a debug report. @default {without events} */
    readonly life?: Pick<OrderFindings["life"], "events">;
    /** Auctions that were looked at. @default {none} */
    readonly evidence?: Partial<Pick<OrderFindings["evidence"], "walked" | "isTimed">>;
    /** Its auctions. @default {none} */
    readonly auctions?: OrderFindings["auctions"];
  };

/** Facts in a clause of the sentence. */
type ClauseFacts = Pick<
  SentenceFacts,
  "judgement" | "funds" | "life" | "evidence" | "auctions"
>;

/** The verdict as one sentence with its full stop, and who has the deposit of an EthFlow order. */
export function formatSentence(facts: SentenceFacts): string {
  const { order, deposit } = facts;
  const clause = order === null ? "" : formatDepositClause(deposit, order);
  const sentence = formatOutlook(facts);
  return clause === "" ? sentence : `${sentence.slice(0, -1)}${clause}.`;
}

/** The verdict, and that an order that is over may still be settled, where the verdict does not say it. */
function formatOutlook(facts: SentenceFacts): string {
  const { order, judgement: { cause, outlook } } = facts;
  const sentence = formatVerdict(facts);
  const isSaid = cause === "executing" || cause === "executed_not_indexed";
  const isOver = order !== null && isClosedStatus(order.status);
  if (!isOver || isSaid) return sentence;
  const addition = outlook?.mayStillSettle === true
    ? "; a settlement from before its end may still fill it"
    : outlook?.basis === "in_flight"
    ? `; ${formatUnseen(facts.auctions)}`
    : "";
  return sentence.replace(/\.$/, `${addition}.`);
}

/** Says until when a pending settlement can have been mined after responses that have no time. */
function formatUnseen(auctions: SentenceFacts["auctions"] = []): string {
  return `${formatPendingWin(findPendingWin(auctions))}, which the responses do not show`;
}

function formatVerdict(facts: SentenceFacts): string {
  const { order, judgement, fills, replacedBy } = facts;
  const events = facts.life?.events ?? null;
  if (order === null) {
    return "This deployment does not have the order. It may be on another one: a UID names neither its network nor its environment.";
  }
  const isPartly = fills.length > 0 || readFilled(order)[0] > 0n;
  const partly = order.status !== "fulfilled" && isPartly
    ? ` with ${formatFilledShare(order)} filled`
    : "";
  const filledText = isPartly ? partly : " with nothing filled";
  switch (judgement.cause) {
    case "filled":
      return `Filled${fills.length === 0 ? UNSEEN_TRANSACTION : formatFills(fills)}${
        DESPITE[classifyCancellation(order, events)]
      }.`;
    case "filled_late":
      return `Filled${formatFills(fills)}, ${
        pluralize(fills.at(-1)?.blocksLate ?? 0, "block")
      } after the deadline of its auction${DESPITE[classifyCancellation(order, events)]}.`;
    case "jit_liquidity":
      return "Settled outside the auction's list of orders: a solver added it as liquidity.";
    case "jit_capturing":
      return "Settled outside the auction's list of orders: a solver added it, and its owner captures surplus.";
    case "cancelled":
      return `Cancelled${formatAfterAuctions(judgement)}${filledText}.`;
    case "replaced":
      return `Cancelled${filledText}: order ${shortenUid(replacedBy)} replaced it.`;
    case "refunded":
      return `Refunded${partly}.`;
    case "placement_failed":
      return `Not placed: the service rejected this on-chain order with ${judgement.reason}.`;
    case "unknown":
      return formatUnknownCause(order, partly, facts);
    case "presignature_missing":
      if (order.status === "presignaturePending") {
        return "Waiting: its pre-signature is not on the chain.";
      }
  }
  return `${formatStatus(order)}${partly}: ${formatPendingClause(order, facts)}.`;
}

/** The sentence of an order with several possible causes: what is known of it, and what no response shows. */
function formatUnknownCause(
  order: Order,
  partly: string,
  facts: ClauseFacts,
): string {
  const { judgement, evidence } = facts;
  const { possible } = judgement;
  if (possible.includes("jit_liquidity")) {
    return "Settled outside the auction's list of orders: a solver added it, and whether its owner captures surplus is not known.";
  }
  const start = `${formatStatus(order)}${partly}`;
  if (possible.includes("auction_running")) {
    return evidence?.walked?.isWhole === true
      ? `${start}: none of its auctions is visible: they may still be running, or nobody bid in them${
        evidence.isTimed === false ? ", or they were not recorded" : ""
      }.`
      : `${start}: its first auction is still running, or is just over without a win.`;
  }
  const recent = selectSinceLastFill(judgement.outcomes);
  const earlier = listOutcomes(recent, order);
  if (possible.every((cause) => CONSIDERED.has(cause))) {
    return `${start}: no bid on it won in the latest auction${earlier}.`;
  }
  const last = recent.at(-1) as OrderCause | undefined;
  const isOpen = order.status === "open";
  // It was ready in its last auction.
  if (possible.every((cause) => LAST_AUCTION_CAUSES.includes(cause))) {
    if (last === undefined) {
      const verb = isOpen ? "is" : "was";
      const limit = judgeUnbid(order) === "no_bid_limit_beyond_market"
        ? "; its quote did not meet its limit after network costs"
        : "";
      return `${start}: it ${verb} in auctions, and no response shows whether anybody bid on it${limit}.`;
    }
    const read = { ...judgement, cause: last };
    const clause = formatPendingClause(order, { ...facts, judgement: read });
    return `${start}: ${clause}; its last auctions are not known.`;
  }
  if (!possible.includes("never_in_an_auction")) {
    const verb = isOpen ? "leaves it out of auctions" : "left it out of auctions in the end";
    return `${start}: the service ${verb}, and no response shows why: it may be ${
      listReasons(possible, judgement.outcomes.length > 0)
    }${earlier}.`;
  }
  const object = partly === "" ? "it" : "the rest";
  return `${start}; the responses do not show what ${
    isOpen ? "keeps" : "kept"
  } ${object} from being filled${earlier}.`;
}

/** Possible reasons for which an order is left out of auctions, as the end of a sentence. */
const LEFT_OUT_WORDS: Partial<Record<OrderCause, string>> = {
  presignature_missing: "a missing pre-signature",
  invalid: "too little balance or allowance",
  filtered: "a token without a native price",
  executing: "a settlement of it that is pending",
  won_not_settled: "a settlement of it that failed",
};

/** Lists the reasons; an order that an auction had was signed then. */
function listReasons(possible: readonly OrderCause[], wasListed: boolean): string {
  const reasons = possible.flatMap((cause) =>
    wasListed && cause === "presignature_missing"
      ? "a pre-signature that was taken back"
      : LEFT_OUT_WORDS[cause] ?? []
  );
  return `${reasons.slice(0, -1).join(", ")}, or ${reasons.at(-1)}`;
}

const MIN_SHARE = ratio(1n, 1_000n);

/**
 * The filled part of an order, rounded half to even; never as all of it, or nothing, where it is not. A dash for
 * an order of nothing.
 */
export function formatFilledShare(order: FilledAmounts): string {
  const [filled, total] = readFilled(order);
  if (total === 0n) return "–";
  if (filled > 0n && filled * MIN_SHARE.denominator < total * MIN_SHARE.numerator) {
    return "less than 0.1%";
  }
  const share = ratio(filled, total);
  const text = formatPercent(share, { digits: 1, rounding: "halfEven" });
  const isAll = filled >= total;
  return text === "100.0%" && !isAll
    ? formatPercent(share, { digits: 1, rounding: "floor" })
    : text;
}

function formatStatus({ status }: Order): string {
  return `${status.charAt(0).toUpperCase()}${status.slice(1)}`;
}

/** Says that the fills of an order are known by its amounts alone, as the end of a clause. */
export const UNSEEN_TRANSACTION = ", in a transaction that no response shows";

/** That a filled order was cancelled too, as the end of a sentence. */
const DESPITE = {
  never: "",
  before: ", although it was cancelled before",
  during: ", although it was cancelled while an auction with it was under way",
  after: ", and cancelled later",
  sometime: ", although it was also cancelled",
} as const;

/** The service stores no auction in which nobody bid on anything, so that there may have been more. */
function formatAfterAuctions({ outcomes }: Judgement): string {
  return outcomes.length === 0 ? "" : ` after at least ${pluralize(outcomes.length, "auction")}`;
}

/** A UID by its ends. */
export function shortenUid(uid: string | null): string {
  return uid === null ? "" : `${uid.slice(0, 10)}…${uid.slice(-6)}`;
}

function formatFills(fills: readonly ReportedFill[]): string {
  const last = fills.at(-1);
  if (last === undefined) return "";
  const solver = last.solver === null ? "" : ` by ${last.solverName ?? last.solver}`;
  if (fills.length === 1) return ` in block ${last.blockNumber}${solver}`;
  return ` in ${fills.length} parts, the last in block ${last.blockNumber}${solver}`;
}

/** The reason that an order is open or expired, as the second half of a sentence after a colon. */
function formatPendingClause(
  order: Order,
  facts: ClauseFacts,
): string {
  const { cause, outcomes } = facts.judgement;
  // One of its wins is the execution, and nothing tells which.
  const otherOutcomes = cause === "executed_not_indexed"
    ? []
    : selectSinceLastFill(outcomes).filter((outcome) => outcome !== cause);
  return `${formatMainClause(order, facts)}${listOutcomes(otherOutcomes, order)}`;
}

/** Words for a win that may still be settled, by the status of its order. */
const SETTLING_WORDS: Readonly<Record<string, string>> = {
  open: "a winning solution with it is being settled",
  expired: "a winning solution with it may have been settled in its last seconds",
  cancelled: "a winning solution with it may still be settled",
};

/** Names the running auction: the first one, or one after others. */
function nameAuction(outcomes: readonly AuctionOutcome[], life: SentenceFacts["life"]): string {
  const readyCount = life?.events?.filter(({ label }) => label === "ready").length ?? 1;
  return outcomes.length === 0 && readyCount === 1 ? "its first auction" : "an auction with it";
}

function formatMainClause(
  order: Order,
  { judgement, funds, life, evidence, auctions }: ClauseFacts,
): string {
  const { cause, reason, outcomes, outlook } = judgement;
  const isOpen = order.status === "open";
  const auctionsText = formatAuctionCounts(
    cause as AuctionOutcome,
    judgement,
    evidence?.walked == null ? " that are known" : " that were read",
  );
  switch (cause) {
    case "presignature_missing":
      return `its pre-signature ${isOpen ? "is" : "was"} not on the chain`;
    case "not_valid_yet":
      return reason === "fast_path"
        ? "until it is valid in auctions, only the solver that quoted it may settle it"
        : "it is not valid yet";
    case "invalid":
      return formatLack(reason, funds) ??
        `${readFilled(order)[0] > 0n ? "the rest" : "it"} ${
          isOpen ? "cannot" : "could not"
        } be settled ${formatReason(reason)}`;
    case "filtered":
      return `the protocol ${isOpen ? "leaves" : "left"} it out of auctions ${
        formatReason(reason)
      }`;
    case "executing":
      if (outlook?.mayStillSettle === null) return formatUnseen(auctions);
      return SETTLING_WORDS[String(order.status)] ?? SETTLING_WORDS.open!;
    case "executed_not_indexed":
      return outlook?.mayStillSettle === null
        ? "the service recorded that it was executed, but lists no trade of it"
        : "it was executed, and its trade is not indexed yet";
    case "auction_running":
      return `${nameAuction(outcomes, life)} is still running`;
    case "won_not_settled":
      return `a solution with it won ${auctionsText.of}, and was not settled`;
    case "bids_unfair":
      return `every bid on it was filtered out as unfair in ${auctionsText.of}`;
    case "outbid":
      return `no bid on it won in ${auctionsText.any}`;
    case "no_bid_limit_beyond_market":
    case "no_bid_at_a_fair_limit":
      return `nobody bid on it in ${auctionsText.any}${formatLimitClause(cause, order)}`;
    case "ready_in_no_stored_auction":
      return `it went to solvers${
        outcomes.length === 0 ? "" : " after its last fill"
      }, but the service stored no such auction: it stores ${
        isOpen
          ? "one once it is decided, if anybody bid on anything"
          : "none in which nobody bid on anything"
      }`;
    case "never_in_an_auction": {
      const yet = isOpen ? " yet" : "";
      return `it was in no ${outcomes.length === 0 ? "" : "further "}auction${yet}`;
    }
    default:
      return `the service has no events of it, so ${
        isOpen ? "what keeps it from being filled" : "the reason"
      } is unknown`;
  }
}

/** Names the auctions with this outcome, after "in all" and after "not in any". */
function formatAuctionCounts(
  cause: AuctionOutcome,
  { outcomes, areAuctionsComplete }: Judgement,
  partScope: string,
): { readonly of: string; readonly any: string } {
  const recent = selectSinceLastFill(outcomes);
  const isFilled = recent.length < outcomes.length;
  const same = recent.filter((outcome) => outcome === cause).length;
  const suffix = isFilled ? " after its last fill" : "";
  const scope = areAuctionsComplete ? "" : partScope;
  // The service stores no auction in which nobody bid on anything.
  const storedWord = scope === "" ? "stored " : "";
  if (recent.length === 0) return { of: `an auction${suffix}`, any: `an auction${suffix}` };
  if (recent.length === 1) {
    const only = `${isFilled ? "the" : "its"} only ${storedWord}auction${
      scope.replace("were", "was").replace("are", "is")
    }${suffix}`;
    return { of: only, any: only };
  }
  const determiner = isFilled ? "" : "its ";
  const auctions = `${determiner}${recent.length} ${storedWord}auctions${scope}${suffix}`;
  if (same === recent.length) return { of: `all of ${auctions}`, any: `any of ${auctions}` };
  const isLast = recent.at(-1) === cause;
  const mostText = same === 1 && isLast
    ? `the last of ${auctions}`
    : `${same} of ${auctions}${isLast ? ", the last among them" : ""}`;
  return { of: mostText, any: mostText };
}

/** Lists what auctions did with an order: `; in 2 auctions before, no bid on it won`. */
function listOutcomes(outcomes: readonly AuctionOutcome[], order: Order): string {
  const counts = Map.groupBy(outcomes, (outcome) => outcome);
  return [...counts].map(([outcome, { length: count }]) =>
    `; in ${pluralize(count, "auction")} before, ${formatAuctionClause(outcome, order)}`
  ).join("");
}

/**
 * Allowances from this on are meant to have no limit: no token has so many atoms, and one that was
 * unlimited shrinks with what is spent.
 */
export const UNLIMITED_FROM: bigint = 2n ** 128n;

/** Moments in the past, by how much they say about why an order was left out last. */
const PAST = ["last_invalid", "first_invalid", "expiry"] as const;

/** Writes an amount of the sell token; without its unit where another one with it follows. */
export type WriteFunds = (atoms: bigint, hasUnit: boolean) => string;

const writeAtoms: WriteFunds = (atoms, hasUnit) => hasUnit ? pluralize(atoms, "atom") : `${atoms}`;

/**
 * Formats the shortage when the service left an order out, as the end of a sentence; `null` if nothing is
 * known to have been, or the reason is another one.
 *
 * @param reason Reason of the event; `null` if it is not stored.
 * @param funds What its owner has and had.
 * @param write Writes amounts. @default {in atoms}
 */
export function formatLack(
  reason: string | null,
  funds: readonly ReportedFunds[],
  write: WriteFunds = writeAtoms,
): string | null {
  if (reason !== null && reason !== "insufficient_balance") return null;
  const findMoment = (moment: ReportedFunds["moment"]) =>
    funds.find((entry) => entry.moment === moment);
  const now = findMoment("now");
  const past = PAST.map(findMoment).find((entry) => entry !== undefined && isShort(entry));
  if (past === undefined) {
    return now !== undefined && isShort(now) ? formatFundsClause(now, write) : null;
  }
  return `${formatFundsClause(past, write)}${now === undefined ? "" : formatNowClause(now, write)}`;
}

/** Formats the owner's funds in a block, as a sentence without a full stop. */
export function formatFunds(funds: ReportedFunds, write: WriteFunds = writeAtoms): string {
  const { block } = funds;
  if (isShort(funds)) return `Funds in block ${block}: its owner ${formatMissing(funds, write)}`;
  const { allowanceAtoms } = funds;
  const allowanceText = allowanceAtoms >= UNLIMITED_FROM
    ? "an unlimited allowance"
    : `an allowance of ${write(allowanceAtoms, true)}`;
  const heldText = `a balance of ${formatHeld(funds, write)} and ${allowanceText}`;
  return `Funds in block ${block}: ${heldText}, enough for ${formatNeeded(funds, write)}`;
}

function formatNowClause(now: ReportedFunds, write: WriteFunds): string {
  if (isShort(now)) return `; now, ${formatFundsClause(now, write).replace("its owner", "it")}`;
  return `; in block ${now.block}, the latest one, nothing is missing`;
}

function formatFundsClause(funds: ReportedFunds, write: WriteFunds): string {
  const { moment, block, at: readAt } = funds;
  const blockText = `in block ${block} (${formatInstant(readAt)})`;
  return moment === "now"
    ? `its owner ${formatMissing(funds, write)}, ${blockText}`
    : `${blockText} its owner ${formatMissing(funds, write)}`;
}

function formatMissing(funds: ReportedFunds, write: WriteFunds): string {
  const { moment, missingBalanceAtoms, missingAllowanceAtoms } = funds;
  const isNow = moment === "now";
  const balance = missingBalanceAtoms === 0n ? [] : [
    `${isNow ? "has" : "had"} too little of the sell token: ` +
    `${formatHeld(funds, write)} of ${formatNeeded(funds, write)}, ` +
    `${write(missingBalanceAtoms, false)} missing`,
  ];
  const allowance = missingAllowanceAtoms === 0n ? [] : [formatAllowanceLack(funds, isNow, write)];
  return [...balance, ...allowance].join("; and ");
}

function formatAllowanceLack(funds: ReportedFunds, isNow: boolean, write: WriteFunds): string {
  const { allowanceAtoms, missingAllowanceAtoms, isRelayerApproved } = funds;
  const { spender, relayer } = funds;
  if (isRelayerApproved === false) {
    return `${isNow ? "has" : "had"} not approved the relayer ${relayer} in the vault ${spender}`;
  }
  return `${isNow ? "allows" : "allowed"} ${spender} to take too little of the sell token: ` +
    `${write(allowanceAtoms, false)} of ${formatNeeded(funds, write)}, ` +
    `${write(missingAllowanceAtoms, false)} missing`;
}

/** Of an order that can be filled in parts, the service requires one atom of what is left. */
function formatNeeded({ neededAtoms, remainingAtoms }: ReportedFunds, write: WriteFunds): string {
  return neededAtoms === 1n && remainingAtoms > 1n
    ? `the 1 atom required of ${write(remainingAtoms, false)} left to sell`
    : write(neededAtoms, true);
}

function formatHeld({ balanceAtoms, nativeAtoms }: ReportedFunds, write: WriteFunds): string {
  return nativeAtoms === 0n
    ? write(balanceAtoms, false)
    : `${write(balanceAtoms + nativeAtoms, false)}, with ${
      write(nativeAtoms, false)
    } of it still native,`;
}
