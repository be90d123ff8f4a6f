import { DEFAULT_CONCURRENCY, mapInOrder, type MapInOrderOptions } from "../../endpoints/calls.ts";
import { HttpStatusError, InputError } from "../../errors/mod.ts";
import { checkOptions, isWhole, requireList } from "../../errors/option_rules.ts";
import { headerCall, NOT_FOUND_CODES, readHeader } from "./block_at.ts";
import { refusedBy } from "./json_rpc.ts";
import {
  type CachedNode,
  type CacheLine,
  nodeOf,
  type NodeSource,
  nowSeconds,
  openCache,
} from "./node_source.ts";
import {
  CACHED_RPC_OPTIONS,
  type CachedRpcOptions,
  CALLS_PER_REQUEST,
  type RpcAnswer,
  type RpcNode,
} from "./rpc_batches.ts";

const ACTION = "Cannot get block times";

const WANTED = "block times";

/**
 * Gets the timestamps of blocks from a node, 100 blocks per request; fewer if it rejects that.
 *
 * With `cacheFolder`, a block is requested once: each batch is stored when it arrives, so that an
 * interrupted call loses at most as many as are sent at once. A block that was less than an hour old when it was fetched may
 * still be replaced by a reorganization; it is requested again after ten minutes. A chain is
 * recognized by its id and its first block, so use another folder for a local fork of a network. A
 * source in the same process that does not have the first block is not cached.
 *
 * @param source A node of the network, or an equivalent: its URL, a sandbox, a recording. Keys in a
 * URL are never shown.
 * @param blocks Block numbers, in any order; duplicates are requested once.
 * @param options Options of requests, and `cacheFolder`.
 * @returns Timestamps by block number, ascending, in whole seconds as chains have them. A block that
 * the node does not have is absent.
 * @throws {InputError} If a block number is not a whole number of at least 0, `source` is not a
 * node, or an option is invalid.
 * @throws {MismatchError} If the node returns another block.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid answer or an error, or a block's timestamp is before
 * that of an earlier block.
 * @see {@link https://ethereum.org/en/developers/docs/apis/json-rpc/#eth_getblockbynumber | eth_getBlockByNumber}
 *
 * @example A node with two blocks
 * ```ts
 * import { blockTimes } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const seconds = new Map([["0x64", "0x6920a8f0"], ["0x65", "0x6920a8fc"]]);
 * const node = {
 *   rpc: (calls: readonly { params: readonly unknown[] }[]) =>
 *     Promise.resolve(calls.map(({ params: [number] }) => {
 *       const timestamp = seconds.get(String(number));
 *       return { result: timestamp === undefined ? null : { number, timestamp } };
 *     })),
 * };
 *
 * const times = await blockTimes(node, [101, 100, 999]);
 *
 * assertEquals([...times].map(([block, time]) => [block, `${time}`]), [
 *   [100, "2025-11-21T18:01:20Z"],
 *   [101, "2025-11-21T18:01:32Z"],
 * ]);
 * ```
 */
export async function blockTimes(
  source: NodeSource,
  blocks: Iterable<number>,
  options: CachedRpcOptions = {},
): Promise<Map<number, Temporal.Instant>> {
  checkOptions(options, CACHED_RPC_OPTIONS, ACTION);
  requireList(blocks, { action: ACTION, expected: "an array of block numbers" });
  const wanted = [...new Set(Array.from(blocks, checkedBlock))].sort((a, b) => a - b);
  const ask = nodeOf(source, WANTED, options);
  if (wanted.length === 0) return new Map();
  const cache = await openBlockCache({ source, ask, wanted: WANTED }, options);
  const cached = await cache.read(wanted);
  const seconds = new Map(cached);
  const { concurrency = DEFAULT_CONCURRENCY, signal } = options;
  const fetching = { ask, cache, sending: { concurrency, signal } };
  await fetchInto(seconds, wanted.filter((block) => !cached.has(block)), fetching);
  if (earlierThanBefore(wanted, seconds) !== null && cached.size > 0) {
    // The cache is of another chain, such as a fork: the node decides.
    await fetchInto(seconds, [...cached.keys()], fetching);
  }
  const place = earlierThanBefore(wanted, seconds);
  if (place !== null) throw unordered(place);
  return new Map(wanted.flatMap((block) => {
    const at = seconds.get(block);
    return at === undefined
      ? []
      : [[block, Temporal.Instant.fromEpochMilliseconds(at * 1_000)] as const];
  }));
}

