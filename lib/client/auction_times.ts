import { checkOptions, type OptionRules } from "../errors/option_rules.ts";
import { InputError } from "../errors/mod.ts";
import { isWhole } from "../errors/is_whole.ts";
import { requireList } from "../errors/require_list.ts";
import { blockTimes } from "../evm/node/block_times.ts";
import type { NodeSource } from "../evm/node/node_source.ts";
import { CACHED_RPC_OPTIONS, type CachedRpcOptions } from "../evm/node/rpc_options.ts";
import type { DatedAuction } from "../metrics/auctions/auction_brackets.ts";
import { AuctionTimes } from "../metrics/auctions/auction_times.ts";
import { type ByUid, byUidRule } from "../metrics/by_uid.ts";
import { list } from "../metrics/option_kinds.ts";
import type { DebugReport, Order, Trade } from "../schemas/mod.ts";

/** Records besides the auctions, and options of requests to the node. */
export interface GatherTimesOptions extends CachedRpcOptions {
  /** Orders of the auctions: their creation dates bound times if no block is known. */
  readonly orders?: ByUid<Pick<Order, "creationDate">>;
  /** Fills: the timestamps of their blocks are requested too. */
  readonly trades?: Iterable<Pick<Trade, "blockNumber">>;
  /** Debug reports of orders: their events say when fills were indexed. */
  readonly debugReports?: Iterable<DebugReport>;
}

const OPTIONS: OptionRules<GatherTimesOptions> = {
  ...CACHED_RPC_OPTIONS,
  orders: byUidRule("orders"),
  trades: list(),
  debugReports: list(),
};

const ACTION = "Cannot get times of auctions";

/**
 * Gets the times of auctions and fills, for the option `times` of tables: the timestamps of their
 * blocks from a node; otherwise events of debug reports, and intervals that follow from the dates
 * of orders.
 *
 * @param source A node of the network, or an equivalent: its URL, a sandbox, a recording; `null`
 * without one. Keys in a URL are never shown.
 * @param competitions Auctions of one network and environment, in any order: consecutive ones, if
 * times must follow from the dates of orders.
 * @param options Orders, trades and debug reports; options of requests to the node; `cacheFolder`, in
 * which timestamps are cached.
 * @returns The times, by auction and by block.
 * @throws {InputError} If the source is not a node, or an option is unknown or invalid.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer, or an error.
 *
 * @example The times of a recording without a node
 * ```ts
 * import { auctionTimes, connect } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { solutionsTable } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const book = connect(tape);
 * const found = await Array.fromAsync(book.competitions({ last: 3 }));
 * const competitions = found.flatMap(({ competition }) => competition ?? []);
 * const { orders } = await book.orders(competitions.flatMap(({ auction }) => auction.orders));
 *
 * const times = await auctionTimes(null, competitions, { orders });
 *
 * const [row] = solutionsTable(competitions, { times }).toRecords();
 * assertEquals([row?.time_basis, row?.auction_at === row?.auction_time_min], ["bracketed", true]);
 * ```
 */
export async function auctionTimes(
  source: NodeSource | null,
  competitions: Iterable<DatedAuction>,
  options: GatherTimesOptions = {},
): Promise<AuctionTimes> {
  checkOptions(options, OPTIONS, ACTION);
  requireList(competitions, { action: ACTION, expected: "an array of decoded competitions" });
  const { orders, trades = [], debugReports, ...sending } = options;
  const auctions = [...competitions];
  auctions.forEach(requireDecoded);
  const known = {
    ...orders && { orders },
    ...debugReports && { debugReports },
  };
  if (source === null) return new AuctionTimes(auctions, known);
  const blocks = new Set(auctions.map(({ auctionStartBlock }) => auctionStartBlock));
  for (const trade of trades) blocks.add(Object(trade).blockNumber);
  return new AuctionTimes(auctions, {
    ...known,
    blockTimes: await blockTimes(source, blocks, sending),
  });
}

/** Items of `book.competitions()` hold the competition; taken for it, they would have no time. */
function requireDecoded(competition: unknown, place: number): void {
  const { auctionId, auctionStartBlock, auction } = Object(competition);
  if (isWhole(auctionId, 0) && isWhole(auctionStartBlock, 0) && Array.isArray(auction?.orders)) {
    return;
  }
  throw new InputError(`${ACTION}: item ${place} is no decoded competition`, {
    remedy: "Pass decoded competitions, such as the `competition` of each item of `competitions()`",
  });
}
