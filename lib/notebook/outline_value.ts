import { className } from "./class_name.ts";
import { leaf } from "./leaf.ts";
import type { Leaf, ListOutline, Outline, RecordOutline, TableOutline } from "./outline.ts";

/** How much of a long value is outlined. */
export interface OutlineLimits {
  /** Elements of a list, rows of a table. */
  readonly rows: number;
  /** Entries of a record. */
  readonly entries: number;
}

const MAX_DEPTH = 24;

/** Outlines any value. */
export function outlineValue(value: unknown, limits: OutlineLimits): Outline {
  return outlineBelow(value, limits, []);
}

function outlineBelow(value: unknown, limits: OutlineLimits, above: readonly object[]): Outline {
  const line = leaf(value);
  if (line !== undefined) return line;
  const object = value as object;
  if (above.includes(object)) return faint("[the same object again]");
  if (above.length >= MAX_DEPTH) return faint("[nested too deeply to show]");
  const inside = [...above, object];
  const below = (child: unknown) => outlineBelow(child, limits, inside);
  const elements = elementsOf(object);
  if (elements !== undefined) return outlineList(elements, limits, below);
  return outlineRecord(object, limits, below);
}

/** The elements of arrays, sets and typed arrays; `undefined` for other objects. */
function elementsOf(object: object): readonly unknown[] | undefined {
  if (Array.isArray(object)) return object;
  if (object instanceof Set) return [...object];
  if (ArrayBuffer.isView(object) && Symbol.iterator in object) {
    return [...object as Iterable<unknown>];
  }
  return undefined;
}

function outlineList(
  elements: readonly unknown[],
  limits: OutlineLimits,
  below: (child: unknown) => Outline,
): Leaf | ListOutline | TableOutline {
  if (elements.length === 0) return faint("[]");
  const shown = elements.slice(0, limits.rows);
  const hidden = elements.length - shown.length;
  const items = shown.map(below);
  const table = outlineTable(items, hidden);
  return table ?? { kind: "list", items, hidden };
}

function outlineRecord(
  object: object,
  limits: OutlineLimits,
  below: (child: unknown) => Outline,
): Leaf | RecordOutline {
  const name = className(object);
  const entries = object instanceof Map
    ? Array.from(object, ([key, child]) => [leaf(key)?.text ?? "[an object]", child] as const)
    : Object.entries(object);
  if (entries.length === 0) return faint(name === undefined ? "{}" : `${name} {}`);
  const shown = entries.slice(0, limits.entries);
  return {
    kind: "record",
    ...(name === undefined ? {} : { name }),
    entries: shown.map(([key, child]) => [key, below(child)]),
    hidden: entries.length - shown.length,
  };
}

function faint(text: string): Leaf {
  return { kind: "leaf", text, faint: true };
}

/** The table that `items` make when all of them are flat records, otherwise `undefined`. */
function outlineTable(items: readonly Outline[], hidden: number): TableOutline | undefined {
  const records = items.filter(isFlatRecord);
  if (records.length === 0 || records.length < items.length) return undefined;
  const cells = records.map((record) => new Map(record.entries));
  const names = [...new Set(cells.flatMap((row) => [...row.keys()]))];
  return {
    kind: "table",
    columns: names.map((name) => ({
      name,
      numeric: isNumericColumn(cells.map((row) => row.get(name))),
    })),
    rows: cells.map((row) => names.map((name) => row.get(name))),
    hidden,
  };
}

type FlatRecord = RecordOutline & { readonly entries: readonly (readonly [string, Leaf])[] };

function isFlatRecord(item: Outline): item is FlatRecord {
  return item.kind === "record" && item.hidden === 0 &&
    item.entries.every(([, value]) => value.kind === "leaf");
}

/** Whether all present cells are numbers; `false` for a column without any. */
function isNumericColumn(cells: readonly (Leaf | undefined)[]): boolean {
  const present = cells.filter((cell) => cell !== undefined && cell.faint !== true);
  return present.length > 0 && present.every((cell) => cell?.numeric === true);
}
