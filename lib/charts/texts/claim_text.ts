import {
  compareSamples,
  compareShares,
  type CountedShare,
  estimateSample,
  MIN_COMPARED,
  type Statistic,
} from "../../metrics/intervals.ts";
import type { Sample } from "../../metrics/resampling.ts";
import { count, formatWhole, pluralize } from "./count_text.ts";
import { formatPercent, formatSigned } from "./label_text.ts";

/** Minimum number of things for a percentage without their number. */
export const MIN_PERCENT = 30;

/**
 * A share in percent, of fewer than 30 things with how many they are: `45% of the score (n = 12)`.
 *
 * @param base The whole of the share. @default {not said}
 */
export function formatShare(share: number, n: number | null, base = ""): string {
  const text = `${formatPercent(share)} ${base}`.trim();
  if (n === null) return `${text} (n unknown)`;
  return n < MIN_PERCENT ? `${text} (n = ${formatWhole(n)})` : text;
}

/** Formats a part of some things: `67% of fills`, of fewer than 30 `2 of 3 fills`; without a noun `67%`. */
export function formatPortion(part: number, total: number, noun?: string, plural?: string): string {
  if (total >= MIN_PERCENT) {
    return formatPercent(part / total) +
      (noun === undefined ? "" : ` of ${plural ?? pluralize(noun)}`);
  }
  const things = noun === undefined ? formatWhole(total) : count(total, noun, plural);
  return `${formatWhole(part)} of ${things}`;
}

/** Formats the share of things that a quantile covers: `80%`, of fewer than 30 `4 of 5`. */
export function formatCoverage(share: number, total: number): string {
  if (total >= MIN_PERCENT) return formatPercent(share);
  return `${formatWhole(Math.ceil(share * total - 1e-9))} of ${formatWhole(total)}`;
}

export interface Comparison {
  /** Whether a difference is seen: only then may a title say which is more. */
  readonly isSeen: boolean;
  /** Clause on the difference, after both values are named. */
  readonly clause: string;
  /** The interval of the difference: `−7.9 bps to +23.8 bps`; empty without one. */
  readonly bounds: string;
}

/**
 * Compares the medians of two groups. Only this says whether they differ: a difference whose interval
 * holds 0, or of fewer than ten values, is none.
 *
 * @param text Writes a difference with its sign and unit.
 * @param groups Number of groups of which the two differ most. @default {2}
 */
export function compareMedians(
  first: Sample,
  second: Sample,
  { text, groups = 2 }: { text: (difference: number) => string; groups?: number },
): Comparison {
  const compared = compareSamples(first, second, { groups });
  return describeDifference(compared?.value ?? 0, compared?.interval ?? null, text);
}

/**
 * Compares two shares as {@linkcode compareMedians} compares medians; the difference is in percentage
 * points.
 *
 * @param groups Number of groups from which the first was picked.
 */
export function comparePortions(
  first: CountedShare,
  second: CountedShare,
  groups: number,
): Comparison {
  const compared = compareShares(first, second, { groups });
  return describeDifference(compared?.value ?? 0, compared?.interval ?? null, formatPoints);
}

export function formatPoints(difference: number): string {
  return `${formatSigned(Number((100 * difference).toFixed(1)))} points`;
}

function describeDifference(
  difference: number,
  interval: { readonly low: number; readonly high: number } | null,
  text: (difference: number) => string,
  level: number = LEVEL,
): Comparison {
  if (interval === null) {
    return { isSeen: false, clause: "too few to tell whether they differ", bounds: "" };
  }
  const { low, high } = interval;
  const isSeen = low > 0 || high < 0;
  const bounds = `${text(low)} to ${text(high)}`;
  const intervalText = `${formatLevel(level)} interval ${bounds}`;
  return {
    isSeen,
    bounds,
    clause: isSeen
      ? `a difference of ${text(difference)} (${intervalText})`
      : `no clear difference (${intervalText})`,
  };
}

/** Confidence of intervals where a chart has no other. */
export const LEVEL = 0.95;

/** Formats the confidence of an interval: `95%`. */
export function formatLevel(level: number): string {
  return `${Number((100 * level).toPrecision(12))}%`;
}

/** Says of what the intervals of several groups hold, for a caption. */
export function formatIntervalsNote(level: number): string {
  return `Each ${
    formatLevel(level)
  } interval is for its group alone; the title and the finding hold ` +
    "for all groups together";
}

/** The same at the usual confidence. */
export const INTERVALS_NOTE: string = formatIntervalsNote(LEVEL);

/** Resamples of one of several groups, whose intervals hold for all of them together. */
const DRAWS = 10_000;

/** Estimates the interval of one group, at the level of all groups together. */
function estimateGroup(group: Sample, groups: number, stat: Statistic, levelOfAll: number) {
  if (group.values.length < MIN_COMPARED[stat]) return null;
  const level = 1 - (1 - levelOfAll) / groups;
  return estimateSample(group, { stat, level, n: DRAWS })?.interval ?? null;
}

