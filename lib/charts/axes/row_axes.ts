import { fitText, measureLabelMargin } from "../texts/label_text.ts";

const ROW_HEIGHT = 22;
const AXIS_HEIGHT = 44;
const TOP = 10;
/** Largest part of the width that labels may take. */
export const MAX_LABELS = 0.4;
/** Left margin of a list without labels, in pixels. */
const INNER_MARGIN = 18;

export interface ListSize {
  /** Width of the panel, in pixels. */
  width: number;
  /** Height of the plot, in pixels. @default {22 per row} */
  height?: number | undefined;
  /**
   * Room for labels, in pixels. @default {what the labels need, at most two fifths of the width}
   */
  marginLeft?: number | undefined;
  /** Room above the first row, in pixels. @default {10} */
  marginTop?: number;
  /** Whether the labels are drawn; the list to its left may have them. @default {true} */
  isLabelled?: boolean;
}

/** Creates an axis that lists labels from top to bottom, and cuts those that are too long. */
export function createListAxis(labels: readonly string[], size: ListSize) {
  const { width, isLabelled = true, marginTop = TOP } = size;
  const marginLeft = isLabelled
    ? size.marginLeft ?? measureLabelMargin(labels, width * MAX_LABELS)
    : INNER_MARGIN;
  return {
    y: {
      type: "band" as const,
      label: null,
      domain: [...labels.keys()],
      padding: 0.25,
      tickFormat: (index: number) => fitText(labels[index] ?? "", marginLeft - TICK_LENGTH),
      ...(isLabelled ? {} : { axis: null }),
    },
    marginLeft,
    marginTop,
    marginBottom: AXIS_HEIGHT,
    height: size.height ?? labels.length * ROW_HEIGHT + marginTop + AXIS_HEIGHT,
  };
}

const STRIP_HEIGHT = 34;
const LOW_STRIP_HEIGHT = 22;
const LOW_FROM = 16;

/** Creates a list axis whose rows are high enough for strips of dots. */
export function createStripAxis(labels: readonly string[], size: ListSize) {
  const rowHeight = labels.length < LOW_FROM ? STRIP_HEIGHT : LOW_STRIP_HEIGHT;
  const height = size.height ?? labels.length * rowHeight + TOP + AXIS_HEIGHT;
  const { y, ...list } = createListAxis(labels, { ...size, height });
  const domain = [labels.length - 0.5, -0.5];
  return { ...list, y: { ...y, type: "linear" as const, domain, ticks: [...labels.keys()] } };
}

/** Length of a tick with the gap before its label, in pixels. */
export const TICK_LENGTH = 10;
