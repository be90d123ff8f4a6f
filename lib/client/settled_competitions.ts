import {
  DEFAULT_CONCURRENCY,
  ignoreNotFound,
  mapInOrder,
  reorderByStride,
  splitIntoChunks,
} from "../endpoints/calls.ts";
import { InputError } from "../errors/mod.ts";
import { checkOptions, defineRule, type OptionRules } from "../errors/option_rules.ts";
import { type NodeSource, requireChain, requireNode } from "../evm/node/node_source.ts";
import type { SettlementLog } from "../evm/node/read_settlement_logs.ts";
import {
  openSettlementWindows,
  SETTLEMENT_LOGS_OPTIONS,
  type SettlementLogsOptions,
} from "../evm/node/settlement_windows.ts";
import type { Competition } from "../schemas/mod.ts";
import { OrderBook } from "./order_book.ts";

/** An auction that settled. */
export interface SettledCompetition {
  /** The settlement by which it was found; `competition` names its others. */
  readonly settlement: SettlementLog;
  /**
   * The competition; `null` if the deployment has none for the settlement: it is of the other
   * environment, is no auction of the protocol, or is not indexed yet.
   */
  readonly competition: Competition | null;
}

/** Options of {@linkcode settledCompetitions}: those of requests to the node. */
export interface SettledCompetitionsOptions extends SettlementLogsOptions {
  /** Maximum number of concurrent requests to the node, and to the deployment. @default {4} */
  readonly concurrency?: number;
}

const OPTIONS: OptionRules<SettledCompetitionsOptions> = SETTLEMENT_LOGS_OPTIONS;

const ACTION = "Cannot get competitions that settled";
/** Settlements whose auctions are held in memory at once. */
const CHUNK_SIZE = 64;

/**
 * Gets the competitions that settled in a range of blocks: finds settlements by the logs of the
 * settlement contract, and requests the auction of each by its transaction. That takes fewer requests
 * than walking ids where most of them are absent. Auctions that settled nothing in
 * these blocks are left out: shares and rates over all auctions need `book.competitions`.
 *
 * An auction names all its transactions, and is requested by one of them.
 *
 * @param book The deployment.
 * @param source A node of its network, or an equivalent: its URL, a sandbox, a recording. Keys in a
 * URL are never shown.
 * @param blocks First and last block, both inclusive.
 * @param options Options of requests.
 * @returns One item per auction, and one per settlement without one, in the order of settlements.
 * @throws {InputError} If `book`, `source`, the blocks or an option are invalid, or the node does not
 * have a block.
 * @throws {MismatchError} If the node's logs are not the requested ones, or a response is about another
 * auction.
 * @throws {DecodeError} If a response is not a competition.
 * @throws {NetworkError} If the node or the deployment cannot be reached.
 * @throws {TimeoutError} If one of them times out.
 * @throws {HttpError} If one of them returns an invalid response, or refuses.
 *
 * @example The auctions of the first settlements of a recording
 * ```ts
 * import { connect, settledCompetitions } from "orderlens";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const recording = await replay("market_3");
 * const blocks = { from: 380, to: 400 };
 *
 * const ids: number[] = [];
 * for await (const { competition } of settledCompetitions(connect(recording), recording, blocks)) {
 *   if (competition !== null) ids.push(competition.auctionId);
 * }
 *
 * assertEquals(ids, [763, 766]);
 * ```
 */
export async function* settledCompetitions(
  book: OrderBook,
  source: NodeSource,
  blocks: { readonly from: number; readonly to: number },
  options: SettledCompetitionsOptions = {},
): AsyncGenerator<SettledCompetition, void, undefined> {
  checkOptions({ book }, { book: BOOK }, ACTION);
  checkOptions(options, OPTIONS, ACTION);
  if (typeof blocks !== "object" || blocks === null) {
    throw new InputError(`${ACTION} without a range of blocks`, { remedy: "Pass { from, to }" });
  }
  const { firstWindow: _, ...sending } = options;
  const { concurrency = DEFAULT_CONCURRENCY, signal } = sending;
  const { from, to } = blocks;
  const { settlementContract } = book;
  const [namedHashes, auctions] = [new Set<string>(), new Set<number>()];
  await requireChain(requireNode(source, "the chain id", sending), book.chainId, ACTION);
  const windows = openSettlementWindows(source, { from, to, settlementContract }, options);
  for await (const { logs } of windows) {
    for (const chunk of splitIntoChunks(logs, CHUNK_SIZE)) {
      yield* fetchAuctions(book, chunk, { namedHashes, auctions, concurrency, signal });
    }
  }
}

const BOOK = defineRule<OrderBook>(
  "an order book from `connect`",
  (value) => value instanceof OrderBook,
);

interface LookupContext {
  /** Transactions that auctions name and whose logs were not read yet. */
  readonly namedHashes: Set<string>;
  /** Ids of auctions that were found. */
  readonly auctions: Set<number>;
  readonly concurrency: number;
  readonly signal: AbortSignal | undefined;
}

async function* fetchAuctions(
  book: OrderBook,
  logs: readonly SettlementLog[],
  { namedHashes, auctions, concurrency, signal }: LookupContext,
): AsyncGenerator<SettledCompetition, void, undefined> {
  const competitionByLog = new Map<SettlementLog, Competition | null>();
  const unresolved = reorderByStride(logs, Math.ceil(logs.length / concurrency)).filter((
    { txHash },
  ) => !namedHashes.has(txHash));
  const fetchCompetition = async (settlement: SettlementLog, callSignal: AbortSignal) => ({
    settlement,
    competition: await book.competition(settlement.txHash, { signal: callSignal })
      .catch(ignoreNotFound),
  });
  for await (
    const { settlement, competition } of mapInOrder(unresolved, fetchCompetition, {
      concurrency,
      signal,
    })
  ) {
    if (competition !== null && auctions.has(competition.auctionId)) continue;
    competitionByLog.set(settlement, competition);
    if (competition === null) continue;
    auctions.add(competition.auctionId);
    for (const hash of competition.transactionHashes) namedHashes.add(hash.toLowerCase());
  }
  for (const log of logs) {
    namedHashes.delete(log.txHash);
    const competition = competitionByLog.get(log);
    if (competition !== undefined) yield { settlement: log, competition };
  }
}
