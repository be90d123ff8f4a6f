import { isPartitioned } from "../datasets/layout/id_ranges.ts";
import { inspectOrder } from "../reports/mod.ts";
import { ORDER_CAUSES } from "../reports/order/verdicts.ts";
import type { OpenedSource } from "./explorer_source.ts";
import { Kept } from "./kept.ts";

/** Verdicts that are kept: some tens of bytes each. */
const MOST_KEPT = 200_000;
/** A deployment that goes on may come to another verdict. */
const FRESH_MS = 30_000;

/** Classes of verdicts: what they begin with, or the whole verdict. */
export const VERDICT_CLASSES: readonly string[] = [
  "expired",
  "open",
  "partly_filled",
  ...ORDER_CAUSES,
];

/** The verdicts of orders in lists, judged when they are asked for. */
export class Verdicts {
  readonly #source: OpenedSource;
  readonly #kept: Kept<string>;

  /** Judges nothing yet. */
  constructor(source: OpenedSource, now: () => number) {
    this.#source = source;
    this.#kept = new Kept({
      mostWeight: MOST_KEPT,
      freshMs: source.isFixed ? Infinity : FRESH_MS,
      now,
    });
  }

  /**
   * Whether verdicts of whole lists are judged: each takes several requests elsewhere, and a dataset
   * of several environments answers no request.
   */
  get areJudged(): boolean {
    const { isLocal, dataset } = this.#source;
    const files = dataset?.manifest?.files ?? [];
    return isLocal && !isPartitioned({ files });
  }

  /** The verdict of an order; `null` where lists have none. */
  async of(uid: string): Promise<string | null> {
    if (!this.areJudged) return null;
    const { book, solvers } = this.#source;
    return await this.#kept.of(uid, async () => {
      const { verdict } = await inspectOrder(book, uid, { solvers });
      return verdict;
    });
  }
}

/** Whether a verdict is of a class: it begins or ends with it, or is it. */
export function isOfClass(verdict: string, word: string): boolean {
  return verdict === word || verdict.startsWith(`${word}_`) || verdict.endsWith(`_${word}`);
}
