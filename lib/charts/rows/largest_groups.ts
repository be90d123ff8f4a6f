import { count } from "./row_selection.ts";

/** Rows that belong together. */
export interface Group<Row> {
  /** What they share. */
  key: string;
  /** The rows, in their order. */
  rows: readonly Row[];
}

/** The largest groups, and the rest as one more. */
export interface Grouping<Row> {
  /** Largest first; the rest is not among them. */
  groups: readonly Group<Row>[];
  /** All rows of the other groups; `null` when every group is listed. */
  rest: Group<Row> | null;
}

/**
 * Groups rows by a text, largest group first (equal ones by name), and puts all but the first
 * `limit` into one. Rows without the text are a group of their own, `unknown`.
 *
 * @param noun What a group is, such as `pair`.
 */
export function largestGroups<Row>(
  rows: readonly Row[],
  keyOf: (row: Row) => string | null | undefined,
  { limit, noun }: { limit: number; noun: string },
): Grouping<Row> {
  const byKey = Map.groupBy(rows, (row) => keyOf(row) || `unknown ${noun}`);
  const groups = [...byKey].map(([key, members]) => ({ key, rows: members }))
    .toSorted((a, b) => b.rows.length - a.rows.length || (a.key < b.key ? -1 : 1));
  if (groups.length <= limit) return { groups, rest: null };
  const others = groups.slice(limit);
  return {
    groups: groups.slice(0, limit),
    rest: {
      key: `${count(others.length, `other ${noun}`)}`,
      rows: others.flatMap((group) => group.rows),
    },
  };
}

/** The listed groups, and the rest as the last of them. */
export function listedGroups<Row>({ groups, rest }: Grouping<Row>): readonly Group<Row>[] {
  return rest === null ? groups : [...groups, rest];
}
