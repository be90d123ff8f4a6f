/**
 * The records of a list without those that repeat an earlier one, such as an order that two pages
 * have. Records of one key that differ all stay, such as an order in two states.
 */
export function distinctRecords<Item>(
  records: readonly Item[],
  toKey: ((record: Item) => unknown) | null,
): readonly Item[] {
  if (toKey === null || new Set(records.map(toKey)).size === records.length) return records;
  const indexes = [...Map.groupBy(records.keys(), (index) => toKey(records[index]!)).values()]
    .flatMap((group) => {
      if (group.length === 1) return group;
      return [
        ...new Map(group.toReversed().map((index) => [toText(records[index]), index])).values(),
      ];
    });
  return indexes.sort((a, b) => a - b).map((index) => records[index]!);
}

/** A record as text, in which maps and sets have what they hold. */
function toText(record: unknown): string {
  return JSON.stringify(record, (_, value) => {
    if (typeof value === "bigint") return `${value}n`;
    return value instanceof Map || value instanceof Set ? [...value] : value;
  });
}
