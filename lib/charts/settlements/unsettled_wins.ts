import * as Plot from "@observablehq/plot";
import { wilsonInterval } from "../../metrics/intervals.ts";
import { percentAxis } from "../axes/axis_scale.ts";
import { NATIVE_OPTIONS, type NativeOptions } from "../figure/chart_options.ts";
import { type Draw, picture } from "../figure/picture.ts";
import { COLORS } from "../looks.ts";
import { rankedList } from "../marks/bars.ts";
import { each, isNumber, rowsWithNumbers } from "../rows.ts";
import { sum } from "../statistics.ts";
import { shareText } from "../texts/claim_text.ts";
import { count, partText, wholeText } from "../texts/count_text.ts";
import { amountText, axisText, percentText } from "../texts/label_text.ts";

/** One order of a winning solution, and what became of the win: columns of `attempts`. */
export interface UnsettledWinsRow {
  /** Id of the auction. */
  auction_id: number;
  /** Place of the order in the solution, from 1; the first stands for the solution. */
  position: number;
  /** `in_time`, `late` or `absent`; others are not counted. */
  outcome: string;
  /** Score of the whole solution, in native tokens. */
  score_native: number | null;
  /** What its solver owes for the auction at least, in native tokens; `null` if unknown. */
  penalty_low_native?: number | null;
  /** What it owes at most. */
  penalty_high_native?: number | null;
}

/** Options of {@linkcode unsettledWins}. */
export interface UnsettledWinsOptions extends NativeOptions {}

/** A win of which it is known what its solver owes. */
function isOwed({ penalty_low_native: low, penalty_high_native: high }: UnsettledWinsRow): boolean {
  return isNumber(low) && isNumber(high);
}

const DECIDED = new Set(["in_time", "late", "absent"]);

function classesOf(rows: readonly UnsettledWinsRow[]) {
  const powerOf = ({ score_native: score }: UnsettledWinsRow) => Math.floor(Math.log10(score!));
  const groups = [...Map.groupBy(rows, powerOf)].sort(([a], [b]) => b - a);
  return groups.map(([power, own]) => {
    const of = (word: string) => own.filter(({ outcome }) => outcome === word).length;
    const [late, absent] = [of("late"), of("absent")];
    const { low, high } = wilsonInterval(late + absent, own.length)!;
    const share = (late + absent) / own.length;
    return { power, wins: own.length, late, absent, share, low, high };
  });
}

/** Wins whose scores have the same power of ten. */
type SizeClass = ReturnType<typeof classesOf>[number];

function labelOf({ power }: SizeClass): string {
  if (power === -Infinity) return "0";
  return `${axisText(Number(`1e${power}`))} to ${axisText(Number(`1e${power + 1}`))}`;
}

function tooltipOf(one: SizeClass): string {
  return [
    `score ${labelOf(one)}`,
    `${percentText(one.share)} not in time, ` +
    `95% interval ${percentText(one.low)} to ${percentText(one.high)}`,
    `${wholeText(one.late)} late, ${wholeText(one.absent)} absent of ${count(one.wins, "win")}`,
  ].join("\n");
}

/**
 * Draws how often winning solutions are not settled in time, by what was at stake: a row for each power
 * of ten of the score, with the share of its wins that were late or absent, and the 95% Wilson interval
 * of that share. Wins whose outcome is pending or unknown are not counted, and the caption says so.
 *
 * @param rows Rows or a frame. One row per order of a winning solution, of which the first stands for the
 * solution; without rows the figure says so.
 * @returns The figure; its `rows` are the wins counted.
 * @throws {InputError} If an option is unknown or out of range, or the rows are of another kind.
 *
 * @example One of two wins was late
 * ```ts
 * import { unsettledWins } from "orderlens/charts";
 * import { assertMatch } from "@std/assert";
 *
 * const chart = unsettledWins([
 *   { auction_id: 7, position: 1, outcome: "in_time", score_native: 0.02 },
 *   { auction_id: 8, position: 1, outcome: "late", score_native: 0.03 },
 * ]);
 *
 * assertMatch(chart.title, /1 of 2 \(50%\) wins were not settled in time/);
 * ```
 */
