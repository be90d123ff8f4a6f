import type { OrderBook } from "../../client/order_book.ts";
import { orderDigest, parseOrderUid, type SettlementTrade } from "../../evm/mod.ts";
import type { FailedSettlement, Replay } from "../../evm/node/failed_settlements.ts";
import { findAttemptedBid, isFailedOutcome } from "../../metrics/orders/lifecycle_facts.ts";
import { formatInstant, formatPercent, ratio, sameHex } from "../../units/mod.ts";
import { fetchSimulation } from "./gather_evidence.ts";
import { MissingResponses } from "./report_requests.ts";
import {
  explainFailure,
  type OrderReport,
  type ReportedUnknown,
  type ReportNode,
} from "./order_report.ts";
import {
  describeOutcome,
  type FailureSimulation,
  type ReportedFailure,
} from "./reported_failure.ts";
import { readDomain } from "./report_parts.ts";
import { searchFailures } from "./search_failures.ts";

/**
 * Known reasons of reverts in plain words.
 *
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/GPv2Settlement.sol | texts of the settlement contract}
 * @see {@link https://github.com/cowprotocol/contracts/blob/v1.0.0/src/contracts/libraries/GPv2SafeERC20.sol | texts of its transfers}
 * @see {@link https://github.com/Uniswap/v2-periphery/blob/master/contracts/UniswapV2Router02.sol | texts of a router}
 * @see {@link https://github.com/Uniswap/v3-periphery/blob/main/contracts/SwapRouter.sol | texts of another}
 * @see {@link https://github.com/balancer/balancer-v2-monorepo/blob/master/pkg/interfaces/contracts/solidity-utils/helpers/BalancerErrors.sol | errors of the Balancer vault}
 */
const MEANINGS: readonly (readonly [RegExp, string])[] = [
  [
    /^GPv2: order filled$/,
    "less of one of its orders was left than it takes: another settlement came first",
  ],
  [/^GPv2: order expired$/, "one of its orders had expired by the time of the block"],
  [/^GPv2: limit price not respected$/, "its prices were beyond the limit of one of its orders"],
  [/^GPv2: not a solver$/, "the contract does not allow its sender to settle"],
  [
    /^GPv2: (?:invalid|order not presigned|malformed ecdsa)/,
    "the signature of one of its orders was not valid",
  ],
  [/^GPv2: failed transferFrom$/, "a token refused to move from the owner of one of its orders"],
  [/^GPv2: failed transfer$/, "a token refused to move to the receiver of one of its orders"],
  [
    /exceeds balance|InsufficientBalance/,
    "an account had too little of a token: the owner of an order, or the settlement contract after its trades",
  ],
  [/allowance|InsufficientAllowance/i, "an account had not allowed enough of a token to be taken"],
  [
    /TransferFromFailed|TRANSFER_FROM_FAILED|^STF$/,
    "a token could not be taken: too little balance or allowance",
  ],
  [
    /INSUFFICIENT_OUTPUT_AMOUNT|EXCESSIVE_INPUT_AMOUNT|Too (?:little received|much requested)|BAL#507/,
    "a pool gave a worse price than the solver had planned with",
  ],
  [/NotAuthed/, "ComposableCoW no longer allows one of its orders: its owner removed it"],
];

/** Blocks that are searched for one attempt at most. */
const MAX_BLOCKS = 60;
/** Blocks after the end of an attempt in which its transaction may still be mined. */
const LATE_BLOCKS = 5;
/** The last attempts that are looked for. */
const MAX_ATTEMPTS = 3;
/** A transaction that used so much of its gas may have run out of it: a call keeps a part of it back. */
const MIN_SPENT = ratio(97n, 100n);

/** One attempt of a report. */
interface Attempt
  extends Pick<ReportedFailure, "auctionId" | "solver" | "solverName" | "fromBlock" | "toBlock"> {
  /** Its end in the words of the driver; `null` if unknown. */
  readonly outcome: string | null;
}

