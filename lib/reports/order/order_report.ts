import type { OrderBook } from "../../client/order_book.ts";
import { HttpError, OrderlensError, RateLimitedError, UnansweredError } from "../../errors/mod.ts";
import type { NodeSource, RpcCall } from "../../evm/mod.ts";
import { requireChain, requireNode } from "../../evm/node/node_source.ts";
import type {
  AuctionRole,
  Baseline,
  DecomposeReason,
  FeeAudit,
  LeftOnTheTable,
  NetworkFee,
  NetworkFeeReason,
  NoBaselineReason,
  NotComputable,
  OrderBid,
  OrderFillFacts,
  PairOffer,
  SettlementOutlook,
  Slippage,
  SlippageParts,
  StageCheck,
  StatusCheck,
  TimeInState,
  Tolerance,
} from "../../metrics/mod.ts";
import { findAttemptedBid } from "../../metrics/orders/lifecycle_facts.ts";
import {
  effectiveValidTo,
  type Order,
  type OrderSimulation,
  type SettlementAttempt,
} from "../../schemas/mod.ts";
import type { Ratio } from "../../units/mod.ts";
import type { DollarsPerAtom } from "./dollar_amounts.ts";
import type { ReportedDeposit } from "./ethflow_deposit.ts";
import type { ReportedMoney } from "./reported_money.ts";
import type { FailureSimulation, ReportedFailure } from "./reported_failure.ts";
import type {
  AuctionOutcome,
  OrderCause,
  OrderVerdict,
  ReportedFunds,
  ReportedPlacement,
  ReportedProgrammaticOrder,
  ReportedRefund,
  ReportedState,
} from "./verdicts.ts";

/** Format of reports that this library writes. */
export const INSPECT_SCHEMA = "orderlens/inspect@1";

/** The deployment of a report. */
export interface ReportedDeployment {
  /** Name of the network; `null` without one. */
  readonly network: string | null;
  /** Environment of the network; `null` without one. */
  readonly environment: string | null;
  /** Chain id. */
  readonly chainId: number;
  /** Settlement contract. */
  readonly settlementContract: string;
  /** URL of the deployment, without credentials, or of what answers like one. */
  readonly source: string;
}

/** Basis of a time: exactly by an event or a block, between two bounds, or as reported. */
export type TimelineBasis = "reported" | "event" | "block" | "bracketed" | "derived";

/** One moment in the life of an order. */
export interface TimelineEntry {
  /** Time, at the earliest where `latestAt` is later; `null` if only the block is known. */
  readonly at: Temporal.Instant | null;
  /** Latest possible time; equals `at` unless the time is bracketed. */
  readonly latestAt: Temporal.Instant | null;
  /** Basis of the time; `null` without a time. */
  readonly basis: TimelineBasis | null;
  /** Block of the chain; `null` if it has none. */
  readonly block: number | null;
  /** Kind of the moment. */
  readonly kind:
    | "valid_from"
    | "created"
    | "event"
    | "auction"
    | "attempt"
    | "fill"
    | "cancelled"
    | "refunded"
    | "funds"
    | "placed"
    | "expiry";
  /** The event, as a sentence without a full stop. */
  readonly text: string;
  /** An event as the service names it, such as `ready`; `null` for what is no event. */
  readonly label: string | null;
  /** Reason of the event, as the service names it; `null` without one. */
  readonly reason: string | null;
  /** Auction that it concerns; `null` if none. */
  readonly auctionId: number | null;
  /** Transaction that it concerns; `null` if none. */
  readonly txHash: string | null;
}

/** One auction that listed or settled the order. */
export interface ReportedAuction {
  /** Its id. */
  readonly auctionId: number;
  /** Start block. */
  readonly block: number;
  /** Last block in which to settle; `null` if unknown. */
  readonly deadlineBlock: number | null;
  /** Outcome for the order; `settled` if the order was filled from it in time. */
  readonly outcome: AuctionOutcome;
  /** Whether it listed the order, and the role of the order otherwise. */
  readonly role: AuctionRole;
  /** Bids on the order, best rank first. */
  readonly bids: readonly ReportedBid[];
  /** Attempts to settle its winning solutions that hold the order; `null` without a debug report. */
  readonly attempts: readonly SettlementAttempt[] | null;
  /**
   * Distance of the auction's native prices over the limit, in basis points of the limit, exact;
   * negative if the limit is beyond them, `null` without prices.
   */
  readonly marketOverLimitBps: Ratio | null;
  /**
   * The best price that a solution of the auction offered another order of the same pair; `null` if
   * there is none, and where the auction's competition was not read.
   */
  readonly pairOffer: ReportedPairOffer | null;
}

