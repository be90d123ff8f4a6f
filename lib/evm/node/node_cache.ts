import { InputError } from "../../errors/mod.ts";
import { systemClock } from "../../http/mod.ts";
import { malformedAnswer, resultOf, type RpcNode } from "./json_rpc.ts";
import { LineCache } from "./line_cache.ts";
import type { CachedRpcOptions, RpcOptions } from "./rpc_options.ts";

/** Opens a file of the cache of one chain. */
export type OpenFile = (name: string) => LineCache;

/**
 * Opens the cache of one chain. Chains are told apart by their id and the hash of their first block,
 * since local chains often have the id of a public one.
 *
 * @returns Opens a file of the cache by name; `null` if no folder is given.
 * @throws {InputError} If the folder cannot be used.
 */
export async function openCache(
  ask: RpcNode,
  wanted: string,
  { cacheFolder }: CachedRpcOptions,
): Promise<OpenFile | null> {
  if (cacheFolder === undefined) return null;
  if (cacheFolder === "") {
    throw new InputError(`Cannot cache ${wanted}: the folder has no name`, {
      remedy: "Pass the path of a folder as cacheFolder, or leave it out",
    });
  }
  const chain = `${await chainIdOf(ask, wanted)}_${await firstHashOf(ask)}`;
  return (name) => new LineCache(cacheFolder, `${name}_${chain}`);
}

/** Seconds since the unix epoch. */
export function nowSeconds({ clock = systemClock }: RpcOptions): number {
  return Math.floor(clock.now() / 1_000);
}

async function chainIdOf(ask: RpcNode, wanted: string): Promise<number> {
  const [answer] = await ask([{ method: "eth_chainId", params: [] }]);
  const result = resultOf(answer!, wanted);
  const id = typeof result === "string" && /^0x[0-9a-f]+$/i.test(result) ? Number(result) : NaN;
  if (!Number.isSafeInteger(id)) throw malformedAnswer(result, wanted, "it has no chain id");
  return id;
}

/** Start of the hash of block 0; `0` where the node does not have the block. */
async function firstHashOf(ask: RpcNode): Promise<string> {
  const [answer] = await ask([{ method: "eth_getBlockByNumber", params: ["0x0", false] }]);
  const block = "result" in answer! ? answer.result : null;
  const hash = typeof block === "object" && block !== null ? Reflect.get(block, "hash") : null;
  const start = typeof hash === "string" ? /^0x([0-9a-f]{8})/i.exec(hash)?.[1] : undefined;
  return start?.toLowerCase() ?? "0";
}
