import {
  DEFAULT_CONCURRENCY,
  mapInOrder,
  type MapInOrderOptions,
  splitIntoChunks,
} from "../../endpoints/calls.ts";
import { InputError } from "../../errors/mod.ts";
import { checkOptions, isWhole, requireList } from "../../errors/option_rules.ts";
import { findDescent, NOT_FOUND_CODES, readHeader, toHeaderCall } from "./block_at.ts";
import { toNodeError } from "./json_rpc.ts";
import {
  type CachedNode,
  type CacheLine,
  type NodeSource,
  openCache,
  readClockSeconds,
  requireNode,
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
 * interrupted call loses at most the concurrent ones. A block that was less than an hour old when it was fetched may
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
 * @throws {MismatchError} If the node returns another block, or a timestamp before that of an earlier
 * block.
 * @throws {NetworkError} If the node cannot be reached.
 * @throws {TimeoutError} If it times out.
 * @throws {HttpError} If it returns an invalid response or an error.
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
  const numbers = [...new Set(Array.from(blocks, requireBlockNumber))].sort((a, b) => a - b);
  const ask = requireNode(source, WANTED, options);
  if (numbers.length === 0) return new Map();
  const cache = await openBlockCache({ source, ask, wanted: WANTED }, options);
  const cachedSeconds = await cache.read(numbers);
  const seconds = new Map(cachedSeconds);
  const { concurrency = DEFAULT_CONCURRENCY, signal } = options;
  const fetching = { ask, cache, sending: { concurrency, signal } };
  await fetchTimes(seconds, numbers.filter((block) => !cachedSeconds.has(block)), fetching);
  const listBlocks = () =>
    numbers.flatMap((number) => {
      const timestamp = seconds.get(number);
      return timestamp === undefined ? [] : [{ number, timestamp }];
    });
  if (findDescent(listBlocks()) !== null && cachedSeconds.size > 0) {
    // The cache is of another chain, such as a fork: the node decides.
    await fetchTimes(seconds, [...cachedSeconds.keys()], fetching);
  }
  const blocksWithTime = listBlocks();
  const fault = findDescent(blocksWithTime);
  if (fault !== null) throw fault;
  return new Map(
    blocksWithTime.map(({ number, timestamp }) => [
      number,
      Temporal.Instant.fromEpochMilliseconds(timestamp * 1_000),
    ]),
  );
}

/** Fetches timestamps into `seconds`, removes blocks that the node lacks, and stores each batch in order. */
async function fetchTimes(
  seconds: Map<number, number>,
  blocks: readonly number[],
  { ask, cache, sending }: { ask: RpcNode; cache: BlockCache; sending: MapInOrderOptions },
): Promise<void> {
  const chunks = splitIntoChunks(blocks, CALLS_PER_REQUEST);
  const fetchChunk = async (chunk: readonly number[]) => ({
    some: chunk,
    answers: await ask(chunk.map(toHeaderCall)),
  });
  for await (const { some: chunk, answers } of mapInOrder(chunks, fetchChunk, sending)) {
    const fetched = new Map<number, number>();
    for (const [index, block] of chunk.entries()) {
      const time = readSeconds(answers[index]!, block);
      if (time === null) seconds.delete(block);
      else fetched.set(block, time);
    }
    for (const [block, time] of fetched) seconds.set(block, time);
    await cache.append(fetched);
  }
}

function requireBlockNumber(block: number): number {
  if (isWhole(block, 0)) return block;
  throw new InputError(`${ACTION}: ${String(block).slice(0, 80)} is not a block number`, {
    remedy: "Pass whole numbers of at least 0, such as the `blockNumber` of trades",
  });
}

/** Reads the timestamp of a block; `null` if the node does not have it. */
function readSeconds(answer: RpcAnswer, block: number): number | null {
  const isOther = "error" in answer && !NOT_FOUND_CODES.includes(answer.error.code);
  if (isOther) throw toNodeError(answer, WANTED);
  return readHeader(answer, block, WANTED)?.timestamp ?? null;
}

/** Blocks per file, so that reading one stays fast however much is cached. */
const BLOCKS_PER_FILE = 100_000;

/** Age at fetching from which no reorganization replaces a block. */
const FINAL_AFTER_SECONDS = 3_600;

/** Time for which a younger block stays valid in the cache. */
const FRESH_SECONDS = 600;

/** Opens the timestamps of a chain's blocks on disk, in files of 100,000 blocks each. */
async function openBlockCache(node: CachedNode, options: CachedRpcOptions) {
  const open = await openCache(node, options);
  const openFile = (part: number) => open?.(`block_times_${part}`);

  /** Reads a line's block and timestamp, unless a reorganization may have replaced the block since. */
  function readLine([block, seconds, fetchedAt]: CacheLine): [number, number][] {
    if (!isWhole(block, 0) || !isWhole(seconds, 0) || !isWhole(fetchedAt, 0)) return [];
    const isFinal = fetchedAt - seconds >= FINAL_AFTER_SECONDS;
    const isFresh = Math.abs(readClockSeconds(options) - fetchedAt) < FRESH_SECONDS;
    return isFinal || isFresh ? [[block, seconds]] : [];
  }

  return {
    /** Reads the cached timestamps of these blocks. */
    async read(blocks: readonly number[]): Promise<Map<number, number>> {
      const times = new Map<number, number>();
      for (const [part, numbers] of groupByFile(blocks)) {
        const lines = new Map((await openFile(part)?.read() ?? []).flatMap(readLine));
        for (const block of numbers) {
          const seconds = lines.get(block);
          if (seconds !== undefined) times.set(block, seconds);
        }
      }
      return times;
    },
    /** Stores timestamps. */
    async append(seconds: ReadonlyMap<number, number>): Promise<void> {
      const now = readClockSeconds(options);
      for (const [part, blocks] of groupByFile(seconds.keys())) {
        await openFile(part)?.append(blocks.map((block) => [block, seconds.get(block)!, now]));
      }
    },
  };
}

type BlockCache = Awaited<ReturnType<typeof openBlockCache>>;

function groupByFile(blocks: Iterable<number>): Map<number, number[]> {
  return Map.groupBy(blocks, (block) => Math.floor(block / BLOCKS_PER_FILE));
}
