import { MismatchError } from "../../errors/mod.ts";
import type { RpcAnswer } from "../../evm/node/json_rpc.ts";
import { nodeOf } from "../../evm/node/node_source.ts";
import { RECEIPT } from "../../evm/node/settlement_calls.ts";
import { WALKED_SETTLEMENTS } from "../layout/shard_name.ts";
import { hashIn, UNLOGGED, type Walking } from "./walking.ts";

/**
 * Requires that the settlements which auctions name, and no log does, are of other blocks: a node that
 * leaves out logs is noticed by them. A receipt that it does not have tells nothing.
 *
 * @throws {MismatchError} If one is of the walked blocks; the next run reads their logs again.
 */
export async function requireLogged(
  { asking: { state, signal }, node, blocks: { from, to } }: Walking,
): Promise<void> {
  const unlogged = state.rows<{ key: string }>(
    "SELECT key FROM items WHERE kind = 'settlement' AND key LIKE ? AND shard = ?",
    `${UNLOGGED} %`,
    WALKED_SETTLEMENTS,
  ).map(({ key }) => key);
  if (unlogged.length === 0) return;
  const ask = nodeOf(node, "receipts of settlements", signal === undefined ? {} : { signal });
  const answers = await ask(
    unlogged.map((key) => ({ method: RECEIPT, params: [hashIn(key)] })),
  );
  state.inOneStep(() => {
    for (const key of unlogged) {
      state.run("DELETE FROM items WHERE kind = 'settlement' AND key = ?", key);
    }
  });
  for (const [place, key] of unlogged.entries()) {
    const block = blockOf(answers[place]!);
    if (block === null || block < from || block > to) continue;
    state.run("DELETE FROM meta WHERE name = 'walkedTo'");
    throw new MismatchError({
      request: "eth_getLogs",
      field: "logs",
      asked: `settlements of blocks ${from} to ${to}`,
      answered: `none of transaction ${hashIn(key)} in block ${block}`,
      remedy: "Retry, or pass another node: this one leaves out logs",
    });
  }
}

/** Block of a settlement that succeeded; `null` where the node has no receipt. */
function blockOf(answer: RpcAnswer): number | null {
  const { blockNumber, status } = Object("result" in answer ? answer.result : null);
  const isBlock = typeof blockNumber === "string" && /^0x[0-9a-f]{1,13}$/i.test(blockNumber);
  return isBlock && status === "0x1" ? Number(blockNumber) : null;
}
