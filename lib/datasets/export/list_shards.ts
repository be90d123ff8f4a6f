import { isWithoutAuction, readAuction } from "../../endpoints/walk_auctions.ts";
import {
  HttpError,
  NotFoundError,
  NotRecordedError,
  RateLimitedError,
  UnauthorizedError,
} from "../../errors/mod.ts";
import type { Transport } from "../../http/mod.ts";
import { IDS_PER_SHARD, padId, SELECTED_ORDERS, toShard } from "../layout/files.ts";
import type { ExportState } from "../state/export_state.ts";
import type { ExportSpec } from "../state/write_manifest.ts";

/** Lists the shards of an export in order, and adds all ids of its range as items. */
export async function listShards(
  context: Pick<FloorSearch, "transport" | "state" | "signal">,
  { range }: ExportSpec,
): Promise<number[]> {
  if (range === null) return [SELECTED_ORDERS];
  const { state } = context;
  const floor = await resolveFloor({ ...context, ...range });
  const [first, last] = [toShard(range.from), toShard(range.to)];
  const shards: number[] = [];
  for (let shard = first; shard <= last; shard++) {
    shards.push(shard);
    const begin = Math.max(range.from, shard * IDS_PER_SHARD);
    const end = Math.min(range.to, (shard + 1) * IDS_PER_SHARD - 1);
    state.runInTransaction(() => {
      for (let id = begin; id <= end; id++) {
        state.add("competition", padId(id), shard);
        if (id < floor) state.run(MARK_BEFORE_HISTORY, padId(id));
      }
    });
  }
  return shards;
}

const MARK_BEFORE_HISTORY = `UPDATE items SET state = 'beforeHistory', isFinal = 1
  WHERE kind = 'competition' AND key = ?`;

async function resolveFloor(search: FloorSearch): Promise<number> {
  const { state } = search;
  const stored = state.readMeta("floor");
  if (stored !== null) return Number(stored);
  const floor = await findFloor(search);
  state.runInTransaction(() => {
    state.setMeta("floor", String(floor));
    state.run("DELETE FROM meta WHERE name LIKE 'probe %'");
  });
  return floor;
}

/** Ids that are probed to decide whether there are competitions around one: some ids have none. */
const WINDOW = 16;
/** Absent ids in a row, downwards, from which on there is nothing below. */
const MAX_GAP = 64;

/** Search for the first competition that the service has. */
interface FloorSearch {
  readonly transport: Transport;
  readonly from: number;
  readonly to: number;
  /** Stores the probes, so that an interrupted search continues where it stopped. */
  readonly state: ExportState;
  readonly signal: AbortSignal | undefined;
}

/**
 * Finds the first auction id of a range whose competition the service can have: below, it has none, and
 * a 404 is no gap. It is `from` unless the first ids, and all ids probed below them, have none.
 *
 * The floor is bisected, then approached downwards until 64 ids in a row have none; so an id is never
 * taken for older than history because its neighbours are absent.
 */
async function findFloor(search: FloorSearch): Promise<number> {
  const { from, to } = search;
  if (to - from < WINDOW || await hasCompetitions(search, from)) return from;
  for (let distance = WINDOW; distance <= from; distance *= 2) {
    if (await hasCompetitions(search, from - distance)) return from;
  }
  let [low, high] = [from, to];
  while (high - low > WINDOW) {
    const middle = low + Math.floor((high - low) / 2);
    if (await hasCompetitions(search, middle)) high = middle;
    else low = middle;
  }
  let floor = Math.min(to, high + WINDOW);
  let absent = 0;
  for (let id = floor; id >= from && absent < MAX_GAP; id--) {
    if (await isPresent(search, id)) {
      floor = id;
      absent = 0;
    } else absent++;
  }
  return await isPresent(search, floor) ? floor : from;
}

async function hasCompetitions(search: FloorSearch, from: number): Promise<boolean> {
  for (let id = from; id < from + WINDOW && id <= search.to; id++) {
    if (await isPresent(search, id)) return true;
  }
  return false;
}

async function isPresent(search: FloorSearch, id: number): Promise<boolean> {
  const { state } = search;
  const stored = state.readMeta(`probe ${id}`);
  if (stored !== null) return stored === "present";
  const isThere = await requestPresence(search, id);
  state.setMeta(`probe ${id}`, isThere ? "present" : "absent");
  return isThere;
}

async function requestPresence({ transport, signal }: FloorSearch, id: number): Promise<boolean> {
  const { error } = await readAuction(transport, id, signal);
  if (error instanceof NotFoundError || error instanceof NotRecordedError) return false;
  // A competition that cannot be read, or is refused for now, may exist.
  const mayExist = error === null || isWithoutAuction(error) ||
    error instanceof HttpError && !(error instanceof RateLimitedError) &&
      !(error instanceof UnauthorizedError);
  if (mayExist) return true;
  throw error;
}
