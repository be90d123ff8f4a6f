import * as Plot from "@observablehq/plot";
import type { PlacedAxis } from "../axes/axis_scale.ts";
import { createListAxis, createStripAxis, type ListSize } from "../axes/row_axes.ts";
import type { Panel } from "../figure/panel.ts";
import { fitText, measureLabel, measureLabelMargin } from "../texts/label_text.ts";

export interface EndNote {
  /** End of its mark, as a value of the axis. */
  value: number;
  text: string;
  /** A shorter text for narrow panels. @default {the text, cut} */
  short?: string;
  /** Its row, from 0 at the top. @default {its place among the notes} */
  index?: number;
}

interface NoteRoom {
  readonly axis: Pick<PlacedAxis, "clamp" | "fraction">;
  /** Width of the panel, in pixels. */
  readonly width: number;
  /** Room left of the axis, in pixels. */
  readonly marginLeft: number;
}

/** Space between the end of a mark and its note, in pixels. */
const NOTE_GAP = 8;
const EDGE = 4;
const MIN_MARGIN = 20;
/** Largest part of the remaining width that notes may take. */
const MAX_NOTES = 0.6;
/** Space between an axis and a column of notes, in pixels. */
const COLUMN_GAP = 10;

/** Measures the room right of the axis that keeps every note inside the panel, in pixels. */
export function measureNoteMargin(
  notes: readonly EndNote[],
  { axis, width, marginLeft }: NoteRoom,
): number {
  const inside = width - marginLeft - EDGE - NOTE_GAP;
  const rooms = notes.map(({ value, text }) => {
    const end = axis.fraction(value);
    const free = Math.max(0, inside - measureLabel(text));
    return end <= 0 ? 0 : width - marginLeft - free / Math.min(1, end);
  });
  const widest = rooms.reduce((max, room) => Math.max(max, room), MIN_MARGIN);
  return Math.ceil(Math.min((width - marginLeft) * MAX_NOTES, widest));
}

/** Cuts the texts of notes if the panel is too narrow for them. */
export function fitNotes(
  notes: readonly EndNote[],
  { axis, width, marginLeft, marginRight }: NoteRoom & { readonly marginRight: number },
): string[] {
  const inside = width - marginLeft - EDGE - NOTE_GAP;
  return notes.map(({ value, text, short = text }) => {
    const end = Math.max(0, axis.fraction(value));
    const room = inside - end * (width - marginLeft - marginRight);
    return measureLabel(text) <= room ? text : fitText(short, room);
  });
}

function drawEndNotes(
  notes: readonly EndNote[],
  room: NoteRoom & { readonly marginRight: number },
  look: Plot.TextOptions = {},
): Plot.Markish {
  return Plot.text(fitNotes(notes, room), {
    ...look,
    x: (_: string, noteIndex: number) => room.axis.clamp(notes[noteIndex]!.value),
    y: (_: string, noteIndex: number) => notes[noteIndex]!.index ?? noteIndex,
    text: (note: string) => note,
    textAnchor: "start",
    dx: NOTE_GAP,
  });
}

/** Measures the room right of the axis for a column of notes, in pixels. */
export function measureColumnMargin(notes: readonly string[]): number {
  return measureLabelMargin(notes) + COLUMN_GAP;
}

/** Draws notes in a column right of the axis, one per row of a list. */
export function drawNoteColumn(
  notes: readonly string[],
  look: Plot.TextOptions = {},
): Plot.Markish {
  return Plot.text(notes, {
    y: (_: string, index: number) => index,
    text: (note: string) => note,
    frameAnchor: "right",
    textAnchor: "start",
    dx: COLUMN_GAP,
    ...look,
  });
}

