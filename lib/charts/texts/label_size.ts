import { pairText, tokensOf } from "./pair_text.ts";
import { cutText, textWidth } from "./text_width.ts";

/** Size of labels, legends and captions, in pixels. */
export const LABEL_SIZE = 11;
const STYLE = { size: LABEL_SIZE } as const;
/** Length of a tick with the gaps on both sides of a label, in pixels. */
const TICK_ROOM = 14;

/** How wide a text is at the size of labels, in pixels. */
export function labelWidth(text: string): number {
  return textWidth(text, STYLE);
}

/**
 * Cuts a label to a width in pixels, with an ellipsis. A directed pair keeps its arrow and both
 * tokens; the longer token is cut first.
 */
export function fitText(text: string, width: number): string {
  const tokens = tokensOf(text);
  if (tokens === null || labelWidth(text) <= width) return cutText(text, width, STYLE);
  const [sold, bought] = tokens;
  const room = width - labelWidth(pairText("", ""));
  const half = Math.max(room / 2, room - Math.min(labelWidth(sold), labelWidth(bought)));
  return pairText(cutText(sold, half, STYLE), cutText(bought, half, STYLE));
}

/** Room for the widest of some labels beside a plot, in pixels, ticks included. */
export function labelRoom(labels: readonly string[], limit: number = Infinity): number {
  return Math.ceil(Math.min(limit, Math.max(0, ...labels.map(labelWidth)) + TICK_ROOM));
}
