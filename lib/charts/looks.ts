/**
 * The colours of all charts: Okabe and Ito's palette, which colour-blind readers can tell apart.
 *
 * @see {@link https://jfly.uni-koeln.de/color/ | Color Universal Design}
 */
export const COLORS = {
  /** Winners, and what traders gained. */
  blue: "#0072b2",
  /** Others that took part. */
  sky: "#56b4e9",
  /** Refused. */
  vermilion: "#d55e00",
  /** Paid. */
  orange: "#e69f00",
  /** Successful. */
  green: "#009e73",
  /** A third group. */
  purple: "#cc79a7",
  /** Text and axes. */
  ink: "#1f2328",
  /** Secondary text. */
  muted: "#57606a",
  /** Did not win. */
  grey: "#b8bec5",
} as const;

/** The colours of series, in order of use; the rest is muted. */
export const SERIES_COLORS: readonly string[] = [
  COLORS.blue,
  COLORS.vermilion,
  COLORS.green,
  COLORS.purple,
  COLORS.orange,
  COLORS.sky,
];

/** Fill and stroke of marks with one meaning, and its label. */
export type MarkLook = Readonly<Required<Pick<LegendEntry, "label" | "fill" | "stroke">>>;

/** One entry of a legend. */
export interface LegendEntry {
  /** Meaning of the mark. */
  label: string;
  /** Name by which a caller chooses its colour. @default {the label} */
  name?: string;
  /** Fill of the swatch; `none` for a hollow one. */
  fill: string;
  /** Stroke of the swatch. */
  stroke?: string;
  /** Shape of the swatch; `line` and `tick` are drawn with the stroke. @default {"square"} */
  shape?: "square" | "dot" | "line" | "tick";
}

/** The entry for the interval of a median, which the one before it is. */
export const INTERVAL_ENTRY: LegendEntry = {
  label: "its 95% bootstrap interval",
  name: "interval",
  fill: "none",
  stroke: COLORS.ink,
  shape: "line",
};
