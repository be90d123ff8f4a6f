import { MIN_COMPARED } from "../../metrics/intervals.ts";
import { sum } from "../statistics.ts";
import { describeRange } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import { formatDoubtful } from "../texts/price_text.ts";
import { describeColumn, lowerFirst } from "./column_text.ts";
import type { EstimateLine, EstimatesPlan, EstimatesResult } from "./estimate_lines.ts";

/** What is seen, in one sentence: that groups differ only where they surely do. */
export function formatTitle<Row extends object>(
  { lines, range, reference, said }: EstimatesResult<Row>,
  plan: EstimatesPlan,
): string {
  const what = `${plan.name} by ${plan.noun}`;
  const [first] = lines as [EstimateLine<Row>];
  if (lines.length === 1) return `${what}: ${said(first)}`;
  if (range !== null) {
    const { ends } = range;
    if (ends === null) return `${what}: too few rows to tell whether they differ`;
    return ends.isSeen
      ? `${what}: ${said(ends.lowest.line)} to ${said(ends.highest.line)}`
      : `${what}: no difference is seen`;
  }
  const { above, below, all } = countIntervals(lines, reference);
  if (reference !== null && all > 0) {
    return `${what}: ${formatWhole(above + below)} of ${count(all, "interval")} ` +
      `${all === 1 ? "leaves" : "leave"} out ${plan.format(reference)}`;
  }
  return `${what}: ${said(findExtreme(lines, -1))} to ${said(findExtreme(lines, 1))}`;
}

/** What is found: all rows, the groups that differ most, and how they are to the reference. */
export function formatFinding<Row extends object>(
  seen: EstimatesResult<Row>,
  plan: EstimatesPlan,
): (string | false)[] {
  const { lines, total, range, said, doubtful } = seen;
  const groups = count(lines.length, plan.lineNoun);
  return [
    total !== null && formatTotal(total, plan),
    range !== null &&
    describeRange(range, {
      noun: plan.lineNoun,
      rows: "rows",
      value: plan.word,
      text: ({ line }) => said(line),
    }),
    total === null && range === null &&
    (lines.length === 1
      ? `${plan.name}: ${said(lines[0]!)}`
      : `${plan.name} of ${groups}: ${said(findExtreme(lines, -1))} to ${
        said(findExtreme(lines, 1))
      }`),
    formatSides(seen, plan),
    doubtful !== null &&
    (doubtful.value === null
      ? `Among them: ${formatDoubtful(doubtful, "row")}`
      : `Without ${formatDoubtful(doubtful, "row")}: ${plan.format(doubtful.value)}`),
  ];
}

function formatTotal(
  { value, interval, n }: NonNullable<EstimatesResult<object>["total"]>,
  { name, format, isCounted }: EstimatesPlan,
): string {
  const said = isCounted
    ? `${name}: ${formatPart(Math.round(value * n), n)} rows`
    : `${name} over all ${count(n, "row")}: ${format(value)}`;
  return interval === null
    ? said
    : `${said}, 95% interval ${format(interval.low)} to ${format(interval.high)}`;
}

/** How many estimates are surely above or below the reference; each for itself where they were given. */
function formatSides<Row extends object>(
  { lines, sides, reference }: EstimatesResult<Row>,
  { format, lineNoun }: EstimatesPlan,
): string | false {
  if (reference === null) return false;
  if (sides !== null) {
    return `Above ${format(reference)}: ${formatWhole(sides.above)} of ` +
      `${count(lines.length, lineNoun)}; below: ${formatWhole(sides.below)}; no difference seen: ` +
      formatWhole(sides.neither);
  }
  const { above, below, all } = countIntervals(lines, reference);
  return all > 0 && `Of ${count(all, "interval")}, each for itself, ${formatWhole(above)} ` +
      `${above === 1 ? "is" : "are"} above ${format(reference)} and ${formatWhole(below)} below`;
}

function countIntervals<Row>(lines: readonly EstimateLine<Row>[], reference: number | null) {
  const intervals = lines.flatMap(({ interval }) => interval ?? []);
  return {
    all: intervals.length,
    above: intervals.filter(({ low }) => reference !== null && low > reference).length,
    below: intervals.filter(({ high }) => reference !== null && high < reference).length,
  };
}

/** The line of the least value, or with the sign 1 of the largest. */
function findExtreme<Row>(lines: readonly EstimateLine<Row>[], sign: 1 | -1): EstimateLine<Row> {
  return lines.reduce((a, b) => sign * b.value > sign * a.value ? b : a);
}

/** What a caption says of the numbers of things: `n = 664 fills`, which rows of a group may share. */
export function describeCount<Row>(
  lines: readonly EstimateLine<Row>[],
  { stat, rows, noun, lineNoun }: EstimatesPlan,
): string {
  const isSum = lines.every(({ n }) => n !== null) && (stat !== "none" || lineNoun === noun);
  return `n = ${isSum ? count(sum(lines, ({ n }) => n!), rows) : count(lines.length, lineNoun)}`;
}

/** What the line of an estimate is. */
export function nameInterval({ interval, isCounted }: EstimatesPlan): string {
  if (interval === undefined) {
    return isCounted ? "95% Wilson interval" : "95% bootstrap interval";
  }
  return interval.map((name) => lowerFirst(describeColumn(name).name)).join(" to ");
}

/** What a caption says of estimates without a line; `null` where all have one. */
export function describeBareLines<Row>(
  lines: readonly EstimateLine<Row>[],
  { stat, interval, lineNoun }: EstimatesPlan,
): string | null {
  const bare = lines.filter((line) => line.interval === null).length;
  if (bare === 0 || (stat === "none" && interval === undefined)) return null;
  const without = `${count(bare, lineNoun)} without an interval`;
  return stat === "none" ? without : `${without}: fewer than ${MIN_COMPARED[stat]} rows`;
}