/** Offer of a solution to another order of the same pair. */
export interface ReportedPairOffer extends PairOffer {
  /** Name of the solver; `null` if unknown. */
  readonly solverName: string | null;
  /** Its price over the limit of this order, in basis points of the limit, exact; negative if below. */
  readonly overLimitBps: Ratio | null;
}

/** Distances of a market over the limit, of auctions without a bid; negative if the limit is beyond it. */
export interface DistanceSummary {
  /** Auctions in which the distance is known. */
  readonly known: number;
  /** Those of them in which the limit was beyond the market. */
  readonly beyond: number;
  /** The median, in basis points of the limit, exact. */
  readonly medianBps: Ratio;
  /** The lowest, in basis points of the limit, exact. */
  readonly lowestBps: Ratio;
  /** The highest, in basis points of the limit, exact. */
  readonly highestBps: Ratio;
}

/** The distance of the limit from the market in the auctions in which nobody bid on the order. */
export interface LimitDistance {
  /** Auctions that listed it without a bid on it, of those at hand. */
  readonly auctions: number;
  /** Distances of the native prices, before fees and network costs; `null` without prices of both tokens. */
  readonly nativePrices: DistanceSummary | null;
  /** Distances of the best price that a solver offered another order of the pair; `null` without one. */
  readonly pairOffers: DistanceSummary | null;
  /** Both as one sentence without a full stop. */
  readonly text: string;
}

/** A possible action for an order, as one word. */
export type NextAction =
  | "nothing"
  | "wait"
  | "cancel"
  | "place_anew"
  | "relax_limit"
  | "add_balance"
  | "raise_allowance"
  | "approve_relayer"
  | "check_funds"
  | "set_presignature"
  | "sign_again"
  | "use_other_token"
  | "reclaim_funds"
  | "look_elsewhere"
  | "ask_more";

/** A next step for an order. */
export interface NextStep {
  /** Its name, as one word of a fixed list in snake_case. */
  readonly action: NextAction;
  /** The step as a sentence without a full stop, with amounts in atoms. */
  readonly text: string;
  /** Amount that it takes, in atoms of `token`; `null` if no amount does. */
  readonly atoms: bigint | null;
  /** Token of `atoms`; `null` without them. */
  readonly token: string | null;
  /**
   * By how much the limit has to give way at least, in basis points of the limit amount, exact; `null`
   * if the evidence has no such distance.
   */
  readonly bps: Ratio | null;
}

/** The present state of an order that can still be filled, as of its report. */
export interface ReportedNow {
  /**
   * State: in an auction that runs or was just decided, ready for the next one, with a settlement under
   * way, executed and not indexed, left out of auctions, or waiting for something.
   */
  readonly state:
    | "in_auction"
    | "between_auctions"
    | "settling"
    | "indexing"
    | "left_out"
    | "presignature_missing"
    | "not_valid_yet"
    | "waiting"
    | "unknown";
  /** The state as a sentence without a full stop. */
  readonly text: string;
  /** Time from which on it is in this state, by its events; `null` if unknown. */
  readonly since: Temporal.Instant | null;
  /** Time at which the state ends at the latest: it becomes valid, or can no longer be filled. */
  readonly until: Temporal.Instant | null;
  /** Last block in which its settlement may land; `null` if none is under way, or if it is unknown. */
  readonly untilBlock: number | null;
}

/** One bid on the order. */
export interface ReportedBid extends OrderBid {
  /** Name of the solver; `null` if unknown. */
  readonly solverName: string | null;
  /** Surplus over the limit, in basis points of the limit, rounded half to even; `null` without one. */
  readonly overLimitBps: number | null;
  /**
   * Amount that the winning bid offers more for the same amounts, in atoms of the surplus token; 0 for the
   * winner, negative if this bid is better, `null` without a winner.
   */
  readonly behindWinnerAtoms: bigint | null;
}

