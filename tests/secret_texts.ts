/**
 * Every text that a value shows: its own properties and those of what they hold, getters and causes
 * included, and what printing it in the usual ways gives.
 */
export function textsOf(value: unknown): string[] {
  const texts = new Set([
    String(value),
    Deno.inspect(value, { depth: 100, showHidden: true, getters: true, strAbbreviateSize: 1e6 }),
    JSON.stringify(value, (_, one) => typeof one === "bigint" ? `${one}` : one) ?? "",
  ]);
  const seen = new Set<unknown>();
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const one = pending.pop();
    if (typeof one === "string") texts.add(one);
    if (typeof one !== "object" || one === null || seen.has(one)) continue;
    seen.add(one);
    if (one instanceof Map) pending.push(...one.keys(), ...one.values());
    if (one instanceof Error) pending.push(one.message, one.stack, one.cause, String(one));
    for (const key of Reflect.ownKeys(one)) pending.push(String(key), Reflect.get(one, key));
  }
  return [...texts];
}
