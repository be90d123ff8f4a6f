import { InputError } from "../../errors/mod.ts";
import { systemClock } from "../../http/mod.ts";
import { malformedAnswer, resultOf, type RpcNode } from "./json_rpc.ts";
import { CHAIN_ID_CALL, chainIdIn } from "./chain_id.ts";
import { LineCache } from "./line_cache.ts";
import type { NodeSource } from "./node_source.ts";
import type { CachedRpcOptions, RpcOptions } from "./rpc_options.ts";

/** Opens a file of the cache of one chain. */
export type OpenFile = (name: string) => LineCache;

/** A node whose answers are cached. */
export interface CachedNode {
  /** Where it is. */
  readonly source: NodeSource;
  /** Calls it. */
  readonly ask: RpcNode;
  /** What is requested, for errors. */
  readonly wanted: string;
}

/**
 * Opens the cache of one chain. Chains are distinguished by their id and the hash of their first block,
 * since local chains often have the id of a public one. A source in the same process that does not
 * have the first block, such as a recording, is not cached: nothing distinguishes its chain from others.
 *
 * @returns Opens a file of the cache by name; `null` if nothing is cached.
 * @throws {InputError} If the folder cannot be used.
 */
export async function openCache(
  { source, ask, wanted }: CachedNode,
  { cacheFolder }: CachedRpcOptions,
): Promise<OpenFile | null> {
  if (cacheFolder === undefined) return null;
  if (cacheFolder === "") {
    throw new InputError(`Cannot cache ${wanted}: the path of the folder is empty`, {
      remedy: "Pass the path of a folder as cacheFolder, or leave it out",
    });
  }
  const chainId = await chainIdOf(ask, wanted);
  const hash = await firstHashOf(ask);
  if (hash === null && typeof source === "object" && "rpc" in source) return null;
  return (name) => new LineCache(cacheFolder, `${chainId}_${hash ?? "0"}_${name}`);
}

/** Seconds since the unix epoch. */
export function nowSeconds({ clock = systemClock }: RpcOptions): number {
  return Math.floor(clock.now() / 1_000);
}

async function chainIdOf(ask: RpcNode, wanted: string): Promise<number> {
  const [answer] = await ask([CHAIN_ID_CALL]);
  const id = chainIdIn(answer);
  if (id === undefined) {
    throw malformedAnswer(resultOf(answer!, wanted), wanted, "it has no chain id");
  }
  return id;
}

/** Start of the hash of block 0; `null` where the node does not have the block. */
async function firstHashOf(ask: RpcNode): Promise<string | null> {
  const [answer] = await ask([{ method: "eth_getBlockByNumber", params: ["0x0", false] }]);
  const block = "result" in answer! ? answer.result : null;
  const hash = typeof block === "object" && block !== null ? Reflect.get(block, "hash") : null;
  const start = typeof hash === "string" ? /^0x([0-9a-f]{8})/i.exec(hash)?.[1] : undefined;
  return start?.toLowerCase() ?? null;
}
