import * as Plot from "@observablehq/plot";
import type { PlacedAxis } from "../axes/axis_scale.ts";
import { fitText, labelRoom, labelWidth } from "../texts/label_size.ts";

/** A note beside the end of a bar or beside a dot. */
export interface EndNote {
  /** Where its mark ends, as a value of the axis. */
  value: number;
  /** What it says. */
  text: string;
  /** A shorter text for narrow panels. @default {the text, cut} */
  short?: string;
  /** Its row, from 0 at the top. @default {its place among the notes} */
  place?: number;
}

/** The room that the notes of a list have. */
export interface NoteRoom {
  /** Axis of the marks. */
  readonly axis: Pick<PlacedAxis, "place" | "fraction">;
  /** Width of the panel, in pixels. */
  readonly width: number;
  /** Room left of the axis, in pixels. */
  readonly marginLeft: number;
}

/** Space between the end of a mark and its note, in pixels. */
const NOTE_GAP = 8;
const EDGE = 4;
const LEAST_MARGIN = 20;
/** Largest part of the remaining width that notes may take. */
const MOST_NOTES = 0.6;
/** Space between an axis and a column of notes, in pixels. */
const COLUMN_GAP = 10;

/** The room right of the axis that keeps every note inside the panel, in pixels. */
export function noteMargin(
  notes: readonly EndNote[],
  { axis, width, marginLeft }: NoteRoom,
): number {
  const inside = width - marginLeft - EDGE - NOTE_GAP;
  const needed = notes.map(({ value, text }) => {
    const end = axis.fraction(value);
    const free = Math.max(0, inside - labelWidth(text));
    return end <= 0 ? 0 : width - marginLeft - free / Math.min(1, end);
  });
  const wanted = Math.max(LEAST_MARGIN, ...needed);
  return Math.ceil(Math.min((width - marginLeft) * MOST_NOTES, wanted));
}

/** The texts of notes, cut where the panel is too narrow for them. */
export function noteTexts(
  notes: readonly EndNote[],
  { axis, width, marginLeft, marginRight }: NoteRoom & { readonly marginRight: number },
): string[] {
  const inside = width - marginLeft - EDGE - NOTE_GAP;
  return notes.map(({ value, text, short = text }) => {
    const end = Math.max(0, axis.fraction(value));
    const room = inside - end * (width - marginLeft - marginRight);
    return labelWidth(text) <= room ? text : fitText(short, room);
  });
}

/** Notes at the ends of the marks of a list. */
export function endNotes(
  notes: readonly EndNote[],
  room: NoteRoom & { readonly marginRight: number },
  look: Plot.TextOptions = {},
): Plot.Markish {
  return Plot.text(noteTexts(notes, room), {
    ...look,
    x: (_: string, at: number) => room.axis.place(notes[at]!.value),
    y: (_: string, at: number) => notes[at]!.place ?? at,
    text: (note: string) => note,
    textAnchor: "start",
    dx: NOTE_GAP,
  });
}

/** The room right of the axis for a column of notes, in pixels. */
export function columnMargin(notes: readonly string[]): number {
  return labelRoom(notes) + COLUMN_GAP;
}

/** Notes in a column right of the axis, one per row of a list. */
export function noteColumn(notes: readonly string[], look: Plot.TextOptions = {}): Plot.Markish {
  return Plot.text(notes, {
    y: (_: string, place: number) => place,
    text: (note: string) => note,
    frameAnchor: "right",
    textAnchor: "start",
    dx: COLUMN_GAP,
    ...look,
  });
}