/** A bid on an order in the auction that its stage is of, without what only the auction shows. */
export interface ReportedStageBid
  extends Pick<ReportedBid, "solver" | "solverName" | "sellAmount" | "buyAmount" | "overLimitBps"> {
}

/** A fill with everything that is computed of it. */
export interface ReportedFill extends OrderFillFacts {
  /** Solver that settled it; `null` if unknown. */
  readonly solver: string | null;
  /** Name of the solver; `null` if unknown. */
  readonly solverName: string | null;
  /** Blocks behind the deadline of its auction; 0 or less is in time, `null` if unknown. */
  readonly blocksLate: number | null;
  /** Surplus over the limit, in atoms of the surplus token. */
  readonly surplusAtoms: bigint | NotComputable<"jit_owner_unknown" | "limit_without_price">;
  /** Slippage against each of the four baselines. */
  readonly slippages: Readonly<Record<Baseline, Slippage | NotComputable<NoBaselineReason>>>;
  /** The slippage against the gross quote in four parts that add up exactly. */
  readonly parts: SlippageParts | NotComputable<DecomposeReason>;
  /** All fees of the fill. */
  readonly networkFee: NetworkFee | NotComputable<NetworkFeeReason>;
  /** Its protocol and partner fees, each compared with what its policy gives. */
  readonly audit: FeeAudit;
  /** US dollars for one atom of its tokens, by the prices of its auction; `null` without a rate. */
  readonly usdPerAtom: DollarsPerAtom | null;
}

/** Whether the order is what was signed. */
export interface ReportedIdentity {
  /** UID by the terms that the service reports. */
  readonly computedUid: string;
  /** Whether it is the requested UID. */
  readonly isUidRight: boolean;
  /** Scheme of the signature. */
  readonly signingScheme: string;
  /** Settlement contract that the UID was computed for. */
  readonly settlementContract: string;
  /** Account that signed; `null` where only the chain can tell. */
  readonly signer: string | null;
  /** Whether it is the owner; `null` where only the chain can tell. */
  readonly isSignerOwner: boolean | null;
  /** Account that traded behind a contract, such as EthFlow; `null` if nobody. */
  readonly onchainUser: string | null;
}

/** The app data of an order. */
export interface ReportedAppData {
  /** Its hash in the order. */
  readonly hash: string;
  /** The document as text; `null` if the service has none. */
  readonly document: string | null;
  /** Whether the document has that hash, which may be zeros for the document `{}`; `null` without a document. */
  readonly isHashRight: boolean | null;
  /** App code; `null` if it names none. */
  readonly appCode: string | null;
  /** Hooks by moment; empty without. */
  readonly hooks: readonly {
    /** `pre` or `post`. */
    readonly moment: "pre" | "post";
    /** Contract that is called. */
    readonly target: string;
    /** Gas limit, as text. */
    readonly gasLimit: string;
    /** Calldata. */
    readonly callData: string;
    /** Tool that made the hook, as the document says; `null` if it names none. */
    readonly dappId: string | null;
  }[];
}

/** Something else that happened to the order, counted. */
export interface AlsoHappened {
  /** Cause. */
  readonly cause: OrderCause;
  /** Number of auctions, events or attempts. */
  readonly count: number;
  /** As a sentence without a full stop. */
  readonly text: string;
}

/** Something that the evidence does not show. */
export interface ReportedUnknown {
  /** Its name, as one word of a fixed list in snake_case. */
  readonly what: string;
  /** The reason that it cannot be determined. */
  readonly why: string;
  /** Remedy that would show it: partner access, an RPC URL, `deep`, later. */
  readonly remedy: string;
}

