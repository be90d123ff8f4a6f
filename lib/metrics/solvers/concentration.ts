import { divideDown, groupByHex, HexMap, type Ratio, ratio } from "../../units/mod.ts";
import { NATIVE_DECIMALS } from "../../units/parse_atoms.ts";
import { accountingWeek } from "./reward_times.ts";

/** Concentration of a total in a few of its parts. */
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
 * Measures the concentration of a total, exactly: `Σ part² / (Σ part)²`, and the shares of the largest parts.
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
  const total = sum(descending);
  if (total === 0n) return { herfindahl: null, top1: null, top3: null, top5: null };
  const sumTop = (count: number) => ratio(sum(descending.slice(0, count)), total);
  return {
    herfindahl: ratio(sum(descending.map((part) => part * part)), total * total),
    top1: sumTop(1),
    top3: sumTop(3),
    top5: sumTop(5),
  };
}

/** Kind of a window of fills: accounting weeks, directed pairs, or sizes. */
export type WindowKind = "week" | "pair" | "size";

/** The fields of a fill that its windows depend on. */
export interface WindowedFill {
  /** Address of the token sold. */
  readonly sellToken: string;
  /** Address of the token bought. */
  readonly buyToken: string;
  /** Address of the solver that settled it; `null` if unknown. */
  readonly solver: string | null;
  /** Its value, in native atoms, `>= 0n`; `null` if unknown. */
  readonly volume: bigint | null;
  /** Its time, as unix milliseconds or an instant; `null` if unknown. */
  readonly filledAt: Temporal.Instant | number | null;
}

/** Concentration of the volume of one window in its solvers. */
export interface WindowConcentration extends Concentration {
  /** Kind of the window. */
  readonly kind: WindowKind;
  /**
   * First day of the week, such as `2026-11-24`, a Tuesday; sell and buy token, in lower case; or the
   * power of ten native tokens that the volume reaches, such as `1e-2`.
   */
  readonly window: string;
  /** Fills whose solver and volume are known. */
  readonly fills: number;
  /** Fills that lack one of them, and are left out. */
  readonly unknownFills: number;
  /** Solvers of the fills that count. */
  readonly solvers: number;
  /** Sum of their volume, in native atoms. */
  readonly volume: bigint;
  /**
   * `1 / herfindahl`: the number of solvers of equal size with this concentration. `null` without volume.
   */
  readonly equalSolvers: Ratio | null;
}

/** Readers of the window that a fill is in, by kind; `null` if it is in none. */
const WINDOW_READERS: Readonly<Record<WindowKind, (fill: WindowedFill) => string | null>> = {
  week: ({ filledAt }) => filledAt === null ? null : accountingWeek(filledAt).firstDay,
  pair: ({ sellToken, buyToken }) => `${sellToken} ${buyToken}`.toLowerCase(),
  size: ({ volume }) =>
    volume === null || volume === 0n ? null : `1e${String(volume).length - 1 - NATIVE_DECIMALS}`,
};

/**
 * Measures the concentration of volume in the solvers that settled it, window by window: {@linkcode concentration}
 * of the sums of each solver's volume, over the fills of each accounting week, of each directed pair
 * and of each size. Exact: nothing is rounded.
 *
 * A fill without a time is in no week, one without a volume or of 0 in no size.
 *
 * @param fills Fills of one deployment.
 * @returns The windows that have fills: weeks, pairs, then sizes, each kind by its name.
 * @throws {RangeError} If the volume of a solver in a window is negative.
 * @see {@link https://www.justice.gov/atr/herfindahl-hirschman-index | the Herfindahl-Hirschman index}
 *
 * @example Three to one, in one week
 * ```ts
 * import { windowedConcentration } from "orderlens/metrics";
 * import { ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { sellToken: "0xa0", buyToken: "0xc0", filledAt: Date.UTC(2026, 10, 24) };
 * const [week] = windowedConcentration([
 *   { ...fill, solver: "0x01", volume: 3n },
 *   { ...fill, solver: "0x02", volume: 1n },
 * ]);
 *
 * assertEquals([week?.kind, week?.window, week?.solvers], ["week", "2026-11-24", 2]);
 * assertEquals(ratioToNumber(week!.equalSolvers!), 1.6);
 * ```
 */
export function windowedConcentration(fills: Iterable<WindowedFill>): WindowConcentration[] {
  const allFills = [...fills];
  return Object.entries(WINDOW_READERS).flatMap(([kind, readWindow]) =>
    [...Map.groupBy(allFills, readWindow)].flatMap(([window, windowFills]) =>
      window === null ? [] : measureWindow(windowFills, { kind: kind as WindowKind, window })
    ).sort((a, b) => a.window < b.window ? -1 : 1)
  );
}

