import { chainNode } from "../../evm/node/chain_node.ts";
import type { RpcNode } from "../../evm/mod.ts";
import { serveJsonRpc } from "../../evm/node/serve_json_rpc.ts";
import type { Market } from "../market/state/market.ts";
import { empty, json, type Reply } from "../wire/reply.ts";
import { MarketChain } from "./market_chain.ts";

/** Four times the number of blocks that a sandbox keeps by default. */
const MOST_BLOCKS = 20_000;

const nodes = new WeakMap<Market, RpcNode>();

/** The node of a market's chain. */
export function marketNode(market: Market): RpcNode {
  let node = nodes.get(market);
  if (node === undefined) {
    node = chainNode(new MarketChain(market), { pause: othersAnswered, mostBlocks: MOST_BLOCKS });
    nodes.set(market, node);
  }
  return node;
}

function othersAnswered(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 0);
  });
}

/** `POST rpc`: JSON-RPC, one call or a batch. */
export async function answerRpc(market: Market, body: string): Promise<Reply> {
  const answer = await serveJsonRpc(body, marketNode(market));
  return answer === null ? empty(204) : { ...json(null), body: answer };
}
