import { mapInOrder, reorderByStride } from "../../endpoints/calls.ts";
import { getCompetition } from "../../endpoints/competitions.ts";
import { InputError, MismatchError, NotFoundError } from "../../errors/mod.ts";
import { type NodeSource, requireNode } from "../../evm/node/node_source.ts";
import { RECEIPT } from "../../evm/node/read_settlement_logs.ts";
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
  toStoredResponse,
} from "./export_context.ts";

/** The same in each run, so that the same settlement leads to an auction. */
const STRIDE = 16;
/** Auctions that are kept together. */
const BATCH_SIZE = 32;

/**
 * Finds the settlements of a range of blocks by their logs, and asks for the auction of each by its
 * transaction. An auction names all its transactions, so that its other settlements are not asked
 * for. Each answer is kept as if the auction had been asked for by its id.
 *
 * @returns The shards that have auctions, and the least and the greatest id.
 * @throws {InputError} If the blocks have no settlement of an auction that the service knows.
 * @throws {MismatchError} If the node left out the log of a settlement that an auction names.
 */
export async function walkSettlements(
  walking: WalkContext,
): Promise<{ shards: number[]; range: { from: number; to: number } }> {
  await findSettlements(walking);
  await fetchAuctions(walking);
  await requireLogged(walking);
  return summarizeWalk(walking);
}

/** Notes the settlements of all windows that were not read in an earlier run. */
async function findSettlements(walking: WalkContext): Promise<void> {
  const { context: { state, signal, settlementContract }, node, blocks: { from, to } } = walking;
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
    walking.onWritten();
  }
}

/** What one request came to. */
interface SettlementResult {
  readonly item: Item;
  readonly competition: Competition | null;
  readonly outcome: Outcome;
}

async function fetchAuctions(walking: WalkContext): Promise<void> {
  const { context: asking, writer: keeping } = walking;
  const { state, concurrency, signal } = asking;
  const keys = new Map(
    state.queryRows<{ key: string }>("SELECT key FROM items WHERE kind = 'settlement' ORDER BY key")
      .map(({ key }) => [parseHash(key), key]),
  );
  const pending = new Map(
    state.listPending(WALKED_SETTLEMENTS, "settlement", keeping.round).map((
      item,
    ) => [item.key, item]),
  );
  const done = new Set<string>();
  // Settlements of one auction are neighbours: while one is asked for, the others wait.
  const open = reorderByStride([...keys.values()], STRIDE)
    .filter((key) => pending.has(key) && !done.has(key)).map((key) => pending.get(key)!);
  const ask = async (item: Item, ended: AbortSignal) => {
    const answered = await fetchAuction(asking, item, ended);
    for (const hash of answered.competition?.transactionHashes ?? []) {
      const key = keys.get(hash.toLowerCase());
      if (key !== undefined) done.add(key);
    }
    return answered;
  };
  const answered = mapInOrder(open, ask, { concurrency, signal });
  await flushInBatches(answered, BATCH_SIZE, ({ outcome }) => outcome.responses, async (some) => {
    await writeResults(walking, some, keys);
    walking.onWritten();
  });
}

async function fetchAuction(
  asking: ExportContext,
  item: Item,
  signal: AbortSignal,
): Promise<SettlementResult> {
  const capture = new ExchangeRecorder(asking.transport);
  try {
    const competition = await getCompetition(capture, parseHash(item.key), { signal });
    asking.failures.inRow = 0;
    const key = padId(competition.auctionId);
    const shard = toShard(competition.auctionId);
    const auction = { kind: "competition", key, shard, state: null, firstAskedMs: null } as const;
    const path = `/api/v2/solver_competition/${competition.auctionId}`;
    const answers = capture.takeAll().slice(-1).map((one) => toStoredResponse({ ...one, path }));
    const ending = competitionOutcome(competition, auction, asking);
    return { item, competition, outcome: { item: auction, ...ending, responses: answers } };
  } catch (error) {
    const isUnknown = error instanceof NotFoundError;
    const isFinal = firstRequestedBefore(DAY_MS, item, asking.now());
    const ending = isUnknown
      ? { ...PERMANENTLY_ABSENT, isFinal }
      : toFailure(asking, error, signal);
    if (isUnknown) asking.failures.inRow = 0;
    return { item, competition: null, outcome: { item, ...ending, responses: [] } };
  }
}

