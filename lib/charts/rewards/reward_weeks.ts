import type * as Plot from "@observablehq/plot";
import type { PlacedAxis } from "../axes/axis_scale.ts";
import { createListAxis, type ListSize } from "../axes/row_axes.ts";
import type { Panel } from "../figure/panel.ts";
import { createListPanel, measureColumnMargin } from "../marks/bars.ts";
import { formatMoment, type Moment, toSeconds } from "../texts/label_text.ts";
import type { SolverNames } from "../texts/short_names.ts";

interface RewardWeek<Row> {
  /** Its start, in seconds since 1970; `null` if unknown. */
  start: number | null;
  rows: readonly Row[];
}

/** Groups rows by accounting week, the earliest first and those without a week last. */
export function groupByWeek<Row extends { readonly week_start?: Moment | null }>(
  rows: readonly Row[],
): RewardWeek<Row>[] {
  return [...Map.groupBy(rows, (row) => toSeconds(row.week_start))]
    .map(([start, members]) => ({ start, rows: members }))
    .toSorted((a, b) => (a.start ?? Infinity) - (b.start ?? Infinity));
}

interface WeekPanels<Row> extends ListSize {
  axis: PlacedAxis;
  names: SolverNames;
  /** Formats the notes right of the rows. */
  formatNotes: (rows: readonly Row[]) => string[];
  /** Draws the marks of one week. */
  drawMarks: (rows: readonly Row[]) => Plot.Markish[];
}

/** Creates a panel per week with a row per solver, all with one axis. */
export function createWeekPanels<Row extends { readonly solver: string }>(
  weeks: readonly RewardWeek<Row>[],
  { axis, names, formatNotes, drawMarks, ...size }: WeekPanels<Row>,
): Panel[] {
  const rows = weeks.flatMap((week) => week.rows);
  const labels = names.formatLabels(rows.map(({ solver }) => solver));
  const notes = formatNotes(rows);
  const { marginLeft } = createListAxis(labels, size);
  let first = 0;
  return weeks.map(({ start, rows }) => {
    const [from, to] = [first, first += rows.length];
    return createListPanel({
      ...size,
      heading: start !== null
        ? `Accounting week from ${formatMoment(start).slice(0, 10)}`
        : weeks.length === 1
        ? undefined
        : "Auctions whose week is unknown",
      marginLeft,
      marginRight: measureColumnMargin(notes),
      labels: labels.slice(from, to),
      axis,
      marks: () => drawMarks(rows),
      column: notes.slice(from, to),
      hasBaseline: true,
    });
  });
}

/** Formats `auctions of 2 accounting weeks from 2026-11-10`; `null` if no row has a week. */
export function formatWeeks(weeks: readonly RewardWeek<unknown>[]): string | null {
  const [first, ...otherStarts] = weeks.flatMap(({ start }) => start ?? []);
  if (first === undefined) return null;
  const span = otherStarts.length === 0
    ? "the accounting week"
    : `${otherStarts.length + 1} accounting weeks`;
  return `auctions of ${span} from ${formatMoment(first).slice(0, 10)}`;
}
