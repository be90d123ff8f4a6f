import { countFewest } from "../../metrics/intervals.ts";
import { lowerFirst } from "../../units/format.ts";
import { sum } from "../statistics.ts";
import { describeRange, formatLevel, formatUnseen } from "../texts/claim_text.ts";
import { count, formatPart, formatWhole } from "../texts/count_text.ts";
import { formatDoubtful } from "../texts/price_text.ts";
import { describeColumn } from "./column_text.ts";
import type { EstimateLine, EstimatesPlan, EstimatesResult } from "./estimate_lines.ts";

/** Formats the title, which says that groups differ only where they surely do. */
export function formatTitle<Row extends object>(
  { lines, range, reference, formatLine }: EstimatesResult<Row>,
  plan: EstimatesPlan,
): string {
  const subject = `${plan.name} by ${plan.noun}`;
  const [first] = lines as [EstimateLine<Row>];
  if (lines.length === 1) return `${subject}: ${formatLine(first)}`;
  if (range !== null) {
    const { ends } = range;
    return ends?.isSeen
      ? `${subject}: ${formatLine(ends.lowest.line)} to ${formatLine(ends.highest.line)}`
      : `${subject}: ${formatUnseen(range, { noun: plan.lineNoun, rows: "rows" })}`;
  }
  const { aboveCount, belowCount, total } = countIntervals(lines, reference);
  if (reference !== null && total > 0) {
    return `${subject}: ${formatWhole(aboveCount + belowCount)} of ${count(total, "interval")} ` +
      `${total === 1 ? "lies" : "lie"} above or below ${plan.format(reference)}`;
  }
  return `${subject}: ${formatLine(findExtreme(lines, -1))} to ` +
    `${formatLine(findExtreme(lines, 1))}`;
}

/** Formats the finding: all rows, the groups that differ most, and their relation to the reference. */
export function formatFinding<Row extends object>(
  result: EstimatesResult<Row>,
  plan: EstimatesPlan,
): (string | false)[] {
  const { lines, total, range, formatLine, doubtful } = result;
  const groups = count(lines.length, plan.lineNoun);
  return [
    total !== null && formatTotal(total, plan),
    range !== null &&
    describeRange(range, {
      noun: plan.lineNoun,
      rows: "rows",
      value: plan.word,
      text: ({ line }) => formatLine(line),
    }),
    total === null && range === null &&
    (lines.length === 1
      ? `${plan.name}: ${formatLine(lines[0]!)}`
      : `${plan.name} of ${groups}: ${formatLine(findExtreme(lines, -1))} to ` +
        `${formatLine(findExtreme(lines, 1))}`),
    formatSides(result, plan),
    doubtful !== null &&
    (doubtful.value === null
      ? `Among them: ${formatDoubtful(doubtful, "row")}`
      : `Without ${formatDoubtful(doubtful, "row")}: ${plan.format(doubtful.value)}`),
  ];
}

function formatTotal(
  { value, interval, n }: NonNullable<EstimatesResult<object>["total"]>,
  { name, format, isCounted, level }: EstimatesPlan,
): string {
  const formatLine = isCounted
    ? `${name}: ${formatPart(Math.round(value * n), n)} rows`
    : `${name} over all ${count(n, "row")}: ${format(value)}`;
  return interval === null
    ? formatLine
    : `${formatLine}, ${formatLevel(level)} interval ${format(interval.low)} to ${
      format(interval.high)
    }`;
}

/** Counts estimates that are surely above or below the reference; each on its own if intervals are given. */
function formatSides<Row extends object>(
  { lines, sides, reference }: EstimatesResult<Row>,
  { format, lineNoun }: EstimatesPlan,
): string | false {
  if (reference === null) return false;
  if (sides !== null) {
    return `Above ${format(reference)}: ${formatWhole(sides.aboveCount)} of ` +
      `${count(lines.length, lineNoun)}; below: ` +
      `${formatWhole(sides.belowCount)}; no clear difference: ` +
      formatWhole(sides.neitherCount) +
      (sides.fewCount === 0 ? "" : `; too few rows: ${formatWhole(sides.fewCount)}`);
  }
  const { aboveCount, belowCount, total } = countIntervals(lines, reference);
  return total > 0 &&
    `Of ${count(total, "interval")}, each on its own, ${formatWhole(aboveCount)} ` +
      `${aboveCount === 1 ? "is" : "are"} above ${format(reference)} and ` +
      `${formatWhole(belowCount)} below`;
}

function countIntervals<Row>(lines: readonly EstimateLine<Row>[], reference: number | null) {
  const intervals = lines.flatMap(({ interval }) => interval ?? []);
  return {
    total: intervals.length,
    aboveCount: intervals.filter(({ low }) => reference !== null && low > reference).length,
    belowCount: intervals.filter(({ high }) => reference !== null && high < reference).length,
  };
}

/** Finds the line of the least value, or with the sign 1 of the largest. */
function findExtreme<Row>(lines: readonly EstimateLine<Row>[], sign: 1 | -1): EstimateLine<Row> {
  return lines.reduce((a, b) => sign * b.value > sign * a.value ? b : a);
}

/** Formats the number of things, such as `n = 664 fills`, which rows of a group may share. */
export function describeCount<Row>(
  lines: readonly EstimateLine<Row>[],
  { stat, rows, noun, lineNoun }: EstimatesPlan,
): string {
  const isSum = lines.every(({ n }) => n !== null) && (stat !== "none" || lineNoun === noun);
  return `n = ${isSum ? count(sum(lines, ({ n }) => n!), rows) : count(lines.length, lineNoun)}`;
}

export function nameInterval({ interval, isCounted, level }: EstimatesPlan): string {
  if (interval === undefined) {
    return `${formatLevel(level)} ${isCounted ? "Wilson" : "bootstrap"} interval`;
  }
  return interval.map((name) => lowerFirst(describeColumn(name).name)).join(" to ");
}

/** Counts estimates without a line, for a caption; `null` where all have one. */
export function describeBareLines<Row>(
  lines: readonly EstimateLine<Row>[],
  { stat, level, interval, lineNoun }: EstimatesPlan,
): string | null {
  const bareLines = lines.filter((line) => line.interval === null);
  if (bareLines.length === 0 || (stat === "none" && interval === undefined)) return null;
  const bareText = `${count(bareLines.length, lineNoun)} without an interval`;
  if (stat === "none") return bareText;
  const reasons = [...Map.groupBy(bareLines, ({ reason }) => reason)].map(([reason, members]) => {
    const text = {
      too_few: `fewer than ${countFewest(stat, level)} rows`,
      no_spread: "all resamples are equal",
      zero_weight: "the weights of some resamples add up to 0",
    }[reason!];
    return { text, lines: members.length };
  });
  return `${bareText}: ` +
    reasons.map(({ text, lines }) => reasons.length === 1 ? text : `${formatWhole(lines)} ${text}`)
      .join("; ");
}
