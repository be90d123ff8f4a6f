/** Lists the fields of two encoded records that differ. */
export function listChangedFields(before: unknown, after: unknown): string[] {
  const [then, now] = [Object(before), Object(after)];
  return [...new Set([...Object.keys(then), ...Object.keys(now)])]
    .filter((field) => stringify(then[field]) !== stringify(now[field])).sort();
}

/** Converts a value to JSON with the fields of objects in a fixed order. */
export function stringify(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) => {
    if (typeof part === "bigint") return String(part);
    if (typeof part !== "object" || part === null || Array.isArray(part)) return part;
    return Object.fromEntries(Object.entries(part).sort(([a], [b]) => a < b ? -1 : 1));
  }) ?? "none";
}
