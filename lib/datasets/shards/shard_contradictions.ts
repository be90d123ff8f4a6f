import { isQuantity } from "../../evm/node/rpc_batches.ts";
import {
  type Contradiction,
  type ContradictionKind,
  findContradictions,
  formatContradiction,
  type ReceiptGas,
} from "../../metrics/mod.ts";
import { listTransactions } from "../../metrics/orders/fills.ts";
import {
  compareExecutedAmounts,
  formatFill,
} from "../../metrics/consistency/order_contradictions.ts";
import { compareFacts } from "../../metrics/consistency/contradiction.ts";
import { compareInstances } from "../../metrics/consistency/instance_contradictions.ts";
import type { Trade } from "../../schemas/mod.ts";
import { HexMap } from "../../units/mod.ts";
import type { DatasetContradiction } from "../layout/manifest.ts";
import type { CoveredBlocks, FactIndex } from "./fact_index.ts";
import type { SettlementResponses } from "./node_settlement.ts";
import type { ResolvedShard } from "./resolve_references.ts";
import type { TableContext } from "./table_context.ts";

/** Contradictions of a kind that a manifest shows. */
const MAX_EXAMPLES = 10;
/** Topic of the settlement contract's event `Trade`. */
const TRADE_TOPIC = "0xa07a543ab8a018198e99ca0184c93fe9050a79400a0a723441f84de1d972cc17";

/** Contradictions of a shard's records, and the fills that are to be requested again. */
interface ShardContradictions {
  readonly contradictions: DatasetContradiction[];
  /** UIDs, in lower case, of orders whose fills do not add up to what they executed. */
  readonly doubtfulFills: string[];
}

/** Finds contradictions of a shard's records, with one another and with referenced records. */
export function findShardContradictions(
  { contents, own, orders: referenced, auctions }: ResolvedShard,
  context: TableContext,
  index: FactIndex,
): ShardContradictions {
  const { times, answeredFills } = contents;
  const orders = own.map(({ order, trades, debugReport }) => ({
    order,
    trades: areFillsKnown(order, answeredFills) ? [...trades] : null,
    debugReport: debugReport ?? null,
  }));
  const { chainId, settlementContract } = context.source;
  const contradictions = countContradictions([
    ...findContradictions({
      orders,
      competitions: auctions,
      times,
      settlements: contents.settlements.flatMap(readGas),
      deployment: { chainId, settlementContract },
    }),
    ...findUnnamedSettlements(
      orders.flatMap(({ trades }) => trades ?? []),
      { competitions: auctions, covered: index.coveredBlocks },
    ),
    ...findMissingRecords(contents, context, index),
    ...compareInstances(contents.instances, {
      competitions: new Map(auctions.map((auction) => [auction.auctionId, auction])),
      orders: new HexMap(referenced.map(({ order }) => [order.uid, order])),
    }),
  ]);
  const doubtfulFills = orders
    .filter(({ order, trades }) =>
      trades !== null && compareExecutedAmounts(order, trades).next().done !== true
    )
    .map(({ order }) => order.uid.toLowerCase());
  return { contradictions, doubtfulFills };
}

/**
 * Finds orders that solutions name, and fills that orders executed, without a stored response:
 * neither that they exist nor that they do not.
 */
function* findMissingRecords(
  contents: ResolvedShard["contents"],
  { tables }: TableContext,
  index: FactIndex,
): Generator<Contradiction> {
  const { competitions, orders, answeredFills } = contents;
  const bids = new Map(
    competitions.flatMap(({ auctionId, solutions }) =>
      solutions.flatMap((solution) =>
        solution.orders.map(({ id }) => [id.toLowerCase(), auctionId] as const)
      )
    ),
  );
  for (const uid of tables.includes("orders") ? index.selectUnanswered(bids.keys()) : []) {
    yield* compareFacts(
      "missing_record",
      `order ${uid}`,
      ["a bid on it", `in auction ${bids.get(uid)}`],
      ["the response for the order", "missing"],
    );
  }
  for (const order of tables.includes("trades") ? orders : []) {
    const { uid, executedSellAmount } = order;
    // Fills of orders that no auction of the dataset bid on are not requested.
    if (areFillsKnown(order, answeredFills) || index.findCounts(uid).bids === 0) continue;
    yield* compareFacts(
      "missing_record",
      `order ${uid}`,
      ["order.executedSellAmount", executedSellAmount],
      ["the response for its fills", "missing"],
    );
  }
}

