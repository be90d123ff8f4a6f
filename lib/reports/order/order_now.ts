import { isOpenStatus, type Order } from "../../schemas/mod.ts";
import { pluralize } from "../../units/format.ts";
import { formatInstant } from "../../units/mod.ts";
import { formatReason } from "./also_happened.ts";
import { formatLack } from "./format_sentence.ts";
import { isBehind, isSettling } from "./next_steps.ts";
import { isShort } from "./order_funds.ts";
import { MAX_AUCTION_MS } from "./judge_order.ts";
import {
  findPendingWin,
  type OrderReport,
  readValidUntil,
  type ReportedAuction,
  type ReportedNow,
  toInstant,
} from "./order_report.ts";
import { isUnbid } from "./verdicts.ts";

/** Everything of a report from which its present state follows. */
type NowFacts = Omit<OrderReport, "next" | "now">;

/** Facts of an order that may still be filled. */
interface OpenFacts extends NowFacts {
  readonly order: Order;
  /** Its events that are no cancellation, oldest first; empty without a debug report. */
  readonly events: readonly { readonly label: string; readonly at: Temporal.Instant }[];
  /** The time of the responses where it is certain; `null` otherwise. */
  readonly seenAt: Temporal.Instant | null;
}

/** The state without its end. */
type State = Omit<ReportedNow, "until">;

/**
 * Describes what an order is doing as of its report, while it can still be filled; `null` once it cannot,
 * and where the responses do not show that it can.
 *
 * @param facts The report.
 * @param seenAt The time of the responses; `null` where they have none, as in a recording.
 */
export function describeNow(
  facts: NowFacts,
  seenAt: Temporal.Instant | null,
): ReportedNow | null {
  const { order, outlook, cause, timeline } = facts;
  if (order === null || outlook?.mayStillSettle !== true) return null;
  const events = timeline.flatMap(({ at: time, label, kind }) =>
    time === null || label === null || kind === "cancelled" ? [] : { label, at: time }
  );
  const isOpen = isOpenStatus(order.status);
  const state = isOpen && isBehind(order, cause, seenAt)
    ? createState("unknown", `Its validity is over, and its status is still ${order.status}`)
    : order.status === "expired" && !isSettling(cause)
    ? createState(
      "settling",
      "It has expired, and a settlement from before its end may still fill it",
    )
    : describeState({ ...facts, order, events, seenAt });
  const validFrom = order.validFrom ?? null;
  if (cause === "not_valid_yet" && validFrom !== null) {
    return { ...state, until: toInstant(validFrom) };
  }
  return { ...state, until: isOpen ? readValidUntil(order) : outlook.until };
}

function describeState(facts: OpenFacts): State {
  const { cause, reason } = facts;
  switch (cause) {
    case "executing":
      return describeSettling(facts);
    case "executed_not_indexed":
      return createState("indexing", "It was executed, and its trade is not indexed yet");
    case "presignature_missing":
      return createState("presignature_missing", "It waits for its pre-signature on the chain");
    case "not_valid_yet":
      return createState(
        "not_valid_yet",
        reason === "fast_path"
          ? "Until it is valid in auctions, only the solver that quoted it may settle it"
          : "It is not valid yet",
      );
    case "invalid":
      return describeInvalid(facts);
    case "filtered":
      return describeLeftOut(facts, ` ${formatReason(reason)}`);
    case "won_not_settled":
      // The service notes that it is in flight, and the end of its settlement only with the next auction.
      if (facts.events.at(-1)?.label !== "filtered") break;
      return describeLeftOut(facts, " with a settlement of it pending, which has failed");
    case "never_in_an_auction":
      return createState("waiting", "It waits for an auction");
    case "cancelled":
    case "replaced":
      return createState(
        "settling",
        "It is cancelled, and a settlement from before may still fill it",
      );
    case "evidence_gone":
      return createState("unknown", "It can still be filled; the service has no events of it");
    case "unknown":
      return describeByStage(facts);
  }
  return describeAuctions(facts);
}

function createState(state: ReportedNow["state"], text: string): State {
  return { state, text, since: null, untilBlock: null };
}

function describeSettling({ auctions }: OpenFacts): State {
  const win = findPendingWin(auctions);
  if (win === null || win.agent === null) {
    return createState("settling", "A winning solution with it is being settled");
  }
  const { auctionId, agent, deadlineBlock, startedAt } = win;
  const end = deadlineBlock === null
    ? "settles it"
    : `has until block ${deadlineBlock} to settle it`;
  const start = startedAt === null ? "" : `; it began at ${formatSecond(startedAt)}`;
  return {
    state: "settling",
    text: `Solver ${agent} won auction ${auctionId} with it, and ${end}${start}`,
    since: startedAt,
    untilBlock: deadlineBlock,
  };
}

/** The state of an order that is left out of auctions, since the first of the latest events that say so. */
function describeLeftOut({ events }: OpenFacts, reasonText: string): State {
  const last = events.at(-1);
  const lastOther = events.findLastIndex(({ label }) => label !== last?.label);
  const startedAt = events[lastOther + 1]?.at ?? null;
  const verb = startedAt === null ? "leaves" : "has left";
  const text = `The service ${verb} it out of auctions${formatSince(startedAt)}${reasonText}`;
  return { ...createState("left_out", text), since: startedAt };
}

