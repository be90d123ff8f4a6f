import { roundStep } from "../numbers/round_step.ts";
import { extent } from "../numbers/statistics.ts";
import { wholeText } from "../rows/row_selection.ts";
import { momentText } from "../texts/moment.ts";
import type { Every } from "./every.ts";
import { everyFor } from "./every.ts";

/** Bins of equal width along times or numbers. */
export interface Bins {
  /** What one is called: `5 minutes`. */
  readonly text: string;
  /** Number of bins from the first to the last with a row. */
  readonly count: number;
  /** From where to where they reach. */
  readonly domain: readonly [number, number];
  /** The bin of a place, from 0. */
  readonly indexOf: (place: number) => number;
  /** The middle of a bin, and its edges. */
  readonly at: (index: number) => { readonly x: number; readonly x1: number; readonly x2: number };
  /** What a tip says of a bin. */
  readonly titleOf: (index: number) => string;
}

/** About so many bins where the caller does not say how wide one is. */
const USUAL = 60;

/** A width that suits some places. */
export function usualEvery(places: readonly number[], isTime: boolean, noun: string): Every {
  const [low = 0, high = 0] = extent(places);
  if (isTime) return everyFor(high - low, USUAL);
  const width = Math.max(1, roundStep((high - low + 1) / USUAL));
  return { width, isTime, origin: 0, text: width === 1 ? noun : `${wholeText(width)} ${noun}s` };
}

/** Bins of a width around all of some places, of which there is one at least. */
export function binsOf(places: readonly number[], every: Every): Bins {
  const { width, isTime, origin, text } = every;
  const bin = (place: number) => Math.floor((place - origin) / width);
  const [low = 0, high = 0] = extent(places);
  const [first, last] = [bin(low), bin(high)];
  // A number is itself: a bin of one block is around it.
  const shift = !isTime && width === 1 ? -0.5 : 0;
  const at = (index: number) => {
    const x1 = (first + index) * width + origin + shift;
    return { x: x1 + width / 2, x1, x2: x1 + width };
  };
  return {
    text,
    count: last - first + 1,
    domain: [at(0).x1, at(last - first).x2],
    indexOf: (place) => bin(place) - first,
    at,
    titleOf: (index) => {
      const { x1, x2 } = at(index);
      if (isTime) return timesText(x1, x2);
      const [from, to] = [x1 - shift, x2 - shift - 1];
      return from === to ? wholeText(from) : `${wholeText(from)} to ${wholeText(to)}`;
    },
  };
}

/** `2026-11-21 15:00:00 to 15:05:00 UTC`. */
function timesText(from: number, to: number): string {
  const [a, b] = [momentText(from), momentText(to)];
  const isDay = a.slice(0, 10) === b.slice(0, 10);
  return `${a.slice(0, 19)} to ${isDay ? b.slice(11) : b}`;
}