/** Fetches the timestamps of blocks, and stores each batch in order. */
async function fetchInto(
  seconds: Map<number, number>,
  blocks: readonly number[],
  { ask, cache, sending }: { ask: RpcNode; cache: BlockCache; sending: MapInOrderOptions },
): Promise<void> {
  const chunks: (readonly number[])[] = [];
  for (let start = 0; start < blocks.length; start += CALLS_PER_REQUEST) {
    chunks.push(blocks.slice(start, start + CALLS_PER_REQUEST));
  }
  const askFor = async (some: readonly number[]) => ({
    some,
    answers: await ask(some.map(headerCall)),
  });
  for await (const { some, answers } of mapInOrder(chunks, askFor, sending)) {
    const found = new Map<number, number>();
    for (const [index, block] of some.entries()) {
      const at = secondsOf(answers[index]!, block);
      if (at === null) seconds.delete(block);
      else found.set(block, at);
    }
    for (const [block, at] of found) seconds.set(block, at);
    await cache.append(found);
  }
}

function checkedBlock(block: number): number {
  if (isWhole(block, 0)) return block;
  throw new InputError(`${ACTION}: ${String(block).slice(0, 80)} is not a block number`, {
    remedy: "Pass whole numbers of at least 0, such as the `blockNumber` of trades",
  });
}

/** The timestamp of a block; `null` if the node does not have it. */
function secondsOf(answer: RpcAnswer, block: number): number | null {
  const isOther = "error" in answer && !NOT_FOUND_CODES.includes(answer.error.code);
  if (isOther) throw refusedBy(answer, WANTED);
  return readHeader(answer, block, WANTED)?.timestamp ?? null;
}

/** The first block whose timestamp is before that of an earlier block. */
function earlierThanBefore(
  blocks: readonly number[],
  seconds: ReadonlyMap<number, number>,
): number | null {
  let latest = 0;
  for (const block of blocks) {
    const at = seconds.get(block) ?? latest;
    if (at < latest) return block;
    latest = at;
  }
  return null;
}

function unordered(block: number): HttpStatusError {
  return new HttpStatusError(
    `Cannot use the answers about ${WANTED}: block ${block} has an earlier timestamp than a block before it`,
    {
      request: "eth_getBlockByNumber",
      status: 200,
      body: "",
      remedy: "Check that all answers come from one node of one network",
    },
  );
}

/** Blocks per file, so that reading one stays fast however much is cached. */
const BLOCKS_PER_FILE = 100_000;

/** Age at fetching from which no reorganization replaces a block. */
const FINAL_AFTER_SECONDS = 3_600;

/** How long a younger block stays valid in the cache. */
const FRESH_SECONDS = 600;

/** Opens the timestamps of a chain's blocks on disk, in files of 100,000 blocks each. */
async function openBlockCache(node: CachedNode, options: CachedRpcOptions) {
  const open = await openCache(node, options);
  const fileOf = (part: number) => open?.(`block_times_${part}`);

  /** A line's block and timestamp, unless a reorganization may have replaced the block since. */
  function usable([block, at, fetchedAt]: CacheLine): [number, number][] {
    if (!isWhole(block, 0) || !isWhole(at, 0) || !isWhole(fetchedAt, 0)) return [];
    const isFinal = fetchedAt - at >= FINAL_AFTER_SECONDS;
    const isFresh = Math.abs(nowSeconds(options) - fetchedAt) < FRESH_SECONDS;
    return isFinal || isFresh ? [[block, at]] : [];
  }

  return {
    /** The cached timestamps of some of these blocks. */
    async read(blocks: readonly number[]): Promise<Map<number, number>> {
      const found = new Map<number, number>();
      for (const [part, wanted] of byPart(blocks)) {
        const known = new Map((await fileOf(part)?.read() ?? []).flatMap(usable));
        for (const block of wanted) {
          const at = known.get(block);
          if (at !== undefined) found.set(block, at);
        }
      }
      return found;
    },
    /** Stores timestamps. */
    async append(seconds: ReadonlyMap<number, number>): Promise<void> {
      const now = nowSeconds(options);
      for (const [part, blocks] of byPart(seconds.keys())) {
        await fileOf(part)?.append(blocks.map((block) => [block, seconds.get(block)!, now]));
      }
    },
  };
}

type BlockCache = Awaited<ReturnType<typeof openBlockCache>>;

function byPart(blocks: Iterable<number>): Map<number, number[]> {
  return Map.groupBy(blocks, (block) => Math.floor(block / BLOCKS_PER_FILE));
}
