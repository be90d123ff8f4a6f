import { InputError } from "../errors/mod.ts";
import type { RpcNode } from "../evm/mod.ts";
import { chainNode } from "../evm/node/chain_node.ts";
import { type ChainRecord, readChain } from "./read_chain.ts";
import { RecordedChain, type RecordedChainFacts } from "./recorded_chain.ts";

/** A recorded chain, before its records are read. */
export interface UnreadChain extends Omit<RecordedChainFacts, "chain"> {
  /** Files of the chain's records; with more than one, the chain is ambiguous. */
  readonly chains: readonly (string | URL)[];
  /** Timestamps of blocks among the exchanges, by number, in unix seconds. */
  readonly blocks?: Readonly<Record<string, number>>;
}

/** The node of a recorded chain; its file is read with the first call. */
export function recordedNode(unread: UnreadChain): RpcNode {
  let node: Promise<RpcNode> | undefined;
  return async (calls) => await (await (node ??= openNode(unread)))(calls);
}

async function openNode({ chains, blocks = {}, ...facts }: UnreadChain): Promise<RpcNode> {
  const chain = withBlocks(await oneChain(chains), blocks);
  return chainNode(new RecordedChain({ ...facts, chain }));
}

function withBlocks(
  chain: ChainRecord | null,
  blocks: Readonly<Record<string, number>>,
): ChainRecord | null {
  if (Object.keys(blocks).length === 0) return chain;
  const { settlements = {}, logs = [], blocks: known = {} } = chain ?? {};
  return { settlements, logs, blocks: { ...blocks, ...known } };
}

async function oneChain(chains: readonly (string | URL)[]): Promise<ChainRecord | null> {
  const [file, ...others] = chains;
  if (file === undefined) return null;
  if (others.length === 0) return await readChain(file);
  throw new InputError("Cannot read the chain of a folder: it contains several", {
    facts: { files: chains.join(", ") },
    remedy: "Keep one chain per folder, or replay one of the files",
  });
}
