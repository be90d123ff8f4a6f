import { mapInOrder, reorderByStride } from "../../endpoints/calls.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { InputError, MismatchError, NotFoundError } from "../../errors/mod.ts";
import { type NodeSource, requireNode } from "../../evm/node/node_source.ts";
import { GET_RECEIPT } from "../../evm/node/read_settlement_logs.ts";
import { openSettlementWindows } from "../../evm/node/settlement_windows.ts";
import type { Competition } from "../../schemas/mod.ts";
import { DAY_MS } from "../../units/instant.ts";
import { padId, toShard, WALKED_SETTLEMENTS } from "../layout/files.ts";
import type { BlockRange } from "../layout/manifest.ts";
import type { Item, Outcome } from "../state/export_state.ts";
import { type OutcomeWriter, writeOutcomes } from "../state/write_outcomes.ts";
import { competitionOutcome } from "./fetch_competitions.ts";
import { flushInBatches } from "./fetch_shard.ts";
import {
  ExchangeRecorder,
  type ExportContext,
  firstRequestedBefore,
  PERMANENTLY_ABSENT,
  presentOutcome,
  readBlock,
  toFailure,
  toStored,
} from "./export_context.ts";

/** Constant over runs, so that the same settlement leads to an auction. */
const STRIDE = 16;
/** Auctions that are written together. */
const BATCH_SIZE = 32;

/**
 * Finds the settlements of a range of blocks by their logs, and fetches the auction of each by its
 * transaction. An auction names all its transactions, so that its other settlements are not requested.
 * Each response is stored as if the auction had been requested by its id.
 *
 * @returns The shards that have auctions, and the least and the greatest id.
 * @throws {InputError} If the blocks have no settlement of an auction that the service knows.
 * @throws {MismatchError} If the node left out the log of a settlement that an auction names.
 */
export async function walkSettlements(
  walk: WalkContext,
): Promise<{ shards: number[]; range: { from: number; to: number } }> {
  await findSettlements(walk);
  await fetchAuctions(walk);
  await requireLogged(walk);
  return summarizeWalk(walk);
}

/** Adds the settlements of all windows that no earlier run read. */
async function findSettlements(walk: WalkContext): Promise<void> {
  const { context: { state, signal, settlementContract }, node, blocks: { from, to } } = walk;
  const next = Number(state.readMeta("walkedTo") ?? from - 1) + 1;
  if (next > to) return;
  const range = { from: next, to, settlementContract };
  for await (const { to: end, logs } of openSettlementWindows(node, range, { signal })) {
    state.runInTransaction(() => {
      for (const { txHash, blockNumber } of logs) {
        // Texts sort like blocks.
        state.add("settlement", `${padId(blockNumber)} ${txHash}`, WALKED_SETTLEMENTS);
      }
      state.setMeta("walkedTo", String(end));
    });
    walk.onWritten();
  }
}

interface SettlementResult {
  readonly item: Item;
  readonly competition: Competition | null;
  readonly outcome: Outcome;
}

async function fetchAuctions(walk: WalkContext): Promise<void> {
  const { context, writer } = walk;
  const { state, concurrency, signal } = context;
  const keys = new Map(
    state.query<{ key: string }>("SELECT key FROM items WHERE kind = 'settlement' ORDER BY key")
      .map(({ key }) => [parseHash(key), key]),
  );
  const pending = new Map(
    state.listPending(WALKED_SETTLEMENTS, "settlement", writer.round).map((
      item,
    ) => [item.key, item]),
  );
  const done = new Set<string>();
  // Settlements of one auction are neighbours: while one is requested, the others wait.
  const openItems = reorderByStride([...keys.values()], STRIDE)
    .filter((key) => pending.has(key) && !done.has(key)).map((key) => pending.get(key)!);
  const fetch = async (item: Item, signal: AbortSignal) => {
    const result = await fetchAuction(context, item, signal);
    for (const hash of result.competition?.transactionHashes ?? []) {
      const key = keys.get(hash.toLowerCase());
      if (key !== undefined) done.add(key);
    }
    return result;
  };
  const results = mapInOrder(openItems, fetch, { concurrency, signal });
  await flushInBatches(results, BATCH_SIZE, ({ outcome }) => outcome.responses, async (some) => {
    await writeResults(walk, some, keys);
    walk.onWritten();
  });
}

async function fetchAuction(
  context: ExportContext,
  item: Item,
  signal: AbortSignal,
): Promise<SettlementResult> {
  const recorder = new ExchangeRecorder(context.transport);
  try {
    const competition = await getCompetition(recorder, parseHash(item.key), { signal });
    context.failures.inRow = 0;
    const key = padId(competition.auctionId);
    const shard = toShard(competition.auctionId);
    const auction = { kind: "competition", key, shard, state: null, firstAskedMs: null } as const;
    const path = `/api/v2/solver_competition/${competition.auctionId}`;
    const responses = recorder.takeAll().slice(-1).map((exchange) =>
      toStored({ ...exchange, path })
    );
    const outcome = competitionOutcome(competition, auction, context);
    return { item, competition, outcome: { item: auction, ...outcome, responses } };
  } catch (error) {
    const isUnknown = error instanceof NotFoundError;
    const isFinal = firstRequestedBefore(DAY_MS, item, context.now());
    const outcome = isUnknown
      ? { ...PERMANENTLY_ABSENT, isFinal }
      : toFailure(context, error, signal);
    if (isUnknown) context.failures.inRow = 0;
    return { item, competition: null, outcome: { item, ...outcome, responses: [] } };
  }
}

