import { className } from "./class_name.ts";
import { leaf } from "./leaf.ts";
import type { Leaf, ListOutline, Outline, RecordOutline, TableOutline } from "./outline.ts";
import { outlineTable } from "./outline_table.ts";

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
