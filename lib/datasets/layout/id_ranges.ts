import type { BlockRange, IdRanges } from "./manifest.ts";

/** Number of ids in some ranges. */
export function countIds(ranges: IdRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Ids of any of some ranges, as the fewest ranges in order. */
export function mergeRanges(ranges: IdRanges): [number, number][] {
  const union: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = union.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else union.push([from, to]);
  }
  return union;
}

/** The least range with all ids of some; `null` if there are none. */
export function boundingRange(ranges: IdRanges): BlockRange | null {
  const all = mergeRanges(ranges);
  return all.length === 0 ? null : { from: all[0]![0], to: all.at(-1)![1] };
}

/** Ids of some ranges that are not in others; both as {@linkcode mergeRanges} returns them. */
export function subtractRanges(ranges: IdRanges, others: IdRanges): [number, number][] {
  const rest: [number, number][] = [];
  let place = 0;
  for (const [from, to] of ranges) {
    let start = from;
    while (place < others.length && others[place]![1] < start) place++;
    for (let at = place; at < others.length && others[at]![0] <= to; at++) {
      const [first, last] = others[at]!;
      if (first > start) rest.push([start, first - 1]);
      start = last + 1;
    }
    if (start <= to) rest.push([start, to]);
  }
  return rest;
}

/** Ranges in words: `1 to 5, 9`. */
export function printRanges(ranges: IdRanges): string {
  return ranges.map(([from, to]) => from === to ? `${from}` : `${from} to ${to}`).join(", ");
}
