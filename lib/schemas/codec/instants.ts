import { tryParseInstant } from "../../units/instant.ts";

/** Number of instants that are kept; a power of two. */
const KEPT = 1 << 13;

const texts = new Array<string>(KEPT).fill("");
const instants: (Temporal.Instant | undefined)[] = new Array(KEPT).fill(undefined);

/** A place for a text among the kept ones: its last seven digits differ most. */
function placeOf(text: string): number {
  let hash = 0;
  for (let index = text.length - 8; index < text.length - 1; index++) {
    hash = (hash * 11 + text.charCodeAt(index)) | 0;
  }
  return hash & (KEPT - 1);
}

/**
 * Parses a timestamp of a body; the same text often gives the same instant. One takes as long to make
 * as an order takes to parse, and the reports of all orders of an auction repeat its timestamps.
 */
export function instantOf(text: string): Temporal.Instant | undefined {
  const place = placeOf(text);
  if (texts[place] === text) return instants[place];
  const instant = tryParseInstant(text);
  if (instant === undefined) return undefined;
  texts[place] = text;
  instants[place] = instant;
  return instant;
}
