import { padded, shardOf } from "../layout/shard_name.ts";
import type { ExportState } from "../state/export_state.ts";
import type { Assignment } from "../state/write_manifest.ts";

/** An assignment whose range grows, if it follows new auctions. */
export class FollowedAssignment {
  readonly #state: ExportState;
  #assignment: Assignment;

  /** Begins where an earlier run ended; the shard of the last id stays open. */
  constructor(assignment: Assignment, state: ExportState) {
    this.#assignment = assignment;
    this.#state = state;
    if (assignment.request.follow) state.setMeta("openShard", String(shardOf(this.to)));
  }

  /** The assignment with the range so far. */
  get assignment(): Assignment {
    return this.#assignment;
  }

  /** The last auction id so far. */
  get to(): number {
    return this.#assignment.range?.to ?? -1;
  }

  /** Sets the range of a walk over settlements, which follows from what they settled. */
  found(range: { readonly from: number; readonly to: number }): void {
    this.#assignment = { ...this.#assignment, range };
    this.#state.setMeta("assignment", JSON.stringify(this.#assignment));
  }

  /** Adds ids up to one, for good; returns the shards that have them. */
  extend(to: number): number[] {
    const { range } = this.#assignment;
    if (range === null) return [];
    const shards = new Set<number>();
    this.#state.inOneStep(() => {
      for (let id = range.to + 1; id <= to; id++) {
        shards.add(shardOf(id));
        this.#state.add("competition", padded(id), shardOf(id));
      }
      this.#assignment = { ...this.#assignment, range: { from: range.from, to } };
      this.#state.setMeta("assignment", JSON.stringify(this.#assignment));
      this.#state.setMeta("openShard", String(shardOf(to)));
    });
    return [...shards];
  }
}
