import { cutText, textWidth } from "./text_width.ts";

/** Size of labels, legends and captions, in pixels. */
export const LABEL_SIZE = 11;
/** Length of a tick with the gaps on both sides of a label, in pixels. */
const TICK_ROOM = 14;

/** How wide a text is at the size of labels, in pixels. */
export function labelWidth(text: string): number {
  return textWidth(text, { size: LABEL_SIZE });
}

/** A label cut to a width in pixels, with an ellipsis for what is missing. */
export function fitText(text: string, width: number): string {
  return cutText(text, width, { size: LABEL_SIZE });
}

/** Room for the widest of some labels beside a plot, in pixels, ticks included. */
export function labelRoom(labels: readonly string[], limit: number = Infinity): number {
  return Math.ceil(Math.min(limit, Math.max(0, ...labels.map(labelWidth)) + TICK_ROOM));
}
