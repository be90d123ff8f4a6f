import * as Plot from "@observablehq/plot";
import { fixedAxis, linearAxis, type ValueAxis } from "../axes/axis_scale.ts";
import { listAxis, type ListSize } from "../axes/row_axes.ts";
import type { Chart } from "../figure/chart.ts";
import {
  type ChartOptions,
  COLORS,
  type ListChartOptions,
  listOptions,
  NATIVE_OPTIONS,
  NATIVE_TOKENS,
  type NativeOptions,
} from "../figure/chart_options.ts";
import type { Panel } from "../figure/panel.ts";
import { type ChartInput, picture } from "../figure/picture.ts";
import { columnMargin, rankedList } from "../marks/bars.ts";
import {
  count,
  isNumber,
  partText,
  type Rows,
  rowsWithTexts,
  sortRows,
  wholeText,
} from "../rows.ts";
import { sum } from "../statistics.ts";
import { alikeTexts, withPlus } from "../texts/alike_texts.ts";
import { type SolverNames, solverNames } from "../texts/short_names.ts";
import { amountText, axisText, exactText } from "../texts/label_text.ts";
import {
  type CappedRow,
  REWARD_CAPS_ROWS,
  type RewardCapsRow,
  type RewardWeek,
  rewardWeeks,
  weekHeading,
  weeksText,
} from "./reward_rows.ts";

/** What {@linkcode rewardCaps} sorts solvers by. */
export type RewardCapsSort = "solver" | "uncapped" | "upper_cap_cut" | "performance";

/** Options of {@linkcode rewardCaps}. */
export interface RewardCapsOptions
  extends ChartOptions, NativeOptions, ListChartOptions<RewardCapsSort> {
  /**
   * Order of the solvers of a week from top to bottom: by lower bounds, or `solver` by name where
   * it is known. @default {"-uncapped"}
   */
  sort?: RewardCapsSort | `-${RewardCapsSort}`;
  /** Maximum number of solvers drawn per week. @default {12} */
  limit?: number;
}

const WHAT = "What the caps changed";

const INPUT: ChartInput<RewardCapsRow, RewardCapsOptions> = {
  chart: "rewardCaps",
  rows: REWARD_CAPS_ROWS,
  options: {
    ...NATIVE_OPTIONS,
    ...listOptions("solver", "uncapped", "upper_cap_cut", "performance"),
  },
};

function isCapped(row: RewardCapsRow): row is CappedRow {
  return isNumber(row.uncapped_low_native) && isNumber(row.upper_cap_cut_low_native) &&
    isNumber(row.lower_cap_relief_low_native) && isNumber(row.performance_low_native);
}

/** A solver that won nothing has no reward that a cap could change. */
function isRewarded(row: CappedRow): boolean {
  return row.rewarded_auctions !== 0 ||
    row.uncapped_low_native !== 0 || row.performance_low_native !== 0;
}

