import type { BlockRange, IdRanges } from "./manifest.ts";

export function countIds(ranges: IdRanges): number {
  return ranges.reduce((sum, [from, to]) => sum + to - from + 1, 0);
}

/** Merges ranges into the fewest, in order. */
export function mergeRanges(ranges: IdRanges): [number, number][] {
  const union: [number, number][] = [];
  for (const [from, to] of ranges.toSorted(([a], [b]) => a - b)) {
    const last = union.at(-1);
    if (last !== undefined && from <= last[1] + 1) last[1] = Math.max(last[1], to);
    else union.push([from, to]);
  }
  return union;
}

/** Returns the smallest range that contains every id; `null` without ids. */
export function boundRange(ranges: IdRanges): BlockRange | null {
  const merged = mergeRanges(ranges);
  return merged.length === 0 ? null : { from: merged[0]![0], to: merged.at(-1)![1] };
}

/** Subtracts ranges from others; both as {@linkcode mergeRanges} returns them. */
export function subtractRanges(ranges: IdRanges, removed: IdRanges): [number, number][] {
  const remaining: [number, number][] = [];
  let next = 0;
  for (const [from, to] of ranges) {
    let start = from;
    while (next < removed.length && removed[next]![1] < start) next++;
    for (let index = next; index < removed.length && removed[index]![0] <= to; index++) {
      const [first, last] = removed[index]!;
      if (first > start) remaining.push([start, first - 1]);
      start = last + 1;
    }
    if (start <= to) remaining.push([start, to]);
  }
  return remaining;
}

/** Ranges in words: `1 to 5, 9`. */
export function printRanges(ranges: IdRanges): string {
  return ranges.map(([from, to]) => from === to ? `${from}` : `${from} to ${to}`).join(", ");
}
