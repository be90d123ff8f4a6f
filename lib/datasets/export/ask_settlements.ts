import { HttpError, MismatchError, UnansweredError } from "../../errors/mod.ts";
import { hideWholeSecrets } from "../../errors/secrets.ts";
import { blockTimes } from "../../evm/node/block_times.ts";
import type { RpcAnswer, RpcCall } from "../../evm/node/json_rpc.ts";
import { nodeOf, type NodeSource } from "../../evm/node/node_source.ts";
import { settlementCalls } from "../../evm/node/settlement_calls.ts";
import { padded } from "../layout/shard_name.ts";
import { settlementReader } from "../shards/node_settlement.ts";
import type { Item, KeptAnswer, Outcome } from "../state/items.ts";
import type { Asking } from "./asking.ts";
import { keptAnswer } from "./capture.ts";

/** Settlements per request, which has two calls for each. */
const SETTLEMENTS_PER_REQUEST = 50;
/** Age from which no reorganization replaces a block. */
const FINAL_AFTER_MS = 3_600_000;

type Answers = readonly [transaction: RpcAnswer, receipt: RpcAnswer];

/** A settlement whose answers are kept, and its block. */
interface Usable {
  readonly item: Item;
  readonly block: number | null;
  readonly note: string | null;
  readonly answers: readonly KeptAnswer[];
}

/**
 * Asks a node for transaction and receipt of settlements, 50 settlements at a time. Both are kept as
 * calls with the answers of the node, so that a rebuild needs no node.
 *
 * A settlement that the node does not have, or whose answers contradict each other, has failed, and
 * is asked for again in the next run. A transaction that does not call the settlement contract itself
 * is kept, and its row says so. One that is younger than an hour is asked for again.
 *
 * @throws {NetworkError} If the node cannot be reached; likewise {@linkcode TimeoutError}.
 * @throws {HttpError} If it refuses a whole request.
 */
export async function* askSettlements(
  asking: Asking,
  items: readonly Item[],
): AsyncGenerator<Outcome, void, undefined> {
  const { node, signal, settlementContract } = asking;
  if (node === null) return;
  const read = await settlementReader(settlementContract);
  const ask = nodeOf(node, "settlements", signal === undefined ? {} : { signal });
  for (let start = 0; start < items.length; start += SETTLEMENTS_PER_REQUEST) {
    signal?.throwIfAborted();
    const some = items.slice(start, start + SETTLEMENTS_PER_REQUEST);
    const answers = await ask(some.flatMap(({ key }) => settlementCalls(key)));
    const usable: Usable[] = [];
    for (const [place, item] of some.entries()) {
      const own: Answers = [answers[2 * place]!, answers[2 * place + 1]!];
      const found = read(item.key, own);
      if (found.is === "missing" || found.is === "unusable") {
        const { why: note } = found;
        yield { item, state: "failed", isFinal: false, note, next: [], answers: [] };
        continue;
      }
      usable.push({
        item,
        block: found.is === "settlement" ? found.settlement.blockNumber : blockOf(own[1]),
        note: found.is === "settlement" ? null : found.why,
        answers: settlementCalls(item.key).map((call, of) => lineOf(call, own[of]!)),
      });
    }
    const final = await finalBlocks(asking, node, usable.flatMap(({ block }) => block ?? []));
    for (const { item, block, note, answers } of usable) {
      yield {
        item,
        state: "present",
        isFinal: block === null || final === null
          ? isKnownLong(item, asking.now())
          : final.has(block),
        ...note === null ? {} : { note },
        next: [],
        answers,
      };
    }
  }
}

function isKnownLong({ firstAskedMs }: Item, nowMs: number): boolean {
  return firstAskedMs !== null && nowMs - firstAskedMs > FINAL_AFTER_MS;
}

function blockOf(receipt: RpcAnswer): number | null {
  const { blockNumber } = "result" in receipt ? Object(receipt.result) : {};
  const isNumber = typeof blockNumber === "string" && /^0x[0-9a-f]{1,13}$/i.test(blockNumber);
  return isNumber ? Number(blockNumber) : null;
}

function lineOf(call: RpcCall, answer: RpcAnswer): KeptAnswer {
  const about = { jsonrpc: "2.0", id: 1 };
  const result = "result" in answer ? answer.result : null;
  return keptAnswer({
    method: "POST",
    path: "/rpc",
    requestBody: JSON.stringify({ ...about, ...call }),
    status: 200,
    contentType: "application/json",
    responseBody: hideWholeSecrets(JSON.stringify({ ...about, result })),
  });
}

/**
 * Which blocks are so old that no reorganization replaces them: those that were asked for by
 * themselves, and all of them if the latest one is; `null` if the node does not give their times.
 */
async function finalBlocks(
  { state, signal, now }: Asking,
  node: NodeSource,
  blocks: readonly number[],
): Promise<ReadonlySet<number> | null> {
  const isFinal = (block: number) =>
    state.rows(
      `SELECT 1 FROM items WHERE kind = 'block' AND key >= ? AND key < ? AND isFinal = 1 LIMIT 1`,
      `${padded(block)} `,
      `${padded(block)}!`,
    ).length > 0;
  const [known, others] = [new Set(blocks.filter(isFinal)), new Set<number>()];
  for (const block of blocks) if (!known.has(block)) others.add(block);
  if (others.size === 0) return known;
  const latest = Math.max(...others);
  const old = async (some: Iterable<number>) => {
    const times = await blockTimes(node, some, signal === undefined ? {} : { signal });
    return [...times].flatMap(([block, at]) =>
      now() - at.epochMilliseconds > FINAL_AFTER_MS ? [block] : []
    );
  };
  try {
    const found = (await old([latest])).length > 0 ? [...others] : await old(others);
    return new Set([...known, ...found]);
  } catch (error) {
    const isRefusal = error instanceof HttpError || error instanceof MismatchError;
    // Without its time, a settlement is asked for again until it is known for an hour.
    if (isRefusal && !(error instanceof UnansweredError)) return null;
    throw error;
  }
}
