/**
 * A report as JSON text: amounts as decimal text, times in RFC 3339, ratios as objects of two texts.
 *
 * @param indent Spaces for each level; 0 for one line.
 */
export function reportJson(report: unknown, indent: number = 2): string {
  return JSON.stringify(report, plainValue, indent);
}

function plainValue(_: string, value: unknown): unknown {
  if (typeof value === "bigint") return value.toString();
  if (value instanceof Map) return Object.fromEntries(value);
  return value;
}
