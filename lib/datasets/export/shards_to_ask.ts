import type { Transport } from "../../http/mod.ts";
import { IDS_PER_SHARD, padded, SELECTED_ORDERS, shardOf } from "../layout/shard_name.ts";
import type { ExportState } from "../state/export_state.ts";
import type { Assignment } from "../state/write_manifest.ts";
import { findFloor } from "./find_floor.ts";

/** What the search for the first auction of all needs. */
interface FloorContext {
  /** What is known. */
  readonly state: ExportState;
  /** Ends it. */
  readonly signal: AbortSignal | undefined;
}

/** The shards of an export in order, with all ids of its range as things to ask for. */
export async function shardsToAsk(
  transport: Transport,
  { state, signal }: FloorContext,
  { range }: Assignment,
): Promise<number[]> {
  if (range === null) return [SELECTED_ORDERS];
  const floor = await floorOf(transport, { state, signal }, range);
  const [first, last] = [shardOf(range.from), shardOf(range.to)];
  const shards: number[] = [];
  for (let shard = first; shard <= last; shard++) {
    shards.push(shard);
    const begin = Math.max(range.from, shard * IDS_PER_SHARD);
    const end = Math.min(range.to, (shard + 1) * IDS_PER_SHARD - 1);
    state.inOneStep(() => {
      for (let id = begin; id <= end; id++) addId(state, { id, shard, floor });
    });
  }
  return shards;
}

function addId(
  state: ExportState,
  { id, shard, floor }: { readonly id: number; readonly shard: number; readonly floor: number },
): void {
  state.add("competition", padded(id), shard);
  if (id >= floor) return;
  state.run(
    `UPDATE items SET state = 'beforeHistory', isFinal = 1
     WHERE kind = 'competition' AND key = ?`,
    padded(id),
  );
}

async function floorOf(
  transport: Transport,
  { state, signal }: FloorContext,
  range: { readonly from: number; readonly to: number },
): Promise<number> {
  const known = state.meta("floor");
  if (known !== null) return Number(known);
  const floor = await findFloor({ transport, ...range, state, signal });
  state.inOneStep(() => {
    state.setMeta("floor", String(floor));
    state.run("DELETE FROM meta WHERE name LIKE 'probe %'");
  });
  return floor;
}
