import * as Plot from "@observablehq/plot";
import { columnMargin, type EndNote, endNotes, noteColumn, noteMargin } from "./end_notes.ts";
import type { PlacedAxis } from "../axes/axis_scale.ts";
import type { Panel } from "../figure/panel.ts";
import { listAxis, type ListSize, stripAxis } from "../axes/list_axis.ts";

/** A list from top to bottom, with a mark per row. */
export interface RankedList extends ListSize {
  /** Labels of the rows, from top to bottom. */
  readonly labels: readonly string[];
  /** What the list shows. */
  readonly heading?: string;
  /** Axis of the marks. */
  readonly axis: PlacedAxis;
  /** Label of the axis. @default {the axis's own} */
  readonly label?: string;
  /** The marks of all rows, given the room that they have. */
  readonly marks: (room: ListRoom) => readonly Plot.Markish[];
  /** Notes at the ends of the marks. @default {none} */
  readonly ends?: readonly EndNote[];
  /** How those notes look. @default {plain} */
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

/** The room of the marks of a list, in pixels. */
export interface ListRoom {
  /** Length of the axis. */
  readonly axisWidth: number;
  /** Room left of the axis. */
  readonly marginLeft: number;
  /** Width of the panel. */
  readonly width: number;
}

/** A panel of a list: labels on the left, marks along an axis, and notes beside them. */
export function rankedList(list: RankedList): Panel {
  const { axis, column, ends = [], hasBaseline = false, heading, isStrips = false, label } = list;
  const rows = (isStrips ? stripAxis : listAxis)(list.labels, list);
  const room = { axis, width: list.width, marginLeft: rows.marginLeft };
  const marginRight = list.marginRight ??
    (column === undefined ? noteMargin(ends, room) : columnMargin(column));
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
        ...(ends.length === 0 ? [] : [endNotes(ends, { ...room, marginRight }, list.endLook)]),
        ...(column === undefined ? [] : [noteColumn(column)]),
        ...(hasBaseline ? [Plot.ruleX([0])] : []),
      ],
    },
  };
}

/** Radii of dots that stand for several, in pixels. */
const STRIP_AREAS: Plot.ScaleOptions = { range: [1.6, 7] };

/** Narrower figures stack lists that would stand side by side. */
const SIDE_BY_SIDE = 600;

/**
 * Lists of the same rows side by side, of which the first has the labels; one under the other where
 * the figure is narrow.
 *
 * @param lists Draw a list of the size they are given.
 * @param share Part of the width that each list but the first has. @default {as much as the first}
 */
export function sideBySide(
  lists: readonly ((size: ListSize) => Panel)[],
  { width, height, marginLeft: wanted, labels }: ListSize & { labels: readonly string[] },
  share?: number,
): readonly (Panel | readonly Panel[])[] {
  const { marginLeft } = listAxis(labels, { width, marginLeft: wanted });
  if (width < SIDE_BY_SIDE || lists.length === 1) {
    return lists.map((list) => list({ width, height, marginLeft }));
  }
  const each = Math.floor(
    share === undefined ? (width - marginLeft) / lists.length : width * share,
  );
  return [lists.map((list, at) =>
    list({
      width: at === 0 ? width - (lists.length - 1) * each : each,
      height,
      marginLeft,
      isLabelled: at === 0,
    })
  )];
}
