import type { Leaf, Outline, RecordOutline, TableOutline } from "./outline.ts";

/** The table that `items` make when all of them are flat records, otherwise `undefined`. */
export function outlineTable(items: readonly Outline[], hidden: number): TableOutline | undefined {
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
