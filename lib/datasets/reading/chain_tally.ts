import type { SettlementDifferenceKind } from "../../metrics/mod.ts";
import { sha256 } from "../layout/files.ts";

/**
 * What differs between the chain and a dataset: what `compareSettlement` finds between it and the
 * answers, and what the tables have otherwise:
 *
 * - `"table_trade"`: a row of `trades` has other amounts, another order or place, is missing, or is of
 *   no event
 * - `"table_fee"`: `orders` has another executed fee, or fees of `protocol_fees` exceed all fees
 * - `"table_winner"`: the row of `solutions` with the transaction did not win, or is of another solver
 * - `"table_settlement"`: a row of `settlements` has another block, solver, gas or number of trades
 */
export type ChainDifferenceKind =
  | SettlementDifferenceKind
  | "table_trade"
  | "table_fee"
  | "table_winner"
  | "table_settlement";

/** A place where the chain and a dataset differ. */
export interface ChainDifferencePlace {
  /** Hash of the transaction. */
  readonly txHash: string;
  /** Order concerned; `null` if it is the whole settlement. */
  readonly orderUid: string | null;
  /** According to the chain. */
  readonly onChain: string;
  /** According to the dataset. */
  readonly reported: string;
}

/** Differences of one kind. */
export interface ChainDifferenceCount {
  /** The kind. */
  readonly kind: ChainDifferenceKind;
  /** Number of them. */
  readonly count: number;
  /** The first of them, at most ten. */
  readonly first: readonly ChainDifferencePlace[];
}

const FIRST = 10;

/** Counts differences by kind. */
export class ChainTally {
  readonly #kinds = new Map<
    ChainDifferenceKind,
    { count: number; first: ChainDifferencePlace[] }
  >();

  /** Counts one. */
  add(kind: ChainDifferenceKind, place: ChainDifferencePlace): void {
    const known = this.#kinds.get(kind) ?? { count: 0, first: [] };
    known.count++;
    if (known.first.length < FIRST) known.first.push(place);
    this.#kinds.set(kind, known);
  }

  /** What was counted, by kind. */
  result(): ChainDifferenceCount[] {
    return [...this.#kinds].sort(([a], [b]) => a < b ? -1 : 1)
      .map(([kind, counted]) => ({ kind, ...counted }));
  }
}

/** Some of many, by the hashes of seed and name: the same seed draws the same. */
export class Draw<T> {
  readonly #count: number;
  readonly #seed: number;
  #lots: { readonly lot: string; readonly value: T }[] = [];

  /** Draws at most `count`. */
  constructor(count: number, seed: number) {
    this.#count = count;
    this.#seed = seed;
  }

  /** What was drawn, in an order that depends on the seed alone. */
  get drawn(): T[] {
    return this.#lots.map(({ value }) => value);
  }

  /** Adds one to draw from; the same name counts once. */
  add(name: string, value: T): void {
    const lot = sha256(`${this.#seed} ${name}`);
    if (this.#lots.some((one) => one.lot === lot)) return;
    this.#lots.push({ lot, value });
    this.#lots.sort((a, b) => a.lot < b.lot ? -1 : 1);
    this.#lots.length = Math.min(this.#lots.length, this.#count);
  }
}
