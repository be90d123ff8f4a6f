import {
  compareSamples,
  compareShares,
  type CountedShare,
  estimateSample,
} from "../../metrics/intervals.ts";
import { count, pluralOf, wholeText } from "./count_text.ts";
import { percentText, signedText } from "./label_text.ts";

/** Of fewer things than this, a percentage is given with their number only. */
export const MIN_PERCENT = 30;

/**
 * A share in percent, of fewer than 30 things with how many they are: `45% of the score (n = 12)`.
 *
 * @param of What it is a share of. @default {not said}
 */
export function shareText(share: number, n: number | null, of = ""): string {
  const text = `${percentText(share)} ${of}`.trim();
  if (n === null) return `${text} (n unknown)`;
  return n < MIN_PERCENT ? `${text} (n = ${wholeText(n)})` : text;
}

/** A part of some things: `67% of fills`, of fewer than 30 `2 of 3 fills`; without a noun `67%`. */
export function portionText(part: number, whole: number, noun?: string, plural?: string): string {
  if (whole >= MIN_PERCENT) {
    return percentText(part / whole) +
      (noun === undefined ? "" : ` of ${plural ?? pluralOf(noun)}`);
  }
  const things = noun === undefined ? wholeText(whole) : count(whole, noun, plural);
  return `${wholeText(part)} of ${things}`;
}

/** How many things a quantile covers: `80%`, of fewer than 30 `4 of 5`. */
export function coverText(share: number, whole: number): string {
  if (whole >= MIN_PERCENT) return percentText(share);
  return `${wholeText(Math.ceil(share * whole - 1e-9))} of ${wholeText(whole)}`;
}

/** Rows that a sentence compares with others. */
export interface ComparedGroup {
  /** Their values, of which the medians are compared. */
  readonly values: readonly number[];
}

/** What can be said of the difference of two medians. */
export interface Comparison {
  /** Whether one is seen: only then may a title say which is more. */
  readonly isSeen: boolean;
  /** What a sentence that has named both medians says of it. */
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
  first: ComparedGroup,
  second: ComparedGroup,
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
  return describeDifference(compared?.value ?? 0, compared?.interval ?? null, pointsText);
}

function pointsText(difference: number): string {
  return `${signedText(Number((100 * difference).toFixed(1)))} points`;
}

/** The same of a difference that a table has, with its interval. */
export function describeDifference(
  difference: number,
  interval: { readonly low: number; readonly high: number } | null,
  text: (difference: number) => string,
): Comparison {
  if (interval === null) {
    return { isSeen: false, clause: "too few to tell whether they differ", bounds: "" };
  }
  const { low, high } = interval;
  const isSeen = low > 0 || high < 0;
  const bounds = `${text(low)} to ${text(high)}`;
  return {
    isSeen,
    bounds,
    clause: isSeen
      ? `a difference of ${text(difference)} (95% interval ${bounds})`
      : `no difference is seen (95% interval ${bounds})`,
  };
}

/** Resamples of one of several groups, whose intervals hold for all of them together. */
const DRAWS = 10_000;

/** The interval of the median of one of some groups, at the level of all of them together. */
function estimateMedian({ values }: ComparedGroup, groups: number) {
  if (values.length < MIN_COMPARED) return null;
  const level = 1 - 0.05 / groups;
  return estimateSample({ values }, { level, n: DRAWS })?.interval ?? null;
}

/** Fewer values have no interval that can be relied on. */
const MIN_COMPARED = 10;

/** How many groups have a median that is surely above 0, surely below it, or neither. */
export function countSides(groups: readonly ComparedGroup[]) {
  const intervals = groups.map((group) => estimateMedian(group, groups.length));
  const above = intervals.filter((interval) => interval !== null && interval.low > 0).length;
  const below = intervals.filter((interval) => interval !== null && interval.high < 0).length;
  return { above, below, neither: groups.length - above - below };
}

/**
 * A sentence about the medians of several groups that differ most, or that no difference is seen.
 *
 * The two are the group whose interval ends lowest and the one whose interval begins highest; their
 * difference has the level of all pairs together.
 *
 * @param noun What a group is; `rows`: what its values are of. `text` writes the median of a group, with
 * its name and number of values.
 */
export function rangeSentence<Group extends ComparedGroup>(
  groups: readonly Group[],
  { noun, rows, text, difference }: {
    noun: string;
    rows: string;
    text: (group: Group) => string;
    difference: (value: number) => string;
  },
): string {
  const all = groups.flatMap((group) => {
    const interval = estimateMedian(group, groups.length);
    return interval === null ? [] : [{ group, ...interval }];
  });
  const lowest = all.toSorted((a, b) => a.high - b.high).at(0);
  const highest = all.toSorted((a, b) => b.low - a.low).find((one) => one !== lowest);
  const them = count(groups.length, noun);
  if (lowest === undefined || highest === undefined) {
    return `The ${them} have too few ${rows} to tell whether their medians differ`;
  }
  const { isSeen, clause, bounds } = compareMedians(highest.group, lowest.group, {
    text: difference,
    groups: all.length,
  });
  const both = `${text(lowest.group)} and ${text(highest.group)}`;
  return isSeen
    ? `The medians of ${them} differ: ${both}, ${clause}`
    : `No difference between the medians of ${them} is seen, even between ${both}, with a 95% interval ` +
      `of ${bounds}`;
}
