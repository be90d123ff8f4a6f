import { another, type BlockHeader, headerCall, readHeader } from "./block_header.ts";
import { type FundingUnknown, fundingUnknown } from "./funding.ts";
import type { RpcNode } from "./json_rpc.ts";
import { nodeOf, type NodeSource } from "./node_source.ts";
import type { RpcOptions } from "./rpc_options.ts";

/** How to look for a block. */
export interface BlockAtOptions extends RpcOptions {
  /** Times of some blocks, between which it is looked for. @default {none} */
  readonly known?: ReadonlyMap<number, Temporal.Instant>;
}

const WANTED = "the block of a time";
/** Blocks per request: a range shrinks to a seventeenth. */
const PROBES = 16;
/** How far behind a time the latest block may be and still be the last one before it. */
const MOST_BEHIND_SECONDS = 300;

/**
 * The last block that was produced at a time or before: its state was the latest one then.
 *
 * Between two known blocks it takes one or two requests, otherwise about seven.
 *
 * @returns That the node does not have it, where a time is before its first block or minutes after
 * its latest one.
 * @throws {MismatchError} If the node returns another block, or timestamps that are not ascending.
 */
export async function blockAt(
  source: NodeSource,
  time: Temporal.Instant,
  { known = new Map(), ...sending }: BlockAtOptions = {},
): Promise<BlockHeader | FundingUnknown> {
  const ask = nodeOf(source, WANTED, sending);
  const seconds = Math.floor(time.epochMilliseconds / 1_000);
  const numbers = [...known.keys()].sort((a, b) => a - b);
  const isBefore = (block: number) => known.get(block)!.epochMilliseconds <= time.epochMilliseconds;
  const [first, last] = await headers(ask, [
    numbers.findLast(isBefore) ?? "earliest",
    numbers.find((block) => !isBefore(block)) ?? "latest",
  ]);
  if (first == null || first.timestamp > seconds) return missing(time, "is before its first block");
  if (last == null) return missing(time, "cannot be found: it has no latest block");
  if (last.timestamp <= seconds) {
    return seconds - last.timestamp <= MOST_BEHIND_SECONDS
      ? last
      : missing(time, `is after its latest block, ${last.number}`);
  }
  return await between(ask, { first, last, seconds }) ??
    missing(time, `cannot be found: it lacks blocks between ${first.number} and ${last.number}`);
}

/** Where to look: the time is at or after the first block, and before the last one. */
interface Range {
  readonly first: BlockHeader;
  readonly last: BlockHeader;
  readonly seconds: number;
}

async function between(ask: RpcNode, range: Range): Promise<BlockHeader | null> {
  let { first, last } = range;
  while (last.number - first.number > 1) {
    const inner = last.number - first.number - 1;
    const count = Math.min(PROBES, inner);
    const start = first.number;
    const places = Array.from(
      { length: count },
      (_, place) => start + Math.floor(((place + 1) * (inner + 1)) / (count + 1)),
    );
    const found = (await headers(ask, places)).filter((header) => header !== null);
    if (found.length === 0) return null;
    requireAscending([first, ...found, last]);
    first = found.findLast(({ timestamp }) => timestamp <= range.seconds) ?? first;
    last = found.find(({ timestamp }) => timestamp > range.seconds) ?? last;
  }
  return first;
}

async function headers(
  ask: RpcNode,
  blocks: readonly (number | "latest" | "earliest")[],
): Promise<(BlockHeader | null)[]> {
  const answers = await ask(blocks.map(headerCall));
  return answers.map((answer, place) => {
    const block = blocks[place]!;
    return readHeader(answer, typeof block === "number" ? block : null, WANTED);
  });
}

function requireAscending(blocks: readonly BlockHeader[]): void {
  for (const [place, { timestamp, number }] of blocks.entries()) {
    const before = blocks[place - 1]?.timestamp ?? timestamp;
    if (timestamp >= before) continue;
    throw another(`timestamp of block ${number}`, `at least ${before}`, `${timestamp}`);
  }
}

function missing(time: Temporal.Instant, why: string): FundingUnknown {
  return fundingUnknown(
    "no_such_block",
    null,
    `The node does not have the block of ${time}, which ${why}`,
  );
}