/** Says that funds are missing, which the verdict has in detail, or that nothing is missing any more. */
function describeInvalid(facts: OpenFacts): State {
  const { reason, funds } = facts;
  if (funds !== null && formatLack(reason, [funds]) !== null) {
    return describeLeftOut(facts, ` ${formatReason("insufficient_balance")}`);
  }
  const isBack = funds !== null && !isShort(funds) && reason === "insufficient_balance";
  const backText = isBack ? `; in block ${funds.block}, the latest one, nothing is missing` : "";
  return describeLeftOut(facts, ` ${formatReason(reason)}${backText}`);
}

function formatSince(startedAt: Temporal.Instant | null): string {
  return startedAt === null ? "" : ` since ${formatSecond(startedAt)}`;
}

/** A time to the second, rounded down; the state has all digits. */
function formatSecond(time: Temporal.Instant): string {
  return formatInstant(time.round({ smallestUnit: "second", roundingMode: "floor" }));
}

/** The auctions of an order since its last fill, and whether one runs. */
function describeAuctions(facts: OpenFacts): State {
  const { auctions, events, seenAt, cause, timeline, evidence } = facts;
  const lastFill = auctions.findLastIndex(({ outcome }) => outcome.startsWith("settled"));
  const recent = auctions.slice(lastFill + 1);
  const scope = evidence.walked?.isWhole === false ? " that were read" : "";
  const last = events.at(-1);
  // The service stores the event once, at the first of several auctions.
  const isFirst = !timeline.some(({ kind, at }) =>
    kind === "auction" && at !== null && last !== undefined &&
    Temporal.Instant.compare(at, last.at) >= 0
  );
  const isRunning = last?.label === "ready" && seenAt !== null && isFirst &&
    Math.abs(seenAt.epochMilliseconds - last.at.epochMilliseconds) < MAX_AUCTION_MS;

  if (isRunning || cause === "auction_running") {
    const startedAt = last?.label === "ready" ? last.at : null;
    const text = startedAt === null
      ? IN_AUCTION
      : `An auction with it began at ${formatSecond(startedAt)}: it runs, or was just decided`;
    // One of those that were read may be it.
    const recentText = formatRecent(recent, scope + (lastFill === -1 ? " so far" : SINCE_FILL));
    const clause = recentText === null ? "" : `; ${recentText}`;
    return { ...createState("in_auction", `${text}${clause}`), since: startedAt };
  }
  const beforeIndex = events.findLastIndex(({ label }) => !LISTED_LABELS.has(label));
  const startedAt = events[beforeIndex + 1]?.at ?? null;
  const period = startedAt === null ? " so far" : " since it was placed";
  const clause = formatRecent(recent, scope + (lastFill === -1 ? period : SINCE_FILL)) ??
    "the service has stored none of those so far";
  const verb = startedAt === null ? "is" : "has been";
  const text = `It ${verb} ready for auctions${formatSince(startedAt)}; ${clause}`;
  return { ...createState("between_auctions", text), since: startedAt };
}

const SINCE_FILL = " since its last fill";

const IN_AUCTION = "It is in an auction that runs or was just decided";

/** Labels of events that auctions with the order have. */
const LISTED_LABELS: ReadonlySet<string> = new Set(["ready", "considered", "executing"]);

/** Counts auctions, failed attempts first; `null` without an auction. */
function formatRecent(recent: readonly ReportedAuction[], period: string): string | null {
  if (recent.length === 0) return null;
  const count = (test: (auction: ReportedAuction) => boolean) => recent.filter(test).length;
  const failedCount = count(({ outcome }) => outcome === "won_not_settled");
  const unbidCount = count(({ outcome }) => isUnbid(outcome));
  const outbidCount = count(({ outcome }) => outcome === "outbid");
  const unfairCount = count(({ outcome }) => outcome === "bids_unfair");
  const toPart = (part: number) => part < recent.length ? `${part} ` : part === 1 ? "" : "all ";
  const parts = [
    ...failedCount === 0 ? [] : [`${pluralize(failedCount, "win")} not settled`],
    ...outbidCount === 0 ? [] : [`${toPart(outbidCount)}with bids that did not win`],
    ...unfairCount === 0 ? [] : [`${toPart(unfairCount)}with bids that were all filtered out`],
    ...unbidCount === 0 ? [] : [`${toPart(unbidCount)}without a bid`],
  ];
  return `${pluralize(recent.length, "stored auction")}${period}${
    parts.length === 0 ? "" : `, ${parts.join(", ")}`
  }`;
}

/** Words for a stage at the service, where nothing else shows the state. */
const STAGE_WORDS: Readonly<Record<string, readonly [ReportedNow["state"], string]>> = {
  open: ["left_out", "The service left it out of the latest auction"],
  scheduled: ["waiting", "It waits for an auction"],
  active: ["in_auction", IN_AUCTION],
  solved: ["between_auctions", "A solution of the latest auction had it, and did not win with it"],
  executing: ["settling", "A winning solution with it is being settled"],
};

function describeByStage({ stage, order, fills }: OpenFacts): State {
  const name = stage?.reported ?? null;
  const [state, text] = STAGE_WORDS[name ?? ""] ?? [];
  if (state !== undefined) return createState(state, text!);
  // A fill in part leaves this stage behind, whatever becomes of the rest.
  if (name === "traded" && fills.length > 0) {
    return createState("unknown", "The rest can still be filled; the service shows no stage of it");
  }
  return createState(
    "unknown",
    name === null
      ? "It can still be filled; the service does not say at which stage it is"
      : `Its status is ${order.status}, its stage already ${name}: one of them is behind`,
  );
}