interface FailureContext {
  readonly node: ReportNode | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** The report with the failed settlements of the order: their transactions, and why they failed. */
export async function addFailures(
  book: OrderBook,
  report: OrderReport,
  { node, signal }: FailureContext,
): Promise<OrderReport> {
  const { order, uid } = report;
  if (order === null) return report;
  const attempts = listFailedAttempts(report).slice(-MAX_ATTEMPTS);
  const last = attempts.at(-1);
  if (last === undefined) return report;
  const gaps = new MissingResponses();
  const failureSimulation = await simulateFailure(book, report, {
    block: last.fromBlock,
    signal,
    gaps,
  });
  const unknown = [...report.unknown, ...gaps.unknown];
  if (node === undefined) {
    return { ...report, failureSimulation, unknown: [...unknown, ...listNoNode(report)] };
  }
  const domain = readDomain(book, uid, order);
  const settlementContract = domain.verifyingContract;
  const { digest } = parseOrderUid(uid);
  // Its owner is behind its signature, so a trade has the digest only.
  const isWanted = (trade: SettlementTrade) => sameHex(orderDigest(domain, trade), digest);
  const failures: ReportedFailure[] = [];
  const unknowns: ReportedUnknown[] = [];
  for (const attempt of attempts) {
    if (node.failure !== null) break;
    try {
      const { auctionId, solver, fromBlock, toBlock } = attempt;
      const question = { settlementContract, auctionId, solver, fromBlock, toBlock, isWanted };
      const result = await searchFailures(book, node, { uid, question, signal });
      if ("reason" in result) {
        const { reason, detail: why, remedy } = result;
        const refusal = { what: "failed_settlement", why, remedy };
        // A recording has no blocks with their transactions, and says nothing about this order.
        unknowns.push(...reason === "calls_not_served" ? listNoNode(report) : [refusal]);
        break;
      }
      const searched = { ...attempt, toBlock: result.toBlock };
      if (result.failures.length === 0) failures.push(reportUnmined(searched));
      for (const settlement of result.failures) {
        // Winners of one auction are searched for in the same blocks.
        if (failures.some(({ txHash }) => txHash === settlement.txHash)) continue;
        failures.push(reportFailure(searched, settlement));
        if (settlement.replay.outcome !== "unknown") continue;
        const { why, remedy } = settlement.replay;
        unknowns.push({ what: "revert_reason", why, remedy });
      }
    } catch (error) {
      unknowns.push({ what: "failed_settlement", ...explainFailure(error) });
    }
  }
  const newUnknowns = unknowns.filter(({ why }) => why !== node.failure?.why);
  return { ...report, failures, failureSimulation, unknown: [...unknown, ...newUnknowns] };
}

/** The reason of the failure that a verdict names, which only a node has. */
function listNoNode({ cause }: OrderReport): ReportedUnknown[] {
  return cause === "won_not_settled" ? [NO_NODE] : [];
}

const NO_NODE: ReportedUnknown = {
  what: "failed_settlement",
  why: "The reason that its settlement failed is on the chain",
  remedy: "Pass the URL of a node: the transaction is looked for and called again",
};

/** Lists the attempts that did not settle it, oldest first; without a debug report the wins. */
function listFailedAttempts({ auctions }: OrderReport): Attempt[] {
  return auctions.flatMap((auction): Attempt[] => {
    const { auctionId, attempts, bids, block, deadlineBlock, outcome } = auction;
    // A late transaction of a settled auction ended as a timeout.
    if (outcome === "settled" || outcome === "settled_late") return [];
    const winner = bids.find(({ isWinner }) => isWinner);
    if (attempts === null || attempts.length === 0) {
      if (outcome !== "won_not_settled") return [];
      const range = limitRange(block, deadlineBlock ?? block + MAX_BLOCKS);
      const { solver = null, solverName = null } = winner ?? {};
      return [{ auctionId, solver, solverName, ...range, outcome: null }];
    }
    return attempts.flatMap((attempt) => {
      if (!isFailedOutcome(attempt.outcome)) return [];
      const { solver, startBlock, endBlock, deadlineBlock: deadline } = attempt;
      const solverName = findAttemptedBid(bids, attempt)?.solverName ?? null;
      const last = Math.max(endBlock ?? deadline, deadline);
      return [{
        auctionId,
        solver,
        solverName,
        ...limitRange(startBlock, last),
        outcome: attempt.outcome,
      }];
    });
  });
}

function limitRange(fromBlock: number, lastBlock: number) {
  const toBlock = Math.max(fromBlock, lastBlock) + LATE_BLOCKS;
  return { fromBlock, toBlock: Math.min(toBlock, fromBlock + MAX_BLOCKS - 1) };
}

const NO_TRANSACTION = {
  txHash: null,
  block: null,
  at: null,
  sender: null,
  gasUsed: null,
  gasLimit: null,
  costAtoms: null,
  through: null,
  basis: null,
  replay: null,
  reason: null,
  revertData: null,
  meaning: null,
} as const;

function reportUnmined({ outcome, ...attempt }: Attempt): ReportedFailure {
  const { auctionId, fromBlock, toBlock } = attempt;
  const end = outcome === null ? "" : `; its driver says: ${cutOutcome(describeOutcome(outcome))}`;
  return {
    ...attempt,
    ...NO_TRANSACTION,
    text: `Auction ${auctionId}, ${nameSolver(attempt)}: ${
      formatUnmined({ ...attempt, fromBlock, toBlock })
    }${end}`,
  };
}

/** Says which transactions were looked for, and are not there. */
export function formatUnmined(
  { solver, fromBlock, toBlock }: Pick<Attempt, "solver" | "fromBlock" | "toBlock">,
): string {
  const ofSolver = solver === null ? "" : ", nor of its solver with the order or the auction's id,";
  return `no failed transaction of it to the settlement contract${ofSolver} is in blocks ${fromBlock} to ` +
    `${toBlock}`;
}

/** Says what a transaction to another contract has of an attempt; empty for a settlement. */
export function formatBasis(
  { through, basis }: Pick<ReportedFailure, "through" | "basis">,
): string {
  if (through === null) return "";
  return `through contract ${through}` + {
    order_and_auction: "",
    order: ", with the order in it and no auction",
    auction: ", with the auction's id at its end; whether the order is in it is not known",
  }[basis!];
}

function reportFailure(
  { outcome: _, ...attempt }: Attempt,
  failure: FailedSettlement,
): ReportedFailure {
  const { txHash, block, at: minedAt, from, gasUsed, gasLimit, effectiveGasPrice, replay } =
    failure;
  const { through, basis } = failure;
  const { reason, revertData } = readReason(replay);
  // A contract that names its reason did not run out of gas.
  const isUnexplained = reason === null ||
    replay.outcome === "reverted" && replay.reason.name === null;
  const meaning = MEANINGS.find(([pattern]) => reason !== null && pattern.test(reason))?.[1] ??
    (isUnexplained && isGasSpent(failure)
      ? "its gas was used up, so it may have run out of it"
      : null);
  const gas = gasLimit === null
    ? `${gasUsed} gas`
    : `${gasUsed} of ${gasLimit} gas (${
      formatPercent(ratio(gasUsed, gasLimit), { digits: 0, rounding: "floor" })
    })`;
  const sender = attempt.solver !== null && sameHex(from, attempt.solver)
    ? ""
    : `, sent by ${from}`;
  return {
    ...attempt,
    ...{ txHash, block, at: minedAt, sender: from, gasUsed, gasLimit, reason, revertData, meaning },
    ...{ through, basis, replay: replay.outcome },
    costAtoms: effectiveGasPrice === null ? null : gasUsed * effectiveGasPrice,
    text:
      `Auction ${attempt.auctionId}, ${
        nameSolver(attempt)
      }: transaction ${txHash}${sender} failed in ` +
      `block ${block} (${formatInstant(minedAt)}) after ${gas}: ${explainReplay(replay, block)}${
        meaning === null ? "" : `; ${meaning}`
      }${through === null ? "" : `; sent ${formatBasis({ through, basis })}`}`,
  };
}

function nameSolver(
  { solver, solverName }: Pick<Attempt, "solver" | "solverName">,
): string {
  return solverName ?? solver ?? "an unknown solver";
}

function readReason(replay: Replay): Pick<ReportedFailure, "reason" | "revertData"> {
  return replay.outcome === "reverted"
    ? { reason: replay.reason.text, revertData: replay.reason.data }
    : { reason: null, revertData: null };
}

function isGasSpent({ gasUsed, gasLimit }: FailedSettlement): boolean {
  const { numerator, denominator } = MIN_SPENT;
  return gasLimit !== null && gasUsed * denominator >= gasLimit * numerator;
}

/** Reasons for which a failed call passes in the state of the block before. */
export const REPLAY_PASSED =
  "it does not revert: an earlier transaction of its block, or the time of its block, made the difference";

function explainReplay(replay: Replay, block: number): string {
  switch (replay.outcome) {
    case "reverted":
      return `called again at block ${block - 1}, it reverts with ${
        JSON.stringify(replay.reason.text)
      }`;
    case "succeeded":
      return `called again at block ${block - 1}, ${REPLAY_PASSED}`;
    case "unknown":
      return "why is not known";
  }
}

const MAX_OUTCOME = 200;

function cutOutcome(outcome: string): string {
  return outcome.length <= MAX_OUTCOME ? outcome : `${outcome.slice(0, MAX_OUTCOME)}…`;
}

/** Simulates the order, for partners, at the block of its last failure; `null` without one. */
async function simulateFailure(
  book: OrderBook,
  { uid, cause, evidence }: OrderReport,
  { block, signal, gaps }: {
    readonly block: number;
    readonly signal: AbortSignal | undefined;
    readonly gaps: MissingResponses;
  },
): Promise<FailureSimulation | null> {
  if (cause !== "won_not_settled" || evidence.debugReport !== "present") return null;
  const simulation = await fetchSimulation(book, uid, {
    blockNumber: block,
    signal,
    note: gaps.note("failure_simulation", "The simulation of its failed settlement"),
  });
  if (simulation === null) return null;
  const { error = null, tenderlyUrl = null } = simulation;
  return { block, error, tenderlyUrl };
}
