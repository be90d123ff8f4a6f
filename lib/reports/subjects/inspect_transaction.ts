import type { OrderBook } from "../../client/order_book.ts";
import { checkedHex } from "../../endpoints/calls.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import type { Competition } from "../../schemas/mod.ts";
import { sameHex } from "../../units/mod.ts";
import { ask, recordOf } from "../order/gather_evidence.ts";
import {
  deploymentOf,
  type ReportedDeployment,
  type ReportedUnknown,
  reportNode,
  type TimelineBasis,
} from "../order/order_report.ts";
import { createdOrders } from "../order/programmatic_orders.ts";
import { namesOf } from "../order/report_parts.ts";
import type { ReportedProgrammaticOrder } from "../order/verdicts.ts";
import { INSPECT_NOUN_OPTIONS, type InspectNounOptions } from "../order/inspect_order.ts";
import { counted } from "../../units/format.ts";
import { type BlockTime, readBlockTime } from "./block_time.ts";
import { type SettledOrder, settledOrders, tradesByUid } from "./settled_orders.ts";

/** What one settlement transaction did: plain data. */
export interface TransactionReport {
  /** Always `orderlens/inspect-transaction@1`. */
  readonly schema: "orderlens/inspect-transaction@1";
  /** Hash that was asked for, in lower case. */
  readonly txHash: string;
  /** Where. */
  readonly deployment: ReportedDeployment;
  /** What it did, as one sentence. */
  readonly sentence: string;
  /** Whether the deployment knows it as a settlement, or it created programmatic orders. */
  readonly isFound: boolean;
  /** Its block; `null` without a fill. */
  readonly block: number | null;
  /** Timestamp of the block; `null` without a node. */
  readonly at: Temporal.Instant | null;
  /** How the time is known; `null` without one. */
  readonly basis: TimelineBasis | null;
  /** Auction that it settled; `null` if unknown. */
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
  /** TWAPs and other programmatic orders that it created; empty without a node. */
  readonly programmatic: readonly ReportedProgrammaticOrder[];
  /** What cannot be determined. */
  readonly unknown: readonly ReportedUnknown[];
}

const ACTION = "Cannot inspect a transaction";

/**
 * What one settlement transaction did: its auction and solver, and the orders that it settled, with
 * fees.
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
  checkedHex(txHash, "a hash");
  const { node, solvers, signal } = options;
  const hash = txHash.toLowerCase();
  const reported = reportNode(node, { chainId: book.chainId, signal });
  const [listed, asked, programmatic] = await Promise.all([
    ask(() => book.transactionOrders(hash, { signal })),
    ask(() => book.competition(hash, { signal })),
    createdOrders(book, { txHash: hash }, { node: reported, signal }),
  ]);
  const orders = recordOf(listed) ?? [];
  const competition = recordOf(asked);
  const nameOf = namesOf(solvers, book);
  const trades = await tradesByUid(book, orders.map(({ uid }) => uid), signal);
  const settled = settledOrders(book, orders, {
    ...{ trades, competition, nameOf },
    transactions: [hash],
  });
  const block = settled[0]?.fills[0]?.blockNumber ?? null;
  const time = await readBlockTime(reported, block, signal);
  const { at } = time;
  const solution = solutionOf(competition, hash);
  const solver = solution?.solverAddress ?? null;
  const deadline = competition?.auctionDeadlineBlock;
  const isSettlement = orders.length > 0 || competition !== null;
  const facts = {
    isFound: isSettlement || programmatic.found.length > 0,
    block,
    auctionId: competition?.auctionId ?? null,
    blocksLate: block === null || deadline === undefined ? null : block - deadline,
    solver,
    solverName: solver === null ? null : nameOf(solver),
    settled,
    programmatic: programmatic.found,
  };
  return {
    schema: "orderlens/inspect-transaction@1",
    txHash: hash,
    deployment: deploymentOf(book),
    sentence: sentenceOf(facts),
    at,
    basis: at === null ? null : "block",
    ranking: solution?.ranking ?? null,
    score: solution?.score ?? null,
    ...facts,
    unknown: [
      ...facts.isFound && !isSettlement ? [] : unknownOf(facts, { time, listed: orders.length }),
      ...programmatic.unknown.filter(({ why }) => why !== time.unknown[0]?.why),
    ],
  };
}

/** The solution that the transaction settled; the only winner, where old answers have no hashes. */
function solutionOf(competition: Competition | null, hash: string) {
  if (competition === null) return undefined;
  const winners = competition.solutions.filter(({ isWinner }) => isWinner);
  return competition.solutions.find(({ txHash }) => txHash != null && sameHex(txHash, hash)) ??
    (winners.length === 1 ? winners[0] : undefined);
}

type Facts = Pick<
  TransactionReport,
  | "isFound"
  | "block"
  | "auctionId"
  | "blocksLate"
  | "solver"
  | "solverName"
  | "settled"
  | "programmatic"
>;

function sentenceOf(
  { isFound, block, auctionId, blocksLate, solver, solverName, settled, programmatic }: Facts,
): string {
  if (settled.length === 0 && auctionId === null && programmatic.length > 0) {
    const sentences = programmatic.map(({ sentence }) => sentence);
    return `Created ${counted(programmatic.length, "programmatic order")}. ${sentences.join(" ")}`;
  }
  if (!isFound) return "This deployment does not know the transaction as a settlement.";
  const where = block === null ? "" : ` in block ${block}`;
  const from = auctionId === null ? "" : `, from auction ${auctionId}`;
  const by = solver === null ? "" : `, by ${solverName ?? solver}`;
  const late = blocksLate !== null && blocksLate > 0
    ? `, ${counted(blocksLate, "block")} after the deadline`
    : "";
  return `Settled ${counted(settled.length, "order")}${where}${from}${by}${late}.`;
}

function unknownOf(
  { isFound, settled, auctionId }: Facts,
  { time, listed }: { readonly time: BlockTime; readonly listed: number },
): ReportedUnknown[] {
  if (!isFound) {
    return [{
      what: "transaction",
      why: "It is not a settlement, not indexed yet, or of another network or environment",
      remedy:
        "Ask the other networks and environments: `locate` in code, `orderlens inspect` without --network",
    }];
  }
  return [
    ...time.unknown,
    ...time.at !== null || time.unknown.length > 0 ? [] : [{
      what: "time",
      why: "Trades have their block, and no time",
      remedy: "Pass the URL of a node",
    }],
    ...auctionId !== null ? [] : [{
      what: "auction",
      why: "The deployment has no competition of the transaction: another environment may have it",
      remedy: "Ask the other environment of the network",
    }],
    ...settled.length === listed ? [] : [{
      what: "fills",
      why: `The trades of ${listed - settled.length} of its orders could not be read`,
      remedy: "Ask again",
    }],
  ];
}