/** Auction ids of an order's lifetime, and those of them that were looked at. */
export interface WalkedAuctions {
  /** First id of its lifetime; the lowest that was looked at, if the first was not found. */
  readonly from: number;
  /** Last id. */
  readonly to: number;
  /** Number of ids that were looked at. */
  readonly read: number;
  /** Number of those that listed the order. */
  readonly listed: number;
  /** Ids without a competition: nobody bid on anything in them, or there was no auction. */
  readonly absent: number;
  /** Ids whose competition could not be read, or was not recorded. */
  readonly unread: number;
  /** Whether all ids of its lifetime were looked at. */
  readonly isWhole: boolean;
  /** Whether no auction before `from` can have listed it: one is stored that began before its creation. */
  readonly isStartSeen: boolean;
  /**
   * Whether an auction is visible that began after the order's end, or after its last fill, so that no
   * auction that is still hidden can have listed it.
   */
  readonly isEndSeen: boolean;
  /**
   * Whether an auction is visible that began in the order's last minute, in which the service lists no
   * order unless it is set up otherwise, or after it.
   */
  readonly isLastMinuteSeen: boolean;
  /** Whether every id after the last auction that listed it was read; `false` if none listed it. */
  readonly isLastSeen: boolean;
  /**
   * Whether an auction is visible that is known to have begun after its creation; without one, its
   * auctions may run, or be hidden yet.
   */
  readonly isAnySeen: boolean;
  /**
   * Whether later ids have later blocks, in what was read; otherwise nothing shows which auctions are of
   * its lifetime.
   */
  readonly isOrdered: boolean;
}

/**
 * Whether a response is there: `absent` if the service has none, `refused` to this caller or not offered,
 * in a form that cannot be read, or `failed` if it did not come.
 */
export type AnswerPresence = "present" | "absent" | "refused" | "unreadable" | "failed";

/** Evidence of the report. */
export interface ReportEvidence {
  /** Debug report. */
  readonly debugReport: AnswerPresence;
  /** Stage of the order; `absent` if the service has no events of it any more. */
  readonly stage: AnswerPresence;
  /** Number of competitions that were read. */
  readonly competitions: number;
  /** Auction ids that were walked; `null` if none were. */
  readonly walked: WalkedAuctions | null;
  /** Whether a node was asked, and answered. */
  readonly node: boolean;
  /**
   * Result of a simulated settlement, for an order that may still be filled: its error is
   * why nobody can settle it now. `null` without one: it is for partners.
   */
  readonly simulation: OrderSimulation | null;
  /**
   * Whether the responses have a time. Those of a recording have none: `asOf` is then the latest time
   * in them, and they are of that time or later.
   */
  readonly isTimed: boolean;
}

/**
 * The report of one order, as plain data. Every amount is in atoms.
 */