export const unsettledWins: Draw<UnsettledWinsRow, UnsettledWinsOptions> = picture({
  chart: "unsettledWins",
  table: "attempts",
  columns: {
    ...each("number", "auction_id", "position", "score_native"),
    ...each("text", "outcome"),
    ...each("number?", "penalty_low_native", "penalty_high_native"),
  },
  options: NATIVE_OPTIONS,
  select: (rows) => {
    const solutions = rows.filter(({ position }) => position === 1);
    const { rows: known, note } = rowsWithNumbers(solutions, ["score_native"]);
    const drawn = known.filter(({ outcome, score_native: score }) =>
      DECIDED.has(outcome) && score! >= 0
    );
    const failed = drawn.filter(({ outcome }) => outcome !== "in_time");
    const owed = drawn.filter(isOwed);
    const low = sum(owed, (row) => row.penalty_low_native!);
    const high = sum(owed, (row) => row.penalty_high_native!);
    const penalty = owed.length === 0 ? null : [low, high] as const;
    return {
      drawn,
      failed,
      penalty,
      unpriced: failed.filter((row) => !isOwed(row)).length,
      note,
      classes: classesOf(drawn),
      open: known.length - drawn.length,
    };
  },
  empty: {
    title: "Wins that were not settled in time",
    noRows: "No wins in this range",
    noValues: "No win in this range has a known outcome and score",
  },
  axes: ({ classes }) => ({
    axis: percentAxis(classes.map(({ high }) => high), "% of wins not settled in time"),
  }),
  panels: ({ classes, axis, nativeSymbol, ...size }) => [
    rankedList({
      ...size,
      heading: `By the score of the solution (${nativeSymbol})`,
      labels: classes.map(labelOf),
      axis,
      marks: () => [
        Plot.ruleX([0], { stroke: COLORS.grey }),
        Plot.ruleY(classes, {
          x1: "low",
          x2: "high",
          y: (_: SizeClass, place: number) => place,
          stroke: COLORS.grey,
          strokeWidth: 3,
          className: "interval",
        }),
        Plot.dot(classes, {
          x: "share",
          y: (_: SizeClass, place: number) => place,
          r: 5,
          fill: COLORS.vermilion,
          title: tooltipOf,
          className: "share",
        }),
      ],
      column: classes.map(({ wins, late, absent }) =>
        `${wholeText(late + absent)} of ${wholeText(wins)}`
      ),
    }),
  ],
  legend: () => [
    { label: "not settled in time", fill: COLORS.vermilion, shape: "dot" },
    { label: "95% interval", fill: "none", stroke: COLORS.grey, shape: "line" },
  ],
  finding: ({ drawn, failed, penalty, nativeSymbol }) => {
    const late = failed.filter(({ outcome }) => outcome === "late").length;
    const [stake, lost] = [drawn, failed].map((rows) => sum(rows, (row) => row.score_native!));
    const [low, high] = penalty?.map((end) => amountText(end)) ?? [];
    return [
      `${partText(failed.length, drawn.length)} wins were not settled in time: ` +
      `${wholeText(late)} late, ${wholeText(failed.length - late)} absent`,
      failed.length > 0 && stake! > 0 &&
      `They held ${shareText(lost! / stake!, drawn.length, "of the score of all wins")}`,
      failed.length > 0 && penalty !== null && "Their solvers owe " +
        (penalty[0] === penalty[1] ? low : `between ${low} and ${high}`) +
        ` ${nativeSymbol} for them`,
    ];
  },
  title: ({ drawn, failed }) =>
    partText(failed.length, drawn.length) +
    (drawn.length === 1 ? " win was not settled in time" : " wins were not settled in time"),
  caption: ({ drawn, open, unpriced, penalty, note }) => [
    `n = ${count(drawn.length, "winning solution")} in ` +
    count(new Set(drawn.map((row) => row.auction_id)).size, "auction"),
    open > 0 && `${count(open, "win")} pending, unknown or below 0 not counted`,
    note,
    penalty !== null && unpriced > 0 &&
    `What solvers owe for ${count(unpriced, "win")} is unknown, and not in the sum`,
    "Lines: 95% Wilson intervals",
  ],
});
