import { MIN_COMPARED } from "../../metrics/intervals.ts";
import { sum } from "../statistics.ts";
import { rangeSentence } from "../texts/claim_text.ts";
import { count, partText, wholeText } from "../texts/count_text.ts";
import { formatDoubtful } from "../texts/price_text.ts";
import { columnText, inSentence } from "./column_text.ts";
import type { EstimateLine, EstimatesPlan, SeenEstimates } from "./estimate_lines.ts";

/** What is seen, in one sentence: that groups differ only where they surely do. */
export function estimatesTitle<Row extends object>(
  { lines, range, reference, said }: SeenEstimates<Row>,
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
    return `${what}: ${wholeText(above + below)} of ${count(all, "interval")} ` +
      `${all === 1 ? "leaves" : "leave"} out ${plan.format(reference)}`;
  }
  return `${what}: ${said(extremeLine(lines, -1))} to ${said(extremeLine(lines, 1))}`;
}

/** What is found: all rows, the groups that differ most, and how they are to the reference. */
export function estimatesFinding<Row extends object>(
  seen: SeenEstimates<Row>,
  plan: EstimatesPlan,
): (string | false)[] {
  const { lines, total, range, said, doubtful } = seen;
  const groups = count(lines.length, plan.lineNoun);
  return [
    total !== null && totalText(total, plan),
    range !== null &&
    rangeSentence(range, {
      noun: plan.lineNoun,
      rows: "rows",
      value: plan.word,
      text: ({ line }) => said(line),
    }),
    total === null && range === null &&
    (lines.length === 1
      ? `${plan.name}: ${said(lines[0]!)}`
      : `${plan.name} of ${groups}: ${said(extremeLine(lines, -1))} to ${
        said(extremeLine(lines, 1))
      }`),
    sidesText(seen, plan),
    doubtful !== null &&
    (doubtful.value === null
      ? `Among them: ${formatDoubtful(doubtful, "row")}`
      : `Without ${formatDoubtful(doubtful, "row")}: ${plan.format(doubtful.value)}`),
  ];
}

function totalText(
  { value, interval, n }: NonNullable<SeenEstimates<object>["total"]>,
  { name, format, isCounted }: EstimatesPlan,
): string {
  const said = isCounted
    ? `${name}: ${partText(Math.round(value * n), n)} rows`
    : `${name} over all ${count(n, "row")}: ${format(value)}`;
  return interval === null
    ? said
    : `${said}, 95% interval ${format(interval.low)} to ${format(interval.high)}`;
}

/** How many estimates are surely above or below the reference; each for itself where they were given. */
function sidesText<Row extends object>(
  { lines, sides, reference }: SeenEstimates<Row>,
  { format, lineNoun }: EstimatesPlan,
): string | false {
  if (reference === null) return false;
  if (sides !== null) {
    return `Above ${format(reference)}: ${wholeText(sides.above)} of ` +
      `${count(lines.length, lineNoun)}; below: ${wholeText(sides.below)}; no difference seen: ` +
      wholeText(sides.neither);
  }
  const { above, below, all } = countIntervals(lines, reference);
  return all > 0 && `Of ${count(all, "interval")}, each for itself, ${wholeText(above)} ` +
      `${above === 1 ? "is" : "are"} above ${format(reference)} and ${wholeText(below)} below`;
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
function extremeLine<Row>(lines: readonly EstimateLine<Row>[], sign: 1 | -1): EstimateLine<Row> {
  return lines.reduce((a, b) => sign * b.value > sign * a.value ? b : a);
}

/** What a caption says of the numbers of things: `n = 664 fills`, which rows of a group may share. */
export function countNote<Row>(
  lines: readonly EstimateLine<Row>[],
  { stat, rows, noun, lineNoun }: EstimatesPlan,
): string {
  const isSum = lines.every(({ n }) => n !== null) && (stat !== "none" || lineNoun === noun);
  return `n = ${isSum ? count(sum(lines, ({ n }) => n!), rows) : count(lines.length, lineNoun)}`;
}

/** What the line of an estimate is. */
export function intervalName({ interval, isCounted }: EstimatesPlan): string {
  if (interval === undefined) {
    return isCounted ? "95% Wilson interval" : "95% bootstrap interval";
  }
  return interval.map((name) => inSentence(columnText(name).name)).join(" to ");
}

/** What a caption says of estimates without a line; `null` where all have one. */
export function lineNote<Row>(
  lines: readonly EstimateLine<Row>[],
  { stat, interval, lineNoun }: EstimatesPlan,
): string | null {
  const bare = lines.filter((line) => line.interval === null).length;
  if (bare === 0 || (stat === "none" && interval === undefined)) return null;
  const without = `${count(bare, lineNoun)} without an interval`;
  return stat === "none" ? without : `${without}: fewer than ${MIN_COMPARED[stat]} rows`;
}
