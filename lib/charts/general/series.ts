import { COLORS, SERIES_COLORS } from "../figure/colors.ts";
import type { LegendEntry } from "../figure/figure.ts";
import { count } from "../rows/row_selection.ts";
import { shortNames } from "../texts/short_names.ts";

/** Rows that share a text, and a colour. */
export interface Series<Point> {
  /** What they share, in full. */
  readonly name: string;
  /** The same, short. */
  readonly label: string;
  /** Their colour. */
  readonly color: string;
  /** What is drawn of them. */
  readonly points: readonly Point[];
}

/** Most series with a colour of their own. */
export const MOST_SERIES = SERIES_COLORS.length;

/** How rows become series. */
export interface Seriation<Point> {
  /** What the points of one series share; `null` where they are not told apart. */
  readonly keyOf: ((point: Point) => string | null) | null;
  /** How large a series is. */
  readonly sizeOf: (points: readonly Point[]) => number;
  /** Most series; the others share one more. */
  readonly limit: number;
  /** What a series is, such as `solver`. */
  readonly noun: string;
}

/** The series of some points, largest first (equal ones by name); the smallest share the last. */
export function seriesOf<Point>(
  points: readonly Point[],
  { keyOf, sizeOf, limit, noun }: Seriation<Point>,
): readonly Series<Point>[] {
  if (keyOf === null) return [{ name: "", label: "", color: SERIES_COLORS[0]!, points }];
  const groups = [...Map.groupBy(points, (point) => keyOf(point) ?? `unknown ${noun}`)]
    .map(([name, own]) => ({ name, points: own, size: sizeOf(own) }))
    .toSorted((a, b) => b.size - a.size || (a.name < b.name ? -1 : 1));
  const [listed, others] = [groups.slice(0, limit), groups.slice(limit)];
  const labels = shortNames(listed.map(({ name }) => name));
  const series = listed.map(({ name, points }, at) => ({
    name,
    label: labels[at]!,
    color: SERIES_COLORS[at] ?? COLORS.muted,
    points,
  }));
  if (others.length === 0) return series;
  const rest = count(others.length, `other ${noun}`);
  const shared = others.flatMap(({ points }) => points);
  return [...series, { name: rest, label: rest, color: COLORS.muted, points: shared }];
}

/** What the colours of series mean; nothing where there is but one without a name. */
export function seriesLegend<Point>(
  series: readonly Series<Point>[],
  { shape, labelOf = ({ label }) => label }: {
    shape: LegendEntry["shape"] & string;
    labelOf?: (one: Series<Point>) => string;
  },
): LegendEntry[] {
  return series.filter(({ name }) => name !== "").map((one) => ({
    label: labelOf(one),
    name: one.name,
    shape,
    ...(shape === "line" ? { fill: "none", stroke: one.color } : { fill: one.color }),
  }));
}

/** What a caption says of series that share one; `null` where none do. */
export function restNote<Point>(
  series: readonly Series<Point>[],
  { limit, noun, most }: { limit: number; noun: string; most: string },
): string | null {
  if (series.length <= limit) return null;
  const listed = limit === 1 ? `The ${noun}` : `The ${limit} ${noun}s`;
  return `${listed} with the most ${most} ${limit === 1 ? "is" : "are"} shown; ` +
    `${series.at(-1)!.name} ${series.at(-1)!.name.startsWith("1 ") ? "is" : "are"} the last series`;
}
