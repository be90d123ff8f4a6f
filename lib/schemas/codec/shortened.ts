/** Values nested deeper are left as they are: no interface has lists that deep. */
const DEEPEST = 50;

/**
 * A body in which no list has more than so many elements, and no object more keys: their first
 * ones. The body itself is not changed, and is returned if nothing is left out.
 */
export function shortened(body: unknown, most: number): unknown {
  return shortenedAt(body, most, 0);
}

function shortenedAt(value: unknown, most: number, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST) return value;
  if (Array.isArray(value)) {
    const kept = value.length > most ? value.slice(0, most) : value;
    const copy = kept.map((element) => shortenedAt(element, most, depth + 1));
    return copy.length === value.length && copy.every((element, at) => element === value[at])
      ? value
      : copy;
  }
  const keys = Object.keys(value);
  const entries = keys.slice(0, most).map((key) => {
    const inner: unknown = Reflect.get(value, key);
    return { key, inner, shorter: shortenedAt(inner, most, depth + 1) };
  });
  const isWhole = keys.length <= most && entries.every(({ inner, shorter }) => inner === shorter);
  return isWhole ? value : Object.fromEntries(entries.map(({ key, shorter }) => [key, shorter]));
}
