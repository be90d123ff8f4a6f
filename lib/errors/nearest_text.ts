const LONGEST_TEXT = 40;

/**
 * The candidate nearest to `text`: the one that needs the fewest edits (insert, delete or replace a
 * letter, or swap two neighbours). `undefined` when every candidate needs more edits than a third
 * of its letters.
 */
export function nearestText(text: string, candidates: Iterable<string>): string | undefined {
  if (text.length > LONGEST_TEXT) return undefined;
  let nearest: string | undefined;
  let fewest = Infinity;
  for (const candidate of candidates) {
    const edits = countEdits(text, candidate);
    if (edits < fewest && edits <= Math.max(1, Math.floor(candidate.length / 3))) {
      nearest = candidate;
      fewest = edits;
    }
  }
  return nearest;
}

/** Optimal string alignment distance, one table row per letter of `a`. */
function countEdits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const isSame = a[row - 1] === b[column - 1];
      const isSwap = a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1];
      current[column] = Math.min(
        at(last, column) + 1,
        at(current, column - 1) + 1,
        at(last, column - 1) + (isSame ? 0 : 1),
        isSwap ? at(beforeLast, column - 2) + 1 : Infinity,
      );
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Infinity;
}
