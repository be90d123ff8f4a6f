import { formatSearch } from "../command_text.ts";
import type { OrderBook } from "../../client/order_book.ts";
import { requireHex } from "../../endpoints/calls.ts";
import { classifyFailure } from "../../errors/failure_kind.ts";
import { NotRecordedError, OrderlensError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import { findSettledSolutions } from "../../metrics/orders/fills.ts";
import {
  createReportNode,
  reportDeployment,
  type ReportedDeployment,
  type ReportedUnknown,
  type TimelineBasis,
} from "../order/order_report.ts";
import { readCreatedOrders } from "../order/programmatic_orders.ts";
import { createNameLookup } from "../order/report_parts.ts";
import { MissingResponses } from "../order/report_requests.ts";
import type { ReportedProgrammaticOrder } from "../order/verdicts.ts";
import { INSPECT_NOUN_OPTIONS, type InspectNounOptions } from "../order/inspect_order.ts";
import { pluralize } from "../../units/format.ts";
import { type BlockTime, readBlockTime } from "./block_time.ts";
import { fetchTradesByUid, listSettledOrders, type SettledOrder } from "./settled_orders.ts";
import {
  readOnchainSettlement,
  type ReportedSettlement,
  type SettlementReading,
} from "./settlement_onchain.ts";

/** The report of one settlement transaction, as plain data. */
export interface TransactionReport {
  /** Always `orderlens/inspect-transaction@1`. */
  readonly schema: "orderlens/inspect-transaction@1";
  /** Hash that was requested, in lower case. */
  readonly txHash: string;
  /** Deployment of the transaction. */
  readonly deployment: ReportedDeployment;
  /** Summary of the transaction, as one sentence. */
  readonly sentence: string;
  /** Whether the deployment knows it as a settlement, or it created programmatic orders. */
  readonly isFound: boolean;
  /** Its block; `null` without a fill. */
  readonly block: number | null;
  /** Timestamp of the block; `null` without a node. */
  readonly at: Temporal.Instant | null;
  /** Basis of the time; `null` without one. */
  readonly basis: TimelineBasis | null;
  /**
   * Number of settlements in it, mostly 1: by the node's logs, otherwise the least that its solutions
   * and orders prove; `null` if it is not known as a settlement.
   */
  readonly settlementCount: number | null;
  /** Orders that the auction's solutions do not hold: another settlement filled them. */
  readonly otherOrderUids: readonly string[];
  /** Auction that it settled, or the one that the deployment names of several; `null` if unknown. */
  readonly auctionId: number | null;
  /** Blocks behind the deadline of the auction; 0 or less is in time, `null` if unknown. */
  readonly blocksLate: number | null;
  /** Solver; `null` if unknown. */
  readonly solver: string | null;
  /** Its name; `null` if unknown. */
  readonly solverName: string | null;
  /** Rank of its solution, from 1; `null` if unknown. */
  readonly ranking: number | null;
  /** Score of the solution, in native atoms; `null` if unknown. */
  readonly score: bigint | null;
  /** Orders that it settled, with their fills. */
  readonly settled: readonly SettledOrder[];
  /** The settlement as the chain has it; `null` without a node, or if it does not show one. */
  readonly onchain: ReportedSettlement | null;
  /** TWAPs and other programmatic orders that it created; empty without a node. */
  readonly programmatic: readonly ReportedProgrammaticOrder[];
  /** Facts that cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
}

const ACTION = "Cannot inspect a transaction";

/**
 * Inspects one settlement transaction: its auction and solver, and the orders that it settled, with
 * fees; with a node, its gas, calls and transfers too, compared with what the service reported.
 *
 * Asks for its orders and its competition at the same time, then for the trades of each order.
 *
 * @param book The deployment, a recording, a dataset or the sandbox.
 * @param txHash Hash of the transaction.
 * @returns Plain data with every amount in atoms.
 * @throws {InputError} If the hash or an option is invalid.
 * @throws {OrderlensError} If a request fails for another reason than that something is missing.
 *
 * @example A settlement of a recording
 * ```ts
 * import { connect } from "orderlens";
 * import { inspectTransaction } from "orderlens/reports";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_1");
 * const report = await inspectTransaction(connect(recording), recording.recorded.txHashes[0]!);
 *
 * assertEquals([report.isFound, report.settled.length], [true, 1]);
 * ```
 */
export async function inspectTransaction(
  book: OrderBook,
  txHash: string,
  options: InspectNounOptions = {},
): Promise<TransactionReport> {
  checkOptions(options, INSPECT_NOUN_OPTIONS, ACTION);
  requireHex(txHash, "a hash");
  const { node, solvers, signal } = options;
  const hash = txHash.toLowerCase();
  const reportNode = createReportNode(node, { chainId: book.chainId, signal });
  const gaps = new MissingResponses();
  const [orderList, competitionPart, programmatic] = await Promise.all([
    fetchPart(() => book.transactionOrders(hash, { signal })),
    fetchPart(() => book.competition(hash, { signal })),
    readCreatedOrders(book, { txHash: hash }, { node: reportNode, signal }),
  ]);
  const [orders, competition] = [orderList.record ?? [], competitionPart.record];
  const isSettlement = orders.length > 0 || competition !== null;
  const failure = orderList.error ?? competitionPart.error;
  if (failure !== null && !isSettlement && programmatic.result.length === 0) throw failure;
  if (orderList.error !== null) gaps.note("orders", "The list of its orders")(orderList.error);
  if (competitionPart.error !== null) {
    gaps.note("auction", "Its competition")(competitionPart.error);
  }
  const findName = createNameLookup(solvers, book);
  const trades = await fetchTradesByUid(book, orders.map(({ uid }) => uid), { gaps, signal });
  const settledOrders = listSettledOrders(book, orders, {
    ...{ trades, competition, findName },
    transactions: [hash],
  });
  const block = settledOrders[0]?.fills[0]?.blockNumber ?? null;
  const [time, reading] = await Promise.all([
    readBlockTime(reportNode, block, signal),
    readOnchainSettlement(isSettlement ? reportNode : undefined, {
      ...{ txHash: hash, source: node, book, competition, orders, signal },
      trades: [...trades.values()].flat(),
    }),
  ]);
  const { at: blockAt } = time;
  const ownSolutions = findSettledSolutions(competition?.solutions ?? [], hash);
  const heldUids = new HexMap(
    ownSolutions.flatMap(({ orders }) => orders.map(({ id }) => [id, true])),
  );
  const otherOrders = ownSolutions.length === 0
    ? []
    : settledOrders.filter(({ uid }) => !heldUids.has(uid));
  const solution = findSolution(competition, hash);
  const solver = solution?.solverAddress ?? null;
  const deadline = competition?.auctionDeadlineBlock;
  const facts = {
    isFound: isSettlement || programmatic.result.length > 0,
    block,
    auctionId: competition?.auctionId ?? null,
    settlementCount: isSettlement
      ? reading.count ?? Math.max(1, ownSolutions.length + Math.min(otherOrders.length, 1))
      : null,
    otherOrderUids: otherOrders.map(({ uid }) => uid),
    blocksLate: block === null || deadline === undefined ? null : block - deadline,
    solver,
    solverName: solver === null ? null : findName(solver),
    settled: settledOrders,
    programmatic: programmatic.result,
  };
  return {
    schema: "orderlens/inspect-transaction@1",
    txHash: hash,
    deployment: reportDeployment(book),
    sentence: !facts.isFound && programmatic.unknown.length > 0
      ? "This deployment does not know the transaction as a settlement, and the node did not say " +
        "whether it created programmatic orders."
      : formatSentence(facts),
    at: blockAt,
    basis: blockAt === null ? null : "block",
    ranking: solution?.ranking ?? null,
    score: solution?.score ?? null,
    onchain: reading.onchain,
    ...facts,
    unknown: [
      ...gaps.unknown,
      ...facts.isFound && !isSettlement ? [] : listUnknowns(facts, {
        time,
        reading,
        listed: orders.length,
        hasFailed: competitionPart.error !== null,
      }),
      // A settlement is explained without them.
      ...(isSettlement && programmatic.result.length === 0 ? [] : programmatic.unknown).filter((
        { why },
      ) => [...time.unknown, ...reading.unknown].every((fact) => fact.why !== why)),
    ],
  };
}

/**
 * One of two responses that each show a settlement: the record, or the error where the service says
 * nothing. What a recording lacks counts as unknown to it.
 */
async function fetchPart<Value extends object>(
  request: () => Promise<Value>,
): Promise<{ readonly record: Value | null; readonly error: OrderlensError | null }> {
  try {
    return { record: await request(), error: null };
  } catch (error) {
    const kind = classifyFailure(error);
    if (kind === null || !(error instanceof OrderlensError)) throw error;
    const isUnknown = kind === "absent" || error instanceof NotRecordedError;
    return { record: null, error: isUnknown ? null : error };
  }
}

/** The solution that the transaction settled; the only winner, where old answers have no hashes. */
function findSolution(competition: Competition | null, hash: string) {
  if (competition === null) return undefined;
  const winners = competition.solutions.filter(({ isWinner }) => isWinner);
  return findSettledSolutions(competition.solutions, hash)[0] ??
    (winners.length === 1 ? winners[0] : undefined);
}

type Facts = Pick<
  TransactionReport,
  | "isFound"
  | "block"
  | "auctionId"
  | "settlementCount"
  | "otherOrderUids"
  | "blocksLate"
  | "solver"
  | "solverName"
  | "settled"
  | "programmatic"
>;

function formatSentence(facts: Facts): string {
  const { isFound, block, auctionId, blocksLate, solver, solverName, settled, programmatic } =
    facts;
  if (settled.length === 0 && auctionId === null && programmatic.length > 0) {
    const sentences = programmatic.map(({ sentence }) => sentence);
    return `Created ${pluralize(programmatic.length, "programmatic order")}. ${
      sentences.join(" ")
    }`;
  }
  if (!isFound) return "This deployment does not know the transaction as a settlement.";
  const blockText = block === null ? "" : ` in block ${block}`;
  const auctionText = auctionId === null ? "" : `, from auction ${auctionId}`;
  const solverText = solver === null ? "" : `, by ${solverName ?? solver}`;
  const late = blocksLate !== null && blocksLate > 0
    ? `, ${pluralize(blocksLate, "block")} after the deadline`
    : "";
  const orders = pluralize(settled.length, "order");
  return `Settled ${orders}${formatSeveral(facts)}${blockText}${auctionText}${solverText}${late}.${
    formatOthers(facts)
  }`;
}

function formatSeveral({ settlementCount }: Facts): string {
  return settlementCount === null || settlementCount < 2
    ? ""
    : ` in ${settlementCount} settlements of one transaction`;
}

/** A deployment names one auction of a transaction: what is said of it does not hold for the others. */
function formatOthers({ settlementCount, otherOrderUids, auctionId }: Facts): string {
  if (settlementCount === null || settlementCount < 2 || auctionId === null) return "";
  if (otherOrderUids.length === 0) return " Auction and solver are those of the first.";
  const filled = pluralize(otherOrderUids.length, "of its orders", "of its orders");
  return ` ${filled} ${
    otherOrderUids.length === 1 ? "is" : "are"
  } from another settlement, whose auction the deployment does not name.`;
}

function listUnknowns(
  { isFound, settled, auctionId, otherOrderUids }: Facts,
  { time, reading, listed, hasFailed }: {
    readonly time: BlockTime;
    readonly reading: SettlementReading;
    readonly listed: number;
    readonly hasFailed: boolean;
  },
): ReportedUnknown[] {
  if (!isFound) {
    return [{
      what: "transaction",
      why: "It is not a settlement, not indexed yet, or on another network or environment",
      remedy: formatSearch("hash"),
    }];
  }
  return [
    ...time.unknown,
    ...reading.unknown.filter(({ why }) => why !== time.unknown[0]?.why),
    ...time.at !== null || time.unknown.length > 0 ? [] : [{
      what: "time",
      why: "Trades have their block, but not its time",
      remedy: "Pass the URL of a node",
    }],
    ...reading.onchain !== null || reading.unknown.length > 0 ? [] : [{
      what: "chain",
      why: "The service does not report the gas, the calls and the transfers of a settlement",
      remedy: "Pass the URL of a node",
    }],
    ...auctionId !== null || hasFailed ? [] : [{
      what: "auction",
      why: "No response has the competition of the transaction: another environment may have it",
      remedy: "Query the other environment of the network",
    }],
    ...otherOrderUids.length === 0 ? [] : [{
      what: "other_settlements",
      why: "The deployment names one auction per transaction, but this one has several settlements",
      remedy: "Inspect its orders one by one: debug reports name their auctions",
    }],
    ...settled.length === listed ? [] : [{
      what: "fills",
      why: `The trades of ${listed - settled.length} of its orders could not be read`,
      remedy: "Try again",
    }],
  ];
}
