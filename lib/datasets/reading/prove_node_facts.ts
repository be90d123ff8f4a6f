import { blockTimes } from "../../evm/node/block_times.ts";
import type { NodeSource } from "../../evm/node/node_source.ts";
import { tokenFacts } from "../../evm/node/read_tokens.ts";
import type { DatasetPaths } from "../layout/files.ts";
import { type DatasetManifest, listRaws } from "../layout/manifest.ts";
import { readRecords } from "../shards/shard_records.ts";
import type { DatasetProblem } from "./refetch.ts";
import { Sample } from "./chain_rows.ts";

/** Facts of a dataset that were compared with a node, other than its settlements. */
export interface NodeFacts {
  /** Number of blocks whose timestamps were compared. */
  readonly blocks: number;
  /** Number of tokens whose decimals were compared. */
  readonly tokens: number;
  /** Those that differ, each with both values. */
  readonly differing: readonly DatasetProblem[];
}

/** The node, and how much of a dataset is compared with it. */
export interface ProofOptions {
  readonly node: NodeSource;
  readonly sample: number | undefined;
  readonly seed: number;
  readonly signal: AbortSignal | undefined;
}

/** Blocks that are compared together, and held in memory meanwhile. */
const BATCH_SIZE = 10_000;

/**
 * Compares timestamps of stored blocks with block headers, and decimals of `deployment.json` with those
 * that token contracts report, where the node has them.
 *
 * @throws {NetworkError} If the node cannot be reached.
 */
export async function compareNodeFacts(
  paths: DatasetPaths,
  manifest: DatasetManifest,
  tokens: readonly { readonly address: string; readonly decimals: number }[],
  { node, sample, seed, signal }: ProofOptions,
): Promise<NodeFacts> {
  const differing: DatasetProblem[] = [];
  let compared = 0;
  const compare = async (batch: ReadonlyMap<number, StoredBlock>) => {
    const times = await blockTimes(node, batch.keys(), { signal });
    for (const [block, time] of times) {
      const { at: keptAt, file } = batch.get(block)!;
      compared++;
      if (keptAt.equals(time)) continue;
      differing.push({
        file,
        problem: `block ${block} is of ${time} on the chain, not of ${keptAt}`,
      });
    }
  };
  const draw = sample === undefined ? null : new Sample<[number, StoredBlock]>(sample, seed);
  let pending = new Map<number, StoredBlock>();
  for (const { path } of listRaws(manifest)) {
    for await (const record of readRecords(paths.file(path))) {
      signal?.throwIfAborted();
      if (record.kind !== "block") continue;
      const block = { at: record.at, file: path };
      if (draw !== null) draw.add(`block ${record.number}`, [record.number, block]);
      else pending.set(record.number, block);
      if (pending.size < BATCH_SIZE) continue;
      await compare(pending);
      pending = new Map();
    }
  }
  await compare(draw === null ? pending : new Map(draw.values));
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
  readonly at: Temporal.Instant;
  readonly file: string;
}
