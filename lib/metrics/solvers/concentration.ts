import { type Ratio, ratio } from "../../units/mod.ts";

/** How concentrated a total is in a few of its parts. */
export interface Concentration {
  /**
   * The Herfindahl-Hirschman index: the sum of the squared shares, from `1 / n` for `n` equal parts
   * to 1 for a single part. Competition authorities use it times 10,000.
   */
  readonly herfindahl: Ratio | null;
  /** Share of the largest part. */
  readonly top1: Ratio | null;
  /** Share of the three largest parts together. */
  readonly top3: Ratio | null;
  /** Share of the five largest parts together. */
  readonly top5: Ratio | null;
}

/**
 * How concentrated a total is, exactly: `Σ part² / (Σ part)²`, and the shares of the largest parts.
 *
 * @param parts Amounts of one unit, `>= 0n`, such as the scores that solvers won.
 * @returns Fractions of one; all `null` if the parts sum to `0n`.
 * @throws {RangeError} If a part is negative.
 *
 * @example Three to one
 * ```ts
 * import { concentration } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const { herfindahl, top1, top3 } = concentration([1n, 3n]);
 *
 * assertEquals(herfindahl, ratio(10n, 16n));
 * assertEquals(top1, ratio(3n, 4n));
 * assertEquals(top3, ratio(4n, 4n));
 * ```
 */
export function concentration(parts: Iterable<bigint>): Concentration {
  const descending = [...parts].sort((a, b) => a === b ? 0 : a > b ? -1 : 1);
  const negative = descending.find((part) => part < 0n);
  if (negative !== undefined) {
    throw new RangeError(`Cannot measure concentration: the part ${negative} must not be negative`);
  }
  const whole = sum(descending);
  if (whole === 0n) return { herfindahl: null, top1: null, top3: null, top5: null };
  const top = (count: number) => ratio(sum(descending.slice(0, count)), whole);
  return {
    herfindahl: ratio(sum(descending.map((part) => part * part)), whole * whole),
    top1: top(1),
    top3: top(3),
    top5: top(5),
  };
}

function sum(parts: readonly bigint[]): bigint {
  return parts.reduce((total, part) => total + part, 0n);
}