/** Keeps auctions in their shards, and what became of their settlements. */
async function writeResults(
  { writer: keeping, context: { state } }: WalkContext,
  answered: readonly SettlementResult[],
  keys: ReadonlyMap<string, string>,
): Promise<void> {
  const found = answered.flatMap(({ competition, outcome }) => competition === null ? [] : outcome);
  for (const [shard, own] of Map.groupBy(found, ({ item }) => item.shard)) {
    // The first answer about an auction counts: others may name its transactions in another order.
    const outcomes = own.filter(({ item: { key } }, at) =>
      own.findIndex(({ item }) => item.key === key) === at &&
      state.queryRow(IS_PRESENT, key) === undefined
    );
    for (const { item: { key } } of outcomes) state.add("competition", key, shard);
    await writeOutcomes(keeping, shard, outcomes);
  }
  state.runInTransaction(() => {
    const asked = { round: keeping.round, nowMs: keeping.now() };
    for (const { item, competition, outcome } of answered) {
      if (competition === null) {
        state.recordOutcome(item, outcome, asked);
        continue;
      }
      for (const hash of [parseHash(item.key), ...competition.transactionHashes]) {
        const txHash = hash.toLowerCase();
        const key = keys.get(txHash) ?? `${UNLOGGED} ${txHash}`;
        if (!keys.has(txHash)) state.add("settlement", key, WALKED_SETTLEMENTS);
        else state.recordOutcome({ kind: "settlement", key }, presentOutcome(true), asked);
      }
    }
  });
}

const IS_PRESENT =
  "SELECT 1 FROM items WHERE kind = 'competition' AND key = ? AND state = 'present'";

function summarizeWalk(
  { context: { state }, blocks: { from, to } }: WalkContext,
): { shards: number[]; range: { from: number; to: number } } {
  const auctions = "items WHERE kind = 'competition'";
  const ends = state.queryRow<{ least: string | null; greatest: string | null }>(
    `SELECT min(key) AS least, max(key) AS greatest FROM ${auctions}`,
  );
  if (ends?.least == null || ends.greatest === null) {
    const sql = "SELECT count(*) AS settlements FROM items WHERE kind = 'settlement'";
    const counted = state.queryRow<{ settlements: number }>(sql);
    throw new InputError(`Cannot export: no auction that settled in blocks ${from} to ${to}`, {
      facts: { "settlements in these blocks": counted?.settlements ?? 0 },
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
 * Requires that the settlements which auctions name, and no log does, are of other blocks: a node that
 * leaves out logs is noticed by them. A receipt that it does not have tells nothing.
 *
 * @throws {MismatchError} If one is of the walked blocks; the next run reads their logs again.
 */
async function requireLogged(
  { context: { state, signal }, node, blocks: { from, to } }: WalkContext,
): Promise<void> {
  const unlogged = state.queryRows<{ key: string }>(
    `SELECT key FROM items WHERE kind = 'settlement' AND key LIKE '${UNLOGGED} %' AND shard = ?`,
    WALKED_SETTLEMENTS,
  ).map(({ key }) => key);
  if (unlogged.length === 0) return;
  const ask = requireNode(node, "receipts of settlements", { signal });
  const answers = await ask(unlogged.map((key) => ({ method: RECEIPT, params: [parseHash(key)] })));
  const sql = "DELETE FROM items WHERE kind = 'settlement' AND key = ?";
  state.runInTransaction(() => unlogged.forEach((key) => state.run(sql, key)));
  for (const [place, key] of unlogged.entries()) {
    const receipt = answers[place]!;
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

/** What a walk over settlements needs. */
interface WalkContext {
  /** How to ask, and whom. */
  readonly context: ExportContext;
  /** Where to keep what is found. */
  readonly writer: OutcomeWriter;
  /** The node whose logs tell of settlements. */
  readonly node: NodeSource;
  /** The blocks. */
  readonly blocks: BlockRange;
  /** Called after each step that was kept. */
  readonly onWritten: () => void;
}

/** What the key of a settlement begins with that an auction names and no log does. */
const UNLOGGED = "unlogged";

/** Hash of a settlement, by its key. */
function parseHash(key: string): string {
  return key.slice(key.indexOf(" ") + 1);
}