function measureWindow(
  fills: readonly WindowedFill[],
  window: Pick<WindowConcentration, "kind" | "window">,
): WindowConcentration {
  const completeFills = fills.filter(({ solver, volume }) => solver !== null && volume !== null);
  const solvers = [...groupByHex(completeFills, ({ solver }) => solver!).values()]
    .map((solverFills) => sum(solverFills.map(({ volume }) => volume!)));
  const measured = concentration(solvers);
  const { herfindahl } = measured;
  return {
    ...window,
    fills: completeFills.length,
    unknownFills: fills.length - completeFills.length,
    solvers: solvers.length,
    volume: sum(solvers),
    ...measured,
    equalSolvers: herfindahl && ratio(herfindahl.denominator, herfindahl.numerator),
  };
}

function sum(parts: readonly bigint[]): bigint {
  return parts.reduce((total, part) => total + part, 0n);
}

/** Surplus and gas of a fill. */
export interface GasPayingFill {
  /** Address of the solver that settled it; `null` if unknown. */
  readonly solver: string | null;
  /** Surplus of the trader, in native atoms; negative if worse than the limit, `null` if unknown. */
  readonly surplus: bigint | null;
  /** Gas paid for the fill, in native atoms; `null` if the response does not state it. */
  readonly gasCost: bigint | null;
  /** Hash of its settlement; `null` if unknown. */
  readonly txHash: string | null;
}

/** Gas cost of a settlement, from its receipt. */
export interface SettlementGas {
  /** Hash of the settlement. */
  readonly txHash: string;
  /** Gas used times its effective price, in native atoms; `null` if the node does not report it. */
  readonly gasCost: bigint | null;
  /** Trades of the settlement; `null` if unknown. */
  readonly tradeCount: number | null;
}

/** Surplus of the fills of one solver, less their gas. */
export interface GasAdjustedSurplus {
  /** Address of the solver, as first written; `null` for fills without a known one. */
  readonly solver: string | null;
  /** Fills whose surplus and gas are known. */
  readonly fills: number;
  /** Fills that lack one of them, and are left out. */
  readonly unknownFills: number;
  /** Sum of their surplus, in native atoms; `null` without such fills. */
  readonly surplus: bigint | null;
  /** Sum of the gas paid for them, in native atoms; `null` without such fills. */
  readonly gasCost: bigint | null;
  /** `surplus - gasCost`; `null` without such fills. */
  readonly afterGas: bigint | null;
  /** Fills whose surplus is less than their gas. */
  readonly belowGas: number;
}

/**
 * Sums the surplus of the fills of each solver after their gas: `Σ surplus - Σ gas`, exactly.
 *
 * The gas of a fill is that of the response. Where it states none, it is that of its settlement, split
 * equally over the trades and rounded down, as the service splits it. Surplus is the amount that traders
 * got beyond their limits, which is already after the network fee that they paid for gas: the difference
 * is a lower bound of the value of the trades, and comparable between solvers.
 *
 * @param fills Fills of one deployment.
 * @param settlements Gas of settlements, for fills whose response does not state it.
 * @returns One per solver, in the order of their first fills.
 * @see {@link https://github.com/cowprotocol/services/pull/4540 | how the service splits the gas of a settlement}
 *
 * @example One fill in a settlement of two trades
 * ```ts
 * import { gasAdjustedSurplus } from "orderlens/metrics";
 * import { assertEquals } from "@std/assert";
 *
 * const fill = { solver: "0x01", surplus: 100n, gasCost: null, txHash: "0xaa" };
 * const [row] = gasAdjustedSurplus([fill], [{ txHash: "0xaa", gasCost: 61n, tradeCount: 2 }]);
 *
 * assertEquals([row?.gasCost, row?.afterGas], [30n, 70n]);
 * ```
 */
export function gasAdjustedSurplus(
  fills: Iterable<GasPayingFill>,
  settlements: Iterable<SettlementGas> = [],
): GasAdjustedSurplus[] {
  const shares = new HexMap<bigint>();
  for (const { txHash, gasCost, tradeCount } of settlements) {
    if (gasCost !== null && tradeCount) shares.set(txHash, divideDown(gasCost, BigInt(tradeCount)));
  }
  const solvers = Map.groupBy(fills, ({ solver }) => solver?.toLowerCase() ?? null);
  return [...solvers.values()].map((solverFills) => {
    const completeFills = solverFills.flatMap(({ surplus, gasCost, txHash }) => {
      const gas = gasCost ?? (txHash === null ? undefined : shares.get(txHash));
      return surplus === null || gas === undefined ? [] : [{ surplus, gas }];
    });
    const sumAmounts = (amount: (fill: typeof completeFills[number]) => bigint) =>
      completeFills.length === 0
        ? null
        : completeFills.reduce((sum, fill) => sum + amount(fill), 0n);
    return {
      solver: solverFills[0]!.solver,
      fills: completeFills.length,
      unknownFills: solverFills.length - completeFills.length,
      surplus: sumAmounts(({ surplus }) => surplus),
      gasCost: sumAmounts(({ gas }) => gas),
      afterGas: sumAmounts(({ surplus, gas }) => surplus - gas),
      belowGas: completeFills.filter(({ surplus, gas }) => surplus < gas).length,
    };
  });
}