/** Writes auctions into their shards, and the outcomes of their settlements. */
async function writeResults(
  { writer, context: { state } }: WalkContext,
  results: readonly SettlementResult[],
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const present = results.flatMap(({ competition, outcome }) =>
    competition === null ? [] : outcome
  );
  for (const [shard, shardOutcomes] of Map.groupBy(present, ({ item }) => item.shard)) {
    // The first response about an auction counts: others may name its transactions in another order.
    const outcomes = shardOutcomes.filter(({ item: { key } }, index) =>
      shardOutcomes.findIndex(({ item }) => item.key === key) === index &&
      state.queryRow(PRESENT, key) === undefined
    );
    for (const { item: { key } } of outcomes) state.add("competition", key, shard);
    await writeOutcomes(writer, shard, outcomes);
  }
  state.runInTransaction(() => {
    const time = { round: writer.round, nowMs: writer.now() };
    for (const { item, competition, outcome } of results) {
      if (competition === null) {
        state.recordOutcome(item, outcome, time);
        continue;
      }
      for (const hash of [parseHash(item.key), ...competition.transactionHashes]) {
        const txHash = hash.toLowerCase();
        const key = keys.get(txHash) ?? `${UNLOGGED} ${txHash}`;
        if (!keys.has(txHash)) state.add("settlement", key, WALKED_SETTLEMENTS);
        else state.recordOutcome({ kind: "settlement", key }, presentOutcome(true), time);
      }
    }
  });
}

const PRESENT = "SELECT 1 FROM items WHERE kind = 'competition' AND key = ? AND state = 'present'";

function summarizeWalk(
  { context: { state }, blocks: { from, to } }: WalkContext,
): { shards: number[]; range: { from: number; to: number } } {
  const auctions = "items WHERE kind = 'competition'";
  const ends = state.queryRow<{ least: string | null; greatest: string | null }>(
    `SELECT min(key) AS least, max(key) AS greatest FROM ${auctions}`,
  );
  if (ends?.least == null || ends.greatest === null) {
    const sql = "SELECT count(*) AS settlements FROM items WHERE kind = 'settlement'";
    const row = state.queryRow<{ settlements: number }>(sql);
    throw new InputError(`Cannot export: no auction that settled in blocks ${from} to ${to}`, {
      facts: { "settlements in these blocks": row?.settlements ?? 0 },
      remedy:
        "Pass blocks with settlements, and the environment whose auctions they settled: production and staging share the contract",
    });
  }
  return {
    shards: state.listShards(auctions),
    range: { from: Number(ends.least), to: Number(ends.greatest) },
  };
}

/**
 * Requires that settlements which auctions name, but no log does, are in other blocks: this detects a
 * node that leaves out logs. A missing receipt proves nothing.
 *
 * @throws {MismatchError} If one is in the walked blocks; the next run reads their logs again.
 */
async function requireLogged(
  { context: { state, signal }, node, blocks: { from, to } }: WalkContext,
): Promise<void> {
  const unlogged = state.query<{ key: string }>(
    `SELECT key FROM items WHERE kind = 'settlement' AND key LIKE '${UNLOGGED} %' AND shard = ?`,
    WALKED_SETTLEMENTS,
  ).map(({ key }) => key);
  if (unlogged.length === 0) return;
  const ask = requireNode(node, "receipts of settlements", { signal });
  const replies = await ask(
    unlogged.map((key) => ({ method: GET_RECEIPT, params: [parseHash(key)] })),
  );
  const sql = "DELETE FROM items WHERE kind = 'settlement' AND key = ?";
  state.runInTransaction(() => unlogged.forEach((key) => state.run(sql, key)));
  for (const [index, key] of unlogged.entries()) {
    const receipt = replies[index]!;
    const block = readBlock(receipt);
    const hasSucceeded = "result" in receipt && Object(receipt.result).status === "0x1";
    if (!hasSucceeded || block === null || block < from || block > to) continue;
    state.run("DELETE FROM meta WHERE name = 'walkedTo'");
    throw new MismatchError({
      request: "eth_getLogs",
      field: "logs",
      asked: `settlements of blocks ${from} to ${to}`,
      answered: `none of transaction ${parseHash(key)} in block ${block}`,
      remedy: "Retry, or pass another node: this one leaves out logs",
    });
  }
}

interface WalkContext {
  readonly context: ExportContext;
  readonly writer: OutcomeWriter;
  /** The node whose logs name the settlements. */
  readonly node: NodeSource;
  readonly blocks: BlockRange;
  readonly onWritten: () => void;
}

/** Prefix of the key of a settlement that an auction names and no log does. */
const UNLOGGED = "unlogged";

/** Returns the hash in a settlement's key. */
function parseHash(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}
