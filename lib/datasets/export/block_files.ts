import { InputError } from "../../errors/mod.ts";
import type { RpcAnswer, RpcCall, RpcNode } from "../../evm/node/rpc_batches.ts";
import { isMissing, localFiles } from "../../http/local_files.ts";
import { scanParquet } from "../../tables/columns/frame_files.ts";
import { DatasetPaths, escapePattern } from "../layout/files.ts";

/** Timestamps of blocks from files, in place of a node. */
export interface BlockFiles {
  /** Serves `eth_getBlockByNumber` for the blocks of the files. */
  readonly rpc: RpcNode;
  /** Number of blocks. */
  readonly count: number;
}

const ACTION = "Cannot read timestamps of blocks from";
/** Error code of JSON-RPC for a method that does not exist. */
const UNKNOWN_METHOD = -32601;

/**
 * Reads timestamps of blocks from Parquet files, such as the `blocks` that
 * [cryo](https://github.com/paradigmxyz/cryo) extracts, or the table `blocks` of a dataset: for the
 * option `node` of an export, or `auctionTimes`.
 *
 * The columns are `block_number`, and `timestamp` in unix seconds or `timestamp_ms`.
 *
 * @param path A file, or a folder with `.parquet` files.
 * @throws {InputError} If there is no such file, or it lacks the columns.
 *
 * @example Blocks of an earlier export
 * ```ts
 * import { connect } from "orderlens";
 * import { blockFiles, exportDataset } from "orderlens/datasets";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const [first, second] = [await Deno.makeTempDir(), await Deno.makeTempDir()];
 * const recording = await replay("market_3");
 * const options = { auctions: { from: 760, to: 765 }, tables: ["auctions", "blocks"] };
 * await exportDataset(connect(recording), first, { ...options, node: recording });
 *
 * const node = await blockFiles(`${first}/blocks`);
 * const { manifest } = await exportDataset(connect(recording), second, { ...options, node });
 *
 * assertEquals(manifest.items.block, { present: node.count });
 * for (const folder of [first, second]) await Deno.remove(folder, { recursive: true });
 * ```
 */
export async function blockFiles(path: string | URL): Promise<BlockFiles> {
  const file = new DatasetPaths(path).folder;
  const pattern = await isFolder(file) ? `${escapePattern(file)}/*.parquet` : escapePattern(file);
  // Blocks of a whole chain are more than a Map can hold.
  let numbers: Float64Array;
  let seconds: Float64Array;
  try {
    const frame = await scanParquet(pattern).collect();
    const [unit, perSecond] = frame.columns.includes("timestamp_ms")
      ? ["timestamp_ms", 1_000] as const
      : ["timestamp", 1] as const;
    const rows = frame.select("block_number", unit).sort("block_number");
    numbers = Float64Array.from(rows.getColumn("block_number").toArray(), Number);
    seconds = Float64Array.from(rows.getColumn(unit).toArray(), (time) => Number(time) / perSecond);
  } catch (cause) {
    throw createReadError(file, cause);
  }
  const isWhole = [numbers, seconds].every((values) => values.every(Number.isSafeInteger));
  if (!isWhole) throw createReadError(file);
  return {
    count: numbers.length,
    rpc: (calls) => Promise.resolve(calls.map((call) => answerCall(call, numbers, seconds))),
  };
}

function answerCall(
  { method, params: [number] }: RpcCall,
  numbers: Float64Array,
  seconds: Float64Array,
): RpcAnswer {
  if (method !== "eth_getBlockByNumber") {
    return { error: { code: UNKNOWN_METHOD, message: "files of blocks have timestamps alone" } };
  }
  const timestamp = seconds[findIndex(numbers, Number(number))];
  if (timestamp === undefined) return { result: null };
  return { result: { number, timestamp: `0x${timestamp.toString(16)}` } };
}

/** Finds the index of a number among ascending ones; -1 if absent. */
function findIndex(numbers: Float64Array, target: number): number {
  let [low, high] = [0, numbers.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (numbers[middle]! < target) low = middle + 1;
    else high = middle;
  }
  return numbers[low] === target ? low : -1;
}

async function isFolder(path: string): Promise<boolean> {
  try {
    return (await localFiles().stat(path)).isDirectory();
  } catch (error) {
    if (isMissing(error)) throw createReadError(path, error);
    throw error;
  }
}

function createReadError(path: string, cause?: unknown): InputError {
  return new InputError(`${ACTION} ${path}`, {
    facts: { reason: cause instanceof Error ? cause.message.split("\n")[0]! : "not whole numbers" },
    remedy: "Pass Parquet files with the columns `block_number` and `timestamp` in unix seconds",
    cause,
  });
}
