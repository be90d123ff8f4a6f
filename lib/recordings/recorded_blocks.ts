import type { Exchange } from "./exchange.ts";

const RPC = /^\/rpc(?:\?|$)/;
const QUANTITY = /^0x[0-9a-f]{1,13}$/i;

/** Whether an exchange is a call of a node, as datasets keep those for timestamps of blocks. */
export function isRpc({ method, path }: Exchange): boolean {
  return method === "POST" && RPC.test(path);
}

/** The block of an answer to `eth_getBlockByNumber`; `null` for other exchanges. */
export function recordedBlock(exchange: Exchange): { number: number; seconds: number } | null {
  if (!isRpc(exchange) || exchange.status !== 200) return null;
  const { method } = parsed(exchange.requestBody ?? "");
  const { number, timestamp } = Object(parsed(exchange.responseBody).result);
  const isBlock = method === "eth_getBlockByNumber" &&
    [number, timestamp].every((value) => typeof value === "string" && QUANTITY.test(value));
  return isBlock ? { number: Number(number), seconds: Number(timestamp) } : null;
}

/** Timestamps of blocks by number, in unix seconds, among exchanges. */
export function recordedBlocks(exchanges: Iterable<Exchange>): Record<string, number> {
  const blocks: Record<string, number> = {};
  for (const exchange of exchanges) {
    const block = recordedBlock(exchange);
    if (block !== null) blocks[block.number] = block.seconds;
  }
  return blocks;
}

function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}