/** A list from top to bottom, with a mark per row. */
export interface ListPanel extends ListSize {
  readonly labels: readonly string[];
  readonly heading?: string | undefined;
  readonly axis: PlacedAxis;
  /** Label of the axis. @default {the axis's own} */
  readonly label?: string;
  /** Draws the marks of all rows. */
  readonly marks: (room: ListRoom) => readonly Plot.Markish[];
  /** Notes at the ends of the marks. @default {none} */
  readonly ends?: readonly EndNote[];
  /** Look of those notes. @default {plain} */
  readonly endLook?: Plot.TextOptions;
  /** Notes in a column right of the axis, one per row. @default {none} */
  readonly column?: readonly string[];
  /** Room right of the axis, in pixels. @default {what the notes need} */
  readonly marginRight?: number;
  /** Whether a line at zero is drawn over the marks, as for bars. @default {false} */
  readonly hasBaseline?: boolean;
  /** Whether rows are strips of dots, which are higher than bars. @default {false} */
  readonly isStrips?: boolean;
}

interface ListRoom {
  readonly axisWidth: number;
  readonly marginLeft: number;
  readonly width: number;
}

/** Creates a list: labels on the left, marks along an axis, and notes beside them. */
export function createListPanel(list: ListPanel): Panel {
  const { axis, column, ends = [], hasBaseline = false, heading, isStrips = false, label } = list;
  const rows = (isStrips ? createStripAxis : createListAxis)(list.labels, list);
  const room = { axis, width: list.width, marginLeft: rows.marginLeft };
  const marginRight = list.marginRight ??
    (column === undefined ? measureNoteMargin(ends, room) : measureColumnMargin(column));
  return {
    heading,
    share: list.width,
    plot: {
      ...rows,
      marginRight,
      x: label === undefined ? axis.scale : { ...axis.scale, label, labelAnchor: "center" },
      ...(isStrips ? { r: STRIP_AREAS } : {}),
      marks: [
        ...list.marks({ ...room, axisWidth: list.width - rows.marginLeft - marginRight }),
        ...(ends.length === 0 ? [] : [drawEndNotes(ends, { ...room, marginRight }, list.endLook)]),
        ...(column === undefined ? [] : [drawNoteColumn(column)]),
        ...(hasBaseline ? [Plot.ruleX([0])] : []),
      ],
    },
  };
}

/** Radii of dots that stand for several, in pixels. */
const STRIP_AREAS: Plot.ScaleOptions = { range: [1.6, 7] };

/** Below this width, lists are stacked instead of side by side. */
const SIDE_BY_SIDE = 600;

/**
 * Lists of the same rows side by side, of which the first has the labels; one under the other where
 * the figure is narrow.
 *
 * @param lists Draw a list of the size they are given.
 * @param share Part of the width that each list but the first has. @default {as much as the first}
 */
export function placeSideBySide(
  lists: readonly ((size: ListSize) => Panel)[],
  { width, height, marginLeft: marginOption, labels }: ListSize & { labels: readonly string[] },
  share?: number,
): readonly (Panel | readonly Panel[])[] {
  const { marginLeft } = createListAxis(labels, { width, marginLeft: marginOption });
  if (width < SIDE_BY_SIDE || lists.length === 1) {
    return lists.map((list) => list({ width, height, marginLeft }));
  }
  const listWidth = Math.floor(
    share === undefined ? (width - marginLeft) / lists.length : width * share,
  );
  return [lists.map((list, noteIndex) =>
    list({
      width: noteIndex === 0 ? width - (lists.length - 1) * listWidth : listWidth,
      height,
      marginLeft,
      isLabelled: noteIndex === 0,
    })
  )];
}

export interface StackPart {
  /** Row of its bar, from 0 at the top. */
  index: number;
  /** Its length; negative parts stack to the left of zero. */
  value: number;
  fill: string;
  title: string;
}

/** Draws horizontal bars whose parts are stacked end to end, in the given order. */
export function drawStackedBars(
  parts: readonly StackPart[],
  look: Plot.BarXOptions & { className: string },
): Plot.Markish {
  const channels = { x: "value", y: "index", fill: "fill", title: "title" };
  return Plot.barX(parts, Plot.stackX({ ...channels, ...look }));
}