/** Counts groups that are surely above a reference or below it, that are neither, and of too few values. */
export function countSides(
  groups: readonly Sample[],
  { reference = 0, stat = "median", level = LEVEL }: {
    reference?: number;
    stat?: Statistic;
    level?: number;
  } = {},
) {
  const intervals = groups.map((group) => estimateGroup(group, groups.length, stat, level));
  const aboveCount = intervals.filter((interval) => interval && interval.low > reference).length;
  const belowCount = intervals.filter((interval) => interval && interval.high < reference).length;
  const fewCount = intervals.filter((interval) => interval === null).length;
  const neitherCount = groups.length - aboveCount - belowCount - fewCount;
  return { aboveCount, belowCount, neitherCount, fewCount };
}

interface GroupRange<Group> {
  readonly groups: number;
  /** Number of groups with enough values, which are compared. */
  readonly comparedGroups: number;
  /** Confidence of all comparisons together. */
  readonly level: number;
  /**
   * The group whose interval ends lowest, the one whose interval begins highest, and whether they differ;
   * `null` where fewer than two have enough values, or these do not bound the difference.
   */
  readonly ends: (Comparison & { readonly lowest: Group; readonly highest: Group }) | null;
}

/**
 * Compares the two of several groups that differ most, at the level of all pairs together.
 *
 * @param text Writes a difference with its sign and unit.
 */
export function compareRange<Group extends Sample>(
  groups: readonly Group[],
  { text, stat = "median", level = LEVEL }: {
    text: (difference: number) => string;
    stat?: Statistic;
    level?: number;
  },
): GroupRange<Group> {
  const estimates = groups.flatMap((group) => {
    const interval = estimateGroup(group, groups.length, stat, level);
    return interval === null ? [] : [{ group, ...interval }];
  });
  const lowest = estimates.toSorted((a, b) => a.high - b.high).at(0)?.group;
  const highest = estimates.toSorted((a, b) => b.low - a.low).find(({ group }) => group !== lowest)
    ?.group;
  const counts = { groups: groups.length, comparedGroups: estimates.length, level };
  if (lowest === undefined || highest === undefined) return { ...counts, ends: null };
  const compared = compareSamples(highest, lowest, { groups: estimates.length, stat, level });
  if (compared === null || compared.interval === null) return { ...counts, ends: null };
  const comparison = describeDifference(compared.value, compared.interval, text, level);
  return { ...counts, ends: { lowest, highest, ...comparison } };
}

/**
 * Says in a title that no difference between several groups is seen; only two are compared, and of more,
 * others may differ.
 *
 * @param noun What a group is; `rows`: what its values are of.
 */
export function formatUnseen(
  range: GroupRange<unknown>,
  { noun, rows }: { noun: string; rows: string },
): string {
  if (range.ends === null) return `too few ${rows} to tell whether they differ`;
  if (range.groups === 2) return "no clear difference";
  const extremes = range.comparedGroups === 2 ? "" : "the two furthest apart of ";
  return `no clear difference between ${extremes}${formatCompared(range, { noun, rows })}`;
}

/** Formats the groups that were compared, and those among which they have enough rows. */
function formatCompared(
  { groups, comparedGroups }: GroupRange<unknown>,
  { noun, rows }: { noun: string; rows: string },
): string {
  const groupsText = count(groups, noun);
  return comparedGroups === groups
    ? groupsText
    : `the ${formatWhole(comparedGroups)} of ${groupsText} with enough ${rows}`;
}

/**
 * A sentence about the values of several groups that differ most, or that no clear difference is seen.
 *
 * @param noun What a group is; `rows`: what its values are of; `value`: what is compared. `text` writes
 * the value of a group, with its name and number of values.
 */
export function describeRange<Group>(
  range: GroupRange<Group>,
  { noun, rows, value = "median", text }: {
    noun: string;
    rows: string;
    value?: string;
    text: (group: Group) => string;
  },
): string {
  const { groups, comparedGroups, level, ends } = range;
  const values = pluralize(value);
  if (ends === null) {
    return `The ${count(groups, noun)} have too few ${rows} to tell whether their ${values} differ`;
  }
  const endsText = `${text(ends.lowest)} and ${text(ends.highest)}`;
  const comparedText = formatCompared(range, { noun, rows });
  if (ends.isSeen) return `The ${values} of ${comparedText} differ: ${endsText}, ${ends.clause}`;
  // Of more than two, others may differ clearly whose own intervals are less far apart.
  const pairText = comparedGroups === 2
    ? comparedText
    : `the two of ${comparedText} whose intervals are furthest apart`;
  return `No clear difference between the ${values} of ${pairText}: ${endsText}, with a ` +
    `${formatLevel(level)} interval of ${ends.bounds} for the difference`;
}
