import type { ScaleOptions } from "@observablehq/plot";
import { fitText, labelRoom, labelWidth } from "../texts/label_size.ts";

const ROW_HEIGHT = 22;
const AXIS_HEIGHT = 44;
const TOP = 10;
/** Largest part of the width that labels may take. */
const MOST_LABELS = 0.4;

/** What a list of bars or dots, one per row, needs of its plot. */
export interface ListAxis {
  /** Plot's scale: places are 0, 1, 2, so that equal labels stay apart. */
  y: ScaleOptions;
  /** Room for the labels, in pixels. */
  marginLeft: number;
  /** Room above the first row, in pixels. */
  marginTop: number;
  /** Room for the axis below the last row, in pixels. */
  marginBottom: number;
  /** Height of the plot with its margins, in pixels. */
  height: number;
}

/** How a list is set. */
export interface ListSize {
  /** Width of the panel, in pixels. */
  width: number;
  /** Height of the plot, in pixels. @default {22 per row} */
  height?: number | undefined;
  /**
   * Room for labels, in pixels. @default {what the labels need, at most two fifths of the width}
   */
  marginLeft?: number | undefined;
}

/** An axis that lists labels from top to bottom; too long ones are cut. */
export function listAxis(labels: readonly string[], size: ListSize): ListAxis {
  const marginLeft = size.marginLeft ?? labelRoom(labels, size.width * MOST_LABELS);
  const places = labels.map((_, place) => place);
  return {
    y: {
      type: "band",
      label: null,
      domain: places,
      padding: 0.25,
      tickFormat: (place: number) => fitText(labels[place] ?? "", marginLeft - TICK_LENGTH),
    },
    marginLeft,
    marginTop: TOP,
    marginBottom: AXIS_HEIGHT,
    height: size.height ?? labels.length * ROW_HEIGHT + TOP + AXIS_HEIGHT,
  };
}

/** Length of a tick with the gap before its label, in pixels. */
export const TICK_LENGTH = 10;

/** A note beside the end of a bar or beside a dot. */
export interface EndNote {
  /** Where its mark ends on the axis: 0 is the left end, 1 the right. */
  end: number;
  /** What it says. */
  text: string;
  /** What it says where there is no room for all of it; left out, the text is cut. */
  short?: string;
}

/** Notes that stay inside their panel. */
export interface EndNotes {
  /** Room right of the axis, in pixels. */
  marginRight: number;
  /** What the notes say, cut where the panel is too narrow for them. */
  texts: readonly string[];
}

/** Space between the end of a mark and its note, in pixels. */
export const NOTE_GAP = 8;
const EDGE = 4;
const LEAST_MARGIN = 20;
/** Largest part of the remaining width that notes may take. */
const MOST_NOTES = 0.6;

/** Finds the room right of the axis that keeps every note inside the panel. */
export function endNotes(
  notes: readonly EndNote[],
  { width, marginLeft }: { width: number; marginLeft: number },
): EndNotes {
  const inside = width - marginLeft - EDGE - NOTE_GAP;
  const needed = notes.map(({ end, text }) => {
    const free = Math.max(0, inside - labelWidth(text));
    return end <= 0 ? 0 : width - marginLeft - free / Math.min(1, end);
  });
  const wanted = Math.max(LEAST_MARGIN, ...needed);
  const marginRight = Math.ceil(Math.min((width - marginLeft) * MOST_NOTES, wanted));
  const axis = width - marginLeft - marginRight;
  return {
    marginRight,
    texts: notes.map(({ end, text, short = text }) => {
      const room = inside - Math.max(0, end) * axis;
      return labelWidth(text) <= room ? text : fitText(short, room);
    }),
  };
}