export interface OrderReport {
  /** Always `orderlens/inspect@1`. */
  readonly schema: "orderlens/inspect@1";
  /** UID that was requested, in lower case. */
  readonly uid: string;
  /** Deployment of the order. */
  readonly deployment: ReportedDeployment;
  /**
   * As of when: the time of the responses, or the latest time in them if they have none, as
   * `evidence.isTimed` says; `null` if the order is unknown.
   */
  readonly asOf: Temporal.Instant | null;
  /** The verdict. */
  readonly verdict: OrderVerdict;
  /** The decisive cause, without the status. */
  readonly cause: OrderCause;
  /** Reason of an `invalid` or `filtered` order, as the service names it; `null` without one. */
  readonly reason: string | null;
  /** Causes between which the evidence cannot decide, if the cause is `unknown`; otherwise empty. */
  readonly possible: readonly OrderCause[];
  /** The verdict as one sentence. */
  readonly sentence: string;
  /** Its present state; `null` once it can no longer be filled. */
  readonly now: ReportedNow | null;
  /** Next steps, most important first; one entry at least. */
  readonly next: readonly NextStep[];
  /** Other things that happened, most important first. */
  readonly alsoHappened: readonly AlsoHappened[];
  /** UID of the order that replaced it; `null` if none is known. */
  readonly replacedBy: string | null;
  /** UID of the order that it replaced, by its own app data; `null` if none. */
  readonly replaces: string | null;
  /** The order; `null` if it is unknown here. */
  readonly order: Order | null;
  /** Status as reported and by the rules; `null` without the order. */
  readonly status: StatusCheck | null;
  /** Whether it may still be settled, and until when; `null` without the order. */
  readonly outlook: SettlementOutlook | null;
  /** Stage in the latest auction, as derived and reported; `null` without the order. */
  readonly stage: StageCheck | null;
  /** Bids in the auction that its stage is of, best first, as the stage shows them. */
  readonly stageBids: readonly ReportedStageBid[];
  /** Its life, oldest first; entries without a time stand by their block. */
  readonly timeline: readonly TimelineEntry[];
  /** Time in each state; `null` without a debug report. */
  readonly timeInStates: readonly TimeInState[] | null;
  /** Auctions by ascending id. */
  readonly auctions: readonly ReportedAuction[];
  /**
   * Distance of the limit from the market in the auctions in which nobody bid on it; `null` if every auction at hand
   * had a bid.
   */
  readonly limitDistance: LimitDistance | null;
  /**
   * US dollars for one atom of its tokens, by the prices of its last auction that was read; `null` without
   * a rate, and where the prices disagree with its quote, or its limit without one.
   */
  readonly usdPerAtom: DollarsPerAtom | null;
  /** Fills by block and log index. */
  readonly fills: readonly ReportedFill[];
  /** Better bids that were not executed, per fill. */
  readonly leftOnTheTable: readonly LeftOnTheTable[];
  /** The tolerance that was requested, signed and used; `null` without the order. */
  readonly tolerance: Tolerance | null;
  /** Whether it is what was signed; `null` without the order. */
  readonly identity: ReportedIdentity | null;
  /** Funds of its owner now; `null` unless a node was asked about an order that is open. */
  readonly funds: ReportedFunds | null;
  /**
   * Funds of its owner when the service left it out, by block; empty without a node, and without such
   * a moment. What the node does not tell is in `unknown`.
   */
  readonly earlierFunds: readonly ReportedFunds[];
  /**
   * Its state in the settlement contract now; `null` without a node, and for an order that was filled
   * or has expired.
   */
  readonly state: ReportedState | null;
  /** Placement of an EthFlow order; `null` for others, and without a node. */
  readonly placement: ReportedPlacement | null;
  /** Its refund; `null` if it was not, for others, and without a node. */
  readonly refund: ReportedRefund | null;
  /** The native tokens of an EthFlow order, and who has them; `null` for other orders. */
  readonly deposit: ReportedDeposit | null;
  /** The places of its money, and the calls that move it; `null` if the order is unknown here. */
  readonly money: ReportedMoney | null;
  /** Its settlements that failed, oldest first, as a node has them; empty without a node. */
  readonly failures: readonly ReportedFailure[];
  /** A simulation at the block of the last failure; `null` without one: it is for partners. */
  readonly failureSimulation: FailureSimulation | null;
  /**
   * The TWAP that it is a part of, or another order that it was generated from, by its signature; for an
   * order that is not at the deployment by the events of its owner, with a node; `null` for others.
   */
  readonly programmatic: ReportedProgrammaticOrder | null;
  /** App data; `null` without the order. */
  readonly appData: ReportedAppData | null;
  /** Facts that cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
  /** Evidence of the report. */
  readonly evidence: ReportEvidence;
}

/** The reason that data could not be read from the node, and a remedy. */
export type ReadFailure = Omit<ReportedUnknown, "what">;

/** Options of the node of a report. */
interface ReportNodeOptions {
  /** Chain of the deployment. */
  readonly chainId: number;
  /** Ends the requests. */
  readonly signal: AbortSignal | undefined;
}

const PURPOSE = "facts of the chain";
const RETRY_LATER = "Try again later, or use another node";
/** Nobody waits long for a report: a node that hangs is given up after ten seconds. */
const PATIENCE = { timeoutMs: 10_000, silenceMs: 10_000, retries: 2, backoffBaseMs: 2_000 };

/**
 * The node of a report. One that cannot be reached, hangs, refuses or is of another chain is not asked
 * again: every later question fails with the first error, so that a report waits for it once.
 */
export class ReportNode {
  /** The node, as it was passed. */
  readonly source: NodeSource;
  readonly #ask: ReturnType<typeof requireNode>;
  readonly #options: ReportNodeOptions;
  #chain: Promise<void> | undefined;
  #failure: OrderlensError | null = null;

  /** @throws {InputError} If `source` is not a node. */
  constructor(source: NodeSource, options: ReportNodeOptions) {
    const { signal } = options;
    this.source = source;
    this.#ask = requireNode(source, PURPOSE, { ...PATIENCE, signal });
    this.#options = options;
  }

