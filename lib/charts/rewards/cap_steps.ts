import { COLORS } from "../figure/colors.ts";
import { isNumber, wholeText } from "../rows/row_selection.ts";
import type { CappedRow } from "./reward_caps_row.ts";

/** One step from the rewards before the caps to the performance reward. */
export interface CapStep {
  /** What it is. */
  readonly kind: keyof typeof CAP_STEPS;
  /** Where its bar begins, in native tokens. */
  readonly from: number;
  /** Where its bar ends. */
  readonly to: number;
  /** Its amount: negative for what was withheld. */
  readonly amount: number;
  /** In how many auctions the cap decided, as `484 of 522 auctions`; empty where that is unknown. */
  readonly auctions: string;
}

/** How the steps look, in their order. */
export const CAP_STEPS = {
  uncapped: { label: "before the caps", fill: COLORS.grey },
  cut: { label: "withheld by upper caps", fill: COLORS.orange },
  relief: { label: "spared by lower caps", fill: COLORS.green },
  performance: { label: "performance reward", fill: COLORS.blue },
} as const;

/** Sums of doubles differ by less than this part of their terms. */
const ROUNDING = 1e-9;

/** What the lower bounds of a row lack to its lower bound of the performance reward. */
function missing(row: CappedRow): number {
  return row.uncapped_low_native - row.upper_cap_cut_low_native + row.lower_cap_relief_low_native -
    row.performance_low_native;
}

/**
 * Whether the lower bounds of a row add up, as they do where all is known. Where not, each is the
 * lower bound of another case.
 */
function addsUp(row: CappedRow): boolean {
  const size = Math.abs(row.uncapped_low_native) + Math.abs(row.upper_cap_cut_low_native) +
    Math.abs(row.lower_cap_relief_low_native) + Math.abs(row.performance_low_native);
  return Math.abs(missing(row)) <= ROUNDING * size;
}

/** Whether all is known of a row, so that its lower bounds are its amounts. */
export function isExact(row: CappedRow): boolean {
  const { performance_low_native: low, performance_high_native: high } = row;
  return addsUp(row) && (high === undefined || high === low);
}

/**
 * The steps of a row. Where its lower bounds do not add up, they are those of the worst case: what
 * lower caps spare the solver then is the upper bound of that, and upper caps withhold what is left
 * between the lower bounds.
 */
export function capSteps(row: CappedRow): CapStep[] {
  const { uncapped_low_native: uncapped, performance_low_native: performance } = row;
  const isKnown = addsUp(row);
  const high = row.lower_cap_relief_high_native;
  const relief = isKnown || !isNumber(high) ? row.lower_cap_relief_low_native : high;
  const cut = isKnown ? row.upper_cap_cut_low_native : uncapped + relief - performance;
  const auctions = (decided: number | null | undefined) =>
    isNumber(decided) && isNumber(row.rewarded_auctions)
      ? `${wholeText(decided)} of ${wholeText(row.rewarded_auctions)} auctions`
      : "";
  const common = { from: 0, auctions: "" };
  return [
    { ...common, kind: "uncapped", to: uncapped, amount: uncapped },
    {
      kind: "cut",
      from: uncapped,
      to: uncapped - cut,
      amount: -cut,
      auctions: auctions(row.upper_capped_count),
    },
    {
      kind: "relief",
      from: uncapped - cut,
      to: performance,
      amount: relief,
      auctions: auctions(row.lower_capped_count),
    },
    { ...common, kind: "performance", to: performance, amount: performance },
  ];
}
