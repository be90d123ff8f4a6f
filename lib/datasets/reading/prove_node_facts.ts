import { blockTimes } from "../../evm/node/block_times.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import { tokenFacts } from "../../evm/node/read_tokens.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, listRawFiles } from "../layout/manifest.ts";
import { readRecords } from "../shards/shard_records.ts";
import type { DatasetProblem } from "./refetch.ts";
import { Sample } from "./chain_rows.ts";

/** Facts of a dataset that a node states too, besides its settlements. */
export interface NodeFacts {
  /** Number of blocks whose timestamps were compared. */
  readonly blocks: number;
  /** Number of tokens whose decimals were compared. */
  readonly tokens: number;
  /** Those that differ, each with both values. */
  readonly differing: readonly DatasetProblem[];
}

/** The node, and how much of a dataset is compared. */
interface NodeFactsOptions {
  /** The node. */
  readonly node: NodeSource;
  /** Number of random blocks; all if absent. */
  readonly sample: number | undefined;
  /** Picks them. */
  readonly seed: number;
  /** Ends the comparison. */
  readonly signal: AbortSignal | undefined;
}

/** Blocks that are compared with one request after another, and held in memory meanwhile. */
const BATCH_SIZE = 10_000;

/**
 * Compares timestamps of kept blocks with block headers, and decimals of `deployment.json` with those
 * that token contracts report. What the node does not have is not compared.
 *
 * @throws {NetworkError} If the node cannot be reached.
 */
export async function compareNodeFacts(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  tokens: readonly { readonly address: string; readonly decimals: number }[],
  { node, sample, seed, signal }: NodeFactsOptions,
): Promise<NodeFacts> {
  const differing: DatasetProblem[] = [];
  let compared = 0;
  const compare = async (kept: ReadonlyMap<number, StoredBlock>) => {
    const times = await blockTimes(node, kept.keys(), { signal });
    for (const [block, at] of times) {
      const { at: keptAt, file } = kept.get(block)!;
      compared++;
      if (keptAt.equals(at)) continue;
      differing.push({
        file,
        problem: `block ${block} is of ${at} on the chain, not of ${keptAt}`,
      });
    }
  };
  const draw = sample === undefined ? null : new Sample<[number, StoredBlock]>(sample, seed);
  let waiting = new Map<number, StoredBlock>();
  for (const { path } of listRawFiles(manifest)) {
    for await (const record of readRecords(paths.file(path))) {
      signal?.throwIfAborted();
      if (record.kind !== "block") continue;
      const block = { at: record.at, file: path };
      if (draw !== null) draw.add(`block ${record.number}`, [record.number, block]);
      else waiting.set(record.number, block);
      if (waiting.size < BATCH_SIZE) continue;
      await compare(waiting);
      waiting = new Map();
    }
  }
  await compare(draw === null ? waiting : new Map(draw.values));
  const facts = await tokenFacts(node, tokens.map(({ address }) => address), { signal });
  for (const { address, decimals } of tokens) {
    const reported = facts.get(address.toLowerCase())?.decimals ?? decimals;
    if (reported === decimals) continue;
    differing.push({
      file: "deployment.json",
      problem: `token ${address} reports ${reported} decimals, not ${decimals}`,
    });
  }
  return { blocks: compared, tokens: facts.size, differing };
}

interface StoredBlock {
  /** Its timestamp, as it is kept. */
  readonly at: Temporal.Instant;
  /** File of the response. */
  readonly file: string;
}