const draw = picture(INPUT, {
  defaults: { sort: "-uncapped", limit: 12, nativeSymbol: NATIVE_TOKENS },
  select: (rows, { sort, limit }) => {
    const known = rowsWithTexts(rows, ["solver"]).filter(isCapped);
    const rewarded = known.filter(isRewarded);
    const names = solverNames(rewarded);
    const sorted = sortRows(rewarded, sort, {
      solver: ({ solver }) => names.text(solver),
      uncapped: (row) => row.uncapped_low_native,
      upper_cap_cut: (row) => row.upper_cap_cut_low_native,
      performance: (row) => row.performance_low_native,
    });
    const weeks = rewardWeeks(sorted)
      .map((week) => ({ ...week, rows: week.rows.slice(0, limit) }));
    return {
      known,
      rewarded,
      names,
      weeks,
      drawn: weeks.flatMap((week) => week.rows),
      leftOut: rows.length - known.length,
    };
  },
  empty: {
    title: WHAT,
    noRows: "No solver was rewarded in this range",
    noValues: "No reward in this range is one that a cap could change",
  },
  axes: ({ drawn, nativeSymbol }) => ({ axis: capsAxis(drawn, nativeSymbol) }),
  panels: ({ weeks, names, axis, nativeSymbol, ...size }) =>
    capsPanels(weeks, { ...size, names, axis, native: nativeSymbol }),
  legend: () => Object.values(CAP_STEPS),
  finding: ({ rewarded, nativeSymbol: native }) => {
    const total = (of: (row: CappedRow) => number) => `${amountText(sum(rewarded, of))} ${native}`;
    const least = rewarded.every(isExact) ? "" : "at least ";
    const decided = (of: (row: CappedRow) => number | null | undefined) =>
      rewarded.every((row) => isNumber(of(row)) && isNumber(row.rewarded_auctions))
        ? partText(
          sum(rewarded, (row) => of(row)!),
          sum(rewarded, (row) => row.rewarded_auctions!),
        )
        : null;
    const [upper, lower] = [
      decided((row) => row.upper_capped_count),
      decided((row) => row.lower_capped_count),
    ];
    return [
      `Performance is worth ${least}${
        total((row) => row.uncapped_low_native)
      } before the caps and ` +
      `${least}${total((row) => row.performance_low_native)} after them`,
      `Upper caps withheld ${least}${total((row) => row.upper_cap_cut_low_native)}, lower caps ` +
      `spared solvers ${least}${total((row) => row.lower_cap_relief_low_native)}`,
      upper !== null && lower !== null &&
      `The upper cap decided ${upper} rewards, the lower cap ${lower}`,
    ];
  },
  title: ({ rewarded, nativeSymbol }) => {
    const total = (of: (row: CappedRow) => number) => axisText(sum(rewarded, of));
    const [before, after] = [
      total((row) => row.uncapped_low_native),
      total((row) => row.performance_low_native),
    ];
    const least = rewarded.every(isExact) ? "" : "at least ";
    return `${WHAT}: ${least}${before} ${nativeSymbol} before, ` +
      `${least}${after} ${nativeSymbol} after them`;
  },
  caption: ({ known, rewarded, drawn, leftOut, weeks }) => {
    const within = weeksText(weeks);
    const solvers = new Set(rewarded.map(({ solver }) => solver)).size;
    const [idle, more] = [known.length - rewarded.length, rewarded.length - drawn.length];
    const open = drawn.filter((row) => !isExact(row)).length;
    return [
      `n = ${count(solvers, "solver")}${within === null ? "" : ` in ${within}`}`,
      more > 0 && `${count(more, "more row")} not drawn`,
      idle > 0 && `${wholeText(idle)} without a rewarded auction left out`,
      leftOut > 0 && `${count(leftOut, "solver")} without known rewards left out`,
      open > 0 &&
      `Not all is known of ${count(open, "solver")}: their steps are those of the worst case`,
      drawn.length > 0 &&
      "Counts: auctions in which the cap decided, of those with a reward",
    ];
  },
});

/**
 * Draws what the caps changed, four rows per solver: its rewards before the caps, less what upper
 * caps withheld, plus what lower caps spared it, to its performance reward, with the number of
 * auctions that each cap decided. There is a panel per accounting week, all with one axis.
 *
 * Steps are lower bounds. Where something is not known, they are those of the worst case, which
 * leads to the lower bound of the performance reward, and the caption says so.
 *
 * @param given Rows or a frame. One row per solver and accounting week; without rows the figure says
 * so. Rows without known sums, and solvers without a rewarded auction, are counted in the caption.
 * @returns The figure; its `rows` are those drawn, week by week.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example A solver of whose rewards the upper cap withheld half
 * ```ts
 * import { rewardCaps } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = rewardCaps([{
 *   week_start: "2026-11-17T00:00:00Z",
 *   solver: "A",
 *   rewarded_auctions: 4,
 *   uncapped_low_native: 1,
 *   upper_cap_cut_low_native: 0.5,
 *   upper_capped_count: 3,
 *   lower_cap_relief_low_native: 0,
 *   performance_low_native: 0.5,
 * }], { nativeSymbol: "ETH" });
 *
 * assertMatch(chart.title, /1 ETH before, 0.5 ETH after them/);
 * assertMatch(chart.svg, /3 of 4 auctions/);
 * ```
 */
export function rewardCaps(
  given: Rows<RewardCapsRow>,
  options: RewardCapsOptions = {},
): Chart<RewardCapsRow> {
  return draw(given, options);
}

