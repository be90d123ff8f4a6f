import { compareRatios, type Ratio, ratio } from "../../units/mod.ts";
import { isNotComputable, type NotComputable } from "../not_computable.ts";

/** A fill whose price a while later is known, and how many solvers bid for it. */
export interface ContestedFill {
  /** Solvers with a bid on its order in the auction that settled it; `null` if unknown. */
  readonly bidders: number | null;
  /** Its markout by prices of a while later, from `markout`; or why there is none. */
  readonly markout: Ratio | NotComputable<string>;
  /** The same before protocol and partner fees; or why there is none. */
  readonly beforeFees: Ratio | NotComputable<string>;
}

/** The markouts of fills that equally many solvers bid for. */
export interface WinnersCurse {
  /** How many. */
  readonly bidders: number;
  /** Fills with both markouts. */
  readonly fills: number;
  /** Fills that lack one of them, and are left out. */
  readonly unknownFills: number;
  /** Median of the markouts, in basis points; `null` without fills. */
  readonly markout: Ratio | null;
  /** Median of those before fees, in basis points; `null` without fills. */
  readonly beforeFees: Ratio | null;
  /**
   * `beforeFees` less that of the fills with the fewest bidders, in basis points: above 0, who won
   * against more bidders paid more. `null` without fills, 0 for the fewest.
   */
  readonly curse: Ratio | null;
}

/**
 * Whether who wins against more bidders pays more than the trade turns out to be worth: medians of the
 * markouts a while after the fill, by how many solvers bid for its order. Exact: the median of an even
 * number of fills is the mean of the two in the middle.
 *
 * A markout above 0 is better for the trader than the market by then, at the expense of whoever settled
 * it. Prices within the delay move by chance too, so a difference is one of the sample.
 *
 * @param fills Fills; those without a known number of bidders are left out.
 * @returns One per number of bidders, from the fewest on.
 * @see {@link https://doi.org/10.2118/2993-PA | Capen, Clapp and Campbell, Competitive bidding in high-risk situations}
 *
 * @example Against two bidders, the trader got 4 basis points more
 * ```ts
 * import { winnersCurse } from "orderlens/metrics";
 * import { ratio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = (bidders: number, bps: bigint) => (
 *   { bidders, markout: ratio(bps, 1n), beforeFees: ratio(bps, 1n) }
 * );
 * const [, two] = winnersCurse([fill(1, -3n), fill(2, 1n)]);
 *
 * assertEquals(two?.curse, ratio(4n, 1n));
 * ```
 */
export function winnersCurse(fills: Iterable<ContestedFill>): WinnersCurse[] {
  const byBidders = [...Map.groupBy(fills, ({ bidders }) => bidders)].flatMap(([bidders, own]) => {
    if (bidders === null) return [];
    const known = own.flatMap(({ markout, beforeFees }) =>
      isNotComputable(markout) || isNotComputable(beforeFees) ? [] : [{ markout, beforeFees }]
    );
    return [{
      bidders,
      fills: known.length,
      unknownFills: own.length - known.length,
      markout: median(known.map((one) => one.markout)),
      beforeFees: median(known.map((one) => one.beforeFees)),
    }];
  }).sort((a, b) => a.bidders - b.bidders);
  const fewest = byBidders.find(({ beforeFees }) => beforeFees !== null)?.beforeFees;
  return byBidders.map((one) => ({
    ...one,
    curse: one.beforeFees && fewest ? difference(one.beforeFees, fewest) : null,
  }));
}

/** The ratio in the middle, or the mean of the two there; `null` without ratios. */
function median(ratios: readonly Ratio[]): Ratio | null {
  const sorted = ratios.toSorted(compareRatios);
  const low = sorted[(sorted.length - 1) >> 1];
  const high = sorted[sorted.length >> 1];
  if (low === undefined || high === undefined) return null;
  if (low === high) return low;
  const { numerator, denominator } = difference(low, { ...high, numerator: -high.numerator });
  return ratio(numerator, 2n * denominator);
}

function difference(a: Ratio, b: Ratio): Ratio {
  return a.denominator === b.denominator ? ratio(a.numerator - b.numerator, a.denominator) : ratio(
    a.numerator * b.denominator - b.numerator * a.denominator,
    a.denominator * b.denominator,
  );
}
