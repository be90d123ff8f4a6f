/** How much of one kind agrees with what was recomputed of it. */
export interface RecomputedPart {
  /** Number of those that agree. */
  readonly agreeing: number;
  /** The others, each with what was reported and what was recomputed. */
  readonly differing: readonly string[];
  /** Number of those that cannot be recomputed, by reason. */
  readonly notComputable: Readonly<Record<string, number>>;
}

/** A kind of what is recomputed. */
export type RecomputedKind =
  | "filter"
  | "winners"
  | "scores"
  | "referenceScores"
  | "fees"
  | "statuses"
  | "orders";

/** What of a dataset agrees with what was recomputed of it. */
export interface Recomputed extends Readonly<Record<RecomputedKind, RecomputedPart>> {
  /** Number of auctions whose filter, winners, places and reference scores follow from the answer. */
  readonly agreeing: number;
  /** Ids of the others. */
  readonly differing: readonly number[];
  /**
   * Filtered flags, of solutions. `terms_unknown` counts those for which limits or fee policies of
   * orders are needed and not known.
   */
  readonly filter: RecomputedPart;
  /** Winners and places, of auctions. */
  readonly winners: RecomputedPart;
  /**
   * Scores of solutions, to the atom. `bound` counts those of which only a lower bound is known, and
   * the reported score is not below it.
   */
  readonly scores: RecomputedPart;
  /** Reference scores, of auctions. */
  readonly referenceScores: RecomputedPart;
  /** Protocol and partner fees of fills, to the atom. */
  readonly fees: RecomputedPart;
  /**
   * Statuses of orders. `time_unknown` counts those that depend on the moment of the answer: open,
   * expired, and waiting for a signature.
   */
  readonly statuses: RecomputedPart;
  /**
   * UIDs, hashes of app data and signers, of orders: they commit to owner, receiver, limit, expiry and
   * app data. `contract_signature` counts those whose signature only the chain can check.
   */
  readonly orders: RecomputedPart;
}

interface Count {
  agreeing: number;
  readonly differing: string[];
  readonly notComputable: Record<string, number>;
}

/** Counts what was recomputed. */
export class Tally {
  readonly #parts: Readonly<Record<RecomputedKind, Count>>;
  #agreeing = 0;
  readonly #differing: number[] = [];

  /** Has counted nothing. */
  constructor() {
    const empty = (): Count => ({ agreeing: 0, differing: [], notComputable: {} });
    this.#parts = {
      filter: empty(),
      winners: empty(),
      scores: empty(),
      referenceScores: empty(),
      fees: empty(),
      statuses: empty(),
      orders: empty(),
    };
  }

  /** Counts an auction whose replay agrees or does not. */
  auction(auctionId: number, agrees: boolean): void {
    if (agrees) this.#agreeing++;
    else this.#differing.push(auctionId);
  }

  /** Counts some that agree. */
  agree(kind: RecomputedKind, count = 1): void {
    this.#parts[kind].agreeing += count;
  }

  /** Counts one that differs. */
  differ(kind: RecomputedKind, found: string): void {
    this.#parts[kind].differing.push(found);
  }

  /** Counts some that cannot be recomputed. */
  skip(kind: RecomputedKind, reason: string, count = 1): void {
    if (count === 0) return;
    const { notComputable } = this.#parts[kind];
    notComputable[reason] = (notComputable[reason] ?? 0) + count;
  }

  /** Counts what another has counted. */
  add(other: Tally): void {
    this.#agreeing += other.#agreeing;
    this.#differing.push(...other.#differing);
    for (const [kind, part] of Object.entries(other.#parts) as [RecomputedKind, Count][]) {
      this.agree(kind, part.agreeing);
      for (const found of part.differing) this.differ(kind, found);
      for (const [reason, count] of Object.entries(part.notComputable)) {
        this.skip(kind, reason, count);
      }
    }
  }

  /** Number of those of a kind that differ. */
  differing(kind: RecomputedKind): number {
    return this.#parts[kind].differing.length;
  }

  /** What was counted. */
  result(): Recomputed {
    return { agreeing: this.#agreeing, differing: this.#differing, ...this.#parts };
  }
}
