import { blockTimes } from "../../evm/node/block_times.ts";
import { CALLS_PER_REQUEST } from "../../evm/node/rpc_batches.ts";
import { padded, shardName } from "../layout/shard_name.ts";
import type { ExportState } from "../state/export_state.ts";
import type { Item, Outcome } from "../state/items.ts";
import type { Asking } from "./asking.ts";
import { keptAnswer } from "./capture.ts";

/** Age from which no reorganization replaces a block. */
const FINAL_AFTER_MS = 3_600_000;
const STANDS_IN = "stands in ";

/** What is asked for of a shard: a block that several shards name is asked for by each. */
export function blockKey(block: number, shard: number): string {
  return `${padded(block)} ${shardName(shard)}`;
}

/**
 * Asks a node for timestamps of blocks, 100 at a time. Each is kept as the call for it and, of the
 * answer, number and timestamp, so that a rebuild needs no node.
 *
 * A block that the node does not have has failed, and is asked for again in the next run; times that
 * need it are intervals meanwhile.
 *
 * @throws {NetworkError} If the node cannot be reached; likewise {@linkcode TimeoutError}.
 * @throws {HttpError} If it answers with an error, or contradicts itself.
 */
export async function* askBlocks(
  { node, state, signal, now }: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  if (node === null) return;
  for (let start = 0; start < items.length; start += CALLS_PER_REQUEST) {
    signal?.throwIfAborted();
    const some = items.slice(start, start + CALLS_PER_REQUEST);
    const times = await blockTimes(
      node,
      some.map(({ key }) => Number.parseInt(key)),
      signal === undefined ? {} : { signal },
    );
    for (const item of some) yield outcomeOf(state, item, times, now());
  }
}

function outcomeOf(
  state: ExportState,
  item: Item,
  times: ReadonlyMap<number, Temporal.Instant>,
  nowMs: number,
): Outcome {
  const block = Number.parseInt(item.key);
  const at = times.get(block)?.epochMilliseconds;
  if (at === undefined) {
    const note = `The node does not have block ${block}`;
    return { item, state: "failed", isFinal: false, note, next: [], answers: [] };
  }
  const other = publisherOf(state, item.key);
  const isFinal = nowMs - at > FINAL_AFTER_MS;
  return {
    item,
    state: "present",
    isFinal,
    ...other === null ? {} : { note: `${STANDS_IN}${other}` },
    next: [],
    answers: [answerOf(block, at / 1_000, other)],
  };
}

/** The shard whose table has the block already; `null` if that is the item's own. */
function publisherOf(state: ExportState, key: string): string | null {
  const [block = ""] = key.split(" ");
  const [other] = state.rows<{ key: string }>(
    `SELECT key FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND key <> ?
     AND state = 'present' AND (note IS NULL OR note NOT LIKE '${STANDS_IN}%') LIMIT 1`,
    `${block} `,
    `${block}!`,
    key,
  );
  return other?.key.slice(block.length + 1) ?? null;
}

function answerOf(block: number, seconds: number, other: string | null) {
  const number = `0x${block.toString(16)}`;
  const about = { jsonrpc: "2.0", id: 1 };
  return keptAnswer({
    method: "POST",
    path: other === null ? "/rpc" : `/rpc?in=${other}`,
    requestBody: JSON.stringify({
      ...about,
      method: "eth_getBlockByNumber",
      params: [number, false],
    }),
    status: 200,
    contentType: "application/json",
    responseBody: JSON.stringify({
      ...about,
      result: { number, timestamp: `0x${seconds.toString(16)}` },
    }),
  });
}