  /** The failure after which it gets no more requests; `null` if it responds. */
  get failure(): ReadFailure | null {
    if (this.#failure === null) return null;
    const reason = explainFailure(this.#failure);
    return isOutage(this.#failure) ? { ...reason, remedy: RETRY_LATER } : reason;
  }

  /** Asks the node, for whatever takes one. */
  readonly rpc = async (calls: readonly RpcCall[]) => {
    await (this.#chain ??= this.#requireChain());
    return await this.#send(calls);
  };

  async #requireChain(): Promise<void> {
    const { chainId } = this.#options;
    try {
      await requireChain(this.#ask, chainId, "Cannot get facts of the order");
    } catch (error) {
      if (error instanceof OrderlensError) this.#failure = error;
      throw error;
    }
  }

  async #send(calls: readonly RpcCall[]) {
    if (this.#failure !== null) throw this.#failure;
    try {
      return await this.#ask(calls);
    } catch (error) {
      const isRefused = error instanceof HttpError && (error.status ?? 0) >= 400;
      if (isRefused || isOutage(error)) this.#failure ??= error;
      throw error;
    }
  }
}

/** The node of a report, if there is one. */
export function createReportNode(
  source: NodeSource | undefined,
  options: ReportNodeOptions,
): ReportNode | undefined {
  return source === undefined ? undefined : new ReportNode(source, options);
}

/** The instant at which a second begins. */
export function toInstant(seconds: number): Temporal.Instant {
  return Temporal.Instant.fromEpochMilliseconds(seconds * 1_000);
}

/** The last second in which an order is valid: what it is valid until. */
export function readValidUntil(order: Order): Temporal.Instant {
  return toInstant(effectiveValidTo(order));
}

/**
 * Explains why a node did not return something, by its error; the rest of a report stays as it is.
 *
 * @throws Any error that is none of the library's, such as the reason of an aborted signal.
 */
export function explainFailure(error: unknown): ReadFailure {
  if (!(error instanceof OrderlensError)) throw error;
  return { why: error.message.split("\n")[0]!, remedy: error.remedy };
}

/** Whether a node does not answer for now, whatever it is asked. */
export function isOutage(error: unknown): error is OrderlensError {
  return error instanceof UnansweredError || error instanceof RateLimitedError;
}

/** The deployment of a book, as reports name it. */
export function reportDeployment(
  { network, environment, chainId, settlementContract, baseUrl }: OrderBook,
): ReportedDeployment {
  const facts = { environment, chainId, settlementContract, source: baseUrl };
  return { network: network?.name ?? null, ...facts };
}

/** Owners whose orders capture surplus, as a recording has them; `null` elsewhere. */
export function readCapturingOwners({ transport }: OrderBook): readonly string[] | null {
  const recorded: unknown = "recorded" in transport ? transport.recorded : undefined;
  const owners: unknown = Object(recorded).surplusCapturingJitOrderOwners;
  return Array.isArray(owners) ? owners : null;
}

/** A win whose settlement is pending. */
export interface PendingWin {
  /** The auction. */
  readonly auctionId: number;
  /** The winner by name, or by address without one; `null` if unknown. */
  readonly agent: string | null;
  /** Last block for its settlement; `null` if unknown. */
  readonly deadlineBlock: number | null;
  /** Time at which the settlement began; `null` if unknown. */
  readonly startedAt: Temporal.Instant | null;
}

/** Finds the last win that is being settled; its attempt knows the deadline better than the auction. */
export function findPendingWin(auctions: readonly ReportedAuction[]): PendingWin | null {
  const win = auctions.findLast(({ outcome }) => outcome === "executing");
  if (win === undefined) return null;
  const winner = win.bids.find(({ isWinner }) => isWinner);
  const pending = win.attempts?.find((attempt) =>
    attempt.outcome == null && findAttemptedBid(win.bids, attempt)?.isWinner === true
  );
  return {
    auctionId: win.auctionId,
    agent: winner?.solverName ?? winner?.solver ?? null,
    deadlineBlock: pending?.deadlineBlock ?? win.deadlineBlock,
    startedAt: pending?.startTimestamp ?? null,
  };
}

/** Names a pending win, and the last block for its settlement, as far as they are known. */
export function formatPendingWin(win: PendingWin | null): string {
  const auction = win === null ? "a winning solution with it" : `auction ${win.auctionId}`;
  const block = win?.deadlineBlock ?? null;
  return `the settlement of ${auction} could still have been mined${
    block === null ? "" : ` until block ${block}`
  }`;
}