/** Whether all fills of an order are known: those of an order that executed nothing are none. */
function areFillsKnown(
  { uid, executedSellAmount, executedBuyAmount }: ResolvedShard["own"][number]["order"],
  answeredFills: ReadonlySet<string>,
): boolean {
  return executedSellAmount === 0n && executedBuyAmount === 0n ||
    answeredFills.has(uid.toLowerCase());
}

/**
 * Finds fills in the blocks that the auctions cover whose transaction none of the auctions names. A
 * fill before the first auction could have settled, or after the last one began, is of an auction
 * outside the range.
 */
function* findUnnamedSettlements(
  trades: readonly Trade[],
  { competitions, covered }: {
    readonly competitions: ResolvedShard["auctions"];
    readonly covered: CoveredBlocks | null;
  },
): Generator<Contradiction> {
  if (covered === null) return;
  const hashes = new Set(
    Array.from(competitions).flatMap((competition) =>
      listTransactions(competition).map((hash) => hash.toLowerCase())
    ),
  );
  for (const trade of trades) {
    const { blockNumber, txHash } = trade;
    if (blockNumber < covered.from || blockNumber > covered.to) continue;
    if (txHash === null || hashes.has(txHash.toLowerCase())) continue;
    yield {
      kind: "settlement_auction",
      subject: formatFill(trade),
      facts: [
        { source: "trade.txHash", value: txHash },
        {
          source: `settlements of the auctions that cover blocks ${covered.from} to ${covered.to}`,
          value: "without it: an auction is missing, or another environment settled the order",
        },
      ],
      difference: null,
    };
  }
}

/** Reads gas and number of trades from the receipt of a settlement. */
function readGas({ txHash, receipt }: SettlementResponses): ReceiptGas[] {
  const { gasUsed, effectiveGasPrice, logs } = Object(receipt);
  if (!isQuantity(gasUsed) || !Array.isArray(logs)) return [];
  const trades = logs.filter((log) => Object(Object(log).topics)[0] === TRADE_TOPIC);
  const gasCost = isQuantity(effectiveGasPrice)
    ? BigInt(gasUsed) * BigInt(effectiveGasPrice)
    : null;
  return [{ txHash, gasCost, tradeCount: trades.length }];
}

/** Counts contradictions by kind, with the first of each as text. */
function countContradictions(contradictions: Iterable<Contradiction>): DatasetContradiction[] {
  const counts = new Map<ContradictionKind, { count: number; examples: string[] }>();
  for (const contradiction of contradictions) {
    const counted = counts.get(contradiction.kind) ?? { count: 0, examples: [] };
    counts.set(contradiction.kind, counted);
    counted.count++;
    if (counted.examples.length >= MAX_EXAMPLES) continue;
    counted.examples.push(formatContradiction(contradiction));
  }
  return [...counts].map(([kind, counted]) => ({ kind, ...counted }));
}

/** Adds up the contradictions of several files by kind. */
export function sumContradictions(
  lists: readonly (readonly DatasetContradiction[])[],
): DatasetContradiction[] {
  const kinds = Map.groupBy(lists.flat(), ({ kind }) => kind);
  return [...kinds].sort(([a], [b]) => a < b ? -1 : 1).map(([kind, parts]) => ({
    kind,
    count: parts.reduce((sum, { count }) => sum + count, 0),
    examples: parts.flatMap(({ examples }) => examples).slice(0, MAX_EXAMPLES),
  }));
}