/** One step from the rewards before the caps to the performance reward. */
interface CapStep {
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
const CAP_STEPS = {
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
function isExact(row: CappedRow): boolean {
  const { performance_low_native: low, performance_high_native: high } = row;
  return addsUp(row) && (high === undefined || high === low);
}

/**
 * The steps of a row. Where its lower bounds do not add up, they are those of the worst case: what
 * lower caps spare the solver then is the upper bound of that, and upper caps withhold what is left
 * between the lower bounds.
 */
function capSteps(row: CappedRow): CapStep[] {
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

/** A step at its place in the list. */
interface PlacedStep extends CapStep {
  readonly row: CappedRow;
  readonly place: number;
}

const SHADE = "#f3f5f7";
const STEPS = Object.keys(CAP_STEPS).length;

/** An axis for the steps of all weeks. */
function capsAxis(rows: readonly CappedRow[], native: string): ValueAxis {
  const ends = rows.flatMap((row) => capSteps(row).flatMap(({ from, to }) => [from, to]));
  return fixedAxis(linearAxis(ends, { label: `Lower bounds (${native})` }));
}

/** What stands right of the steps: amounts, all alike, and how many auctions a cap decided. */
function notesOf(steps: readonly CapStep[]): string[] {
  const texts = alikeTexts(steps.map(({ amount }) => amount));
  return steps.map(({ kind, amount, auctions }, at) => {
    const short = amount === 0 ? "0" : texts[at]!;
    const text = kind === "relief" ? withPlus(short, amount) : short;
    return auctions === "" || amount === 0 ? text : `${text}, ${auctions}`;
  });
}

function titleOf(
  { row, kind, amount, auctions }: PlacedStep,
  { names, native }: { names: SolverNames; native: string },
): string {
  const { performance_high_native: high } = row;
  const upTo = kind === "performance" && isNumber(high) && high > amount
    ? `, at most ${exactText(high)}`
    : "";
  return `${names.withAddress(row.solver)}\n` +
    `${CAP_STEPS[kind].label}: ${exactText(amount)} ${native}${upTo}` +
    (auctions === "" ? "" : `\ndecided ${auctions}`);
}

/** How the panels are set. */
interface CapsSize extends ListSize {
  axis: ValueAxis;
  names: SolverNames;
  native: string;
}

/** A panel per week, with one axis: four rows per solver, of which the first has its name. */
function capsPanels(
  weeks: readonly RewardWeek<CappedRow>[],
  { axis, names, native, ...size }: CapsSize,
): Panel[] {
  const rows = weeks.flatMap((week) => week.rows);
  const solvers = names.labels(rows.map(({ solver }) => solver));
  const labels = solvers.flatMap((solver) => [solver, ...Array(STEPS - 1).fill("") as string[]]);
  const notes = notesOf(rows.flatMap(capSteps));
  const { marginLeft } = listAxis(labels, size);
  let first = 0;
  return weeks.map((week) => {
    const [from, to] = [first, first += week.rows.length * STEPS];
    const steps = week.rows.flatMap((row, at): PlacedStep[] =>
      capSteps(row).map((step, nth) => ({ ...step, row, place: at * STEPS + nth }))
    );
    return rankedList({
      ...size,
      ...weekHeading(week, weeks),
      marginLeft,
      marginRight: columnMargin(notes),
      labels: labels.slice(from, to),
      axis,
      marks: () => stepMarks(steps, { axis, names, native }),
      column: notes.slice(from, to),
      hasBaseline: true,
    });
  });
}

function stepMarks(
  steps: readonly PlacedStep[],
  { axis, ...own }: { axis: ValueAxis; names: SolverNames; native: string },
): Plot.Markish[] {
  const { domain: [low, high] } = Plot.scale({ x: axis.scale }) as unknown as {
    domain: [number, number];
  };
  const shaded = steps.filter(({ place }) => Math.floor(place / STEPS) % 2 === 1);
  return [
    Plot.barX(shaded, {
      x1: low,
      x2: high,
      y: "place",
      fill: SHADE,
      insetTop: -3,
      insetBottom: -3,
    }),
    Plot.barX(steps, {
      x1: "from",
      x2: "to",
      y: "place",
      fill: ({ kind }: PlacedStep) => CAP_STEPS[kind].fill,
      title: (step: PlacedStep) => titleOf(step, own),
      className: "step",
    }),
    // Where a step ends and the next one begins.
    Plot.tickX(steps.filter(({ kind }) => kind !== "performance"), {
      x: "to",
      y: "place",
      stroke: COLORS.ink,
      strokeWidth: 1.2,
      insetBottom: -6,
      className: "joint",
    }),
  ];
}
