import { type FrameData, isFrameData, outlineFrame } from "./outline_frame.ts";
import { isMimeBundle, type MimeBundle } from "./mime_bundle.ts";
import type { TableOutline } from "./outline.ts";

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as typeof DISPLAY;
const FRAME_DATA = "application/vnd.dataresource+json";

/** A value that brings its own picture. */
export interface Displayable {
  /** Gives the picture. */
  [DISPLAY](): unknown;
}

/** Whether `value` brings its own picture. */
export function hasDisplay(value: unknown): value is Displayable {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    DISPLAY in value && typeof value[DISPLAY] === "function";
}

/**
 * The picture that `value` brings, or the table of its first `rows` rows when it is a frame: polars
 * itself cuts at 50 rows without a word, aligns nothing, and gives `bigint`s that cannot be sent.
 */
export async function displayedBundle(
  value: Displayable,
  rows: number,
): Promise<{ bundle: MimeBundle } | TableOutline> {
  const { top, height } = firstRows(value, rows);
  const bundle: unknown = await top[DISPLAY]();
  if (!isMimeBundle(bundle)) {
    throw new TypeError("Symbol.for('Jupyter.display') gave no media types");
  }
  const data: unknown = bundle[FRAME_DATA];
  if (isFrameData(data)) return outlineFrame(cutTo(rows, data), height ?? data.data.length);
  JSON.stringify(bundle);
  return { bundle };
}

/** The head of a frame, so that only what is shown is computed; anything else as it is. */
function firstRows(value: Displayable, rows: number): { top: Displayable; height?: number } {
  // polars' frames are proxies that deny `"height" in frame`.
  const height: unknown = Reflect.get(value, "height");
  const head: unknown = Reflect.get(value, "head");
  if (typeof height !== "number" || typeof head !== "function") return { top: value };
  const top: unknown = head.call(value, rows);
  return hasDisplay(top) ? { top, height } : { top: value };
}

function cutTo(rows: number, data: FrameData): FrameData {
  return { ...data, data: data.data.slice(0, rows) };
}
