import { InputError } from "../../errors/mod.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import { nodeOf, type NodeSource } from "../../evm/node/node_source.ts";
import { newestBlock } from "../../evm/node/settlement_windows.ts";
import { parseInstant } from "../../units/mod.ts";
import type { BlockRange } from "../layout/manifest.ts";

/** Times with an end, as RFC 3339 text. */
export interface ClosedDates {
  /** First time. */
  readonly from: string;
  /** End, which does not count. */
  readonly to: string;
}

/**
 * The blocks between two times, by their timestamps: found by bisection, with some 50 requests.
 *
 * @throws {InputError} If there are none, the chain has not reached the end, or the node does not have
 *   a block.
 */
export async function blocksOfDates(
  node: NodeSource,
  { from, to }: ClosedDates,
  signal: AbortSignal | undefined,
): Promise<BlockRange> {
  const sending = signal === undefined ? {} : { signal };
  const newest = await newestBlock(nodeOf(node, "the newest block", sending));
  const known = new Map<number, number | null>();
  const timeOf = async (block: number): Promise<number | null> => {
    const before = known.get(block);
    if (before !== undefined) return before;
    const at = (await blockTimes(node, [block], sending)).get(block)?.epochMilliseconds ?? null;
    known.set(block, at);
    return at;
  };
  const reached = await timeOf(newest);
  if (reached === null) throw missing(newest);
  if (reached < msOf(to)) {
    throw new InputError(`Cannot export: the chain has not reached ${to} yet`, {
      facts: { "newest block": newest },
      remedy: "Pass an earlier end, or try again later",
    });
  }
  const first = await firstFrom(timeOf, newest, msOf(from));
  const end = await firstFrom(timeOf, newest, msOf(to));
  // A node may have no old blocks: those that it lacks are not known to be before the range.
  const isBegin = first === 0 || await timeOf(first) === msOf(from);
  if (!isBegin && await timeOf(first - 1) === null) throw missing(first - 1);
  if (first < end) return { from: first, to: end - 1 };
  throw new InputError(`Cannot export: no block from ${from} and before ${to}`, {
    remedy: "Pass a longer range",
  });
}

/** The first block that is not before a time; the newest one is not, and old ones may be missing. */
async function firstFrom(
  timeOf: (block: number) => Promise<number | null>,
  newest: number,
  atMs: number,
): Promise<number> {
  let [low, high] = [0, newest];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await timeOf(middle) ?? -Infinity) < atMs) low = middle + 1;
    else high = middle;
  }
  return low;
}

function missing(block: number): InputError {
  return new InputError(`Cannot export: the node does not have block ${block}`, {
    remedy: "Pass a node that has all blocks of the network, or a range of blocks",
  });
}

function msOf(instant: string): number {
  return parseInstant(instant).epochMilliseconds;
}
