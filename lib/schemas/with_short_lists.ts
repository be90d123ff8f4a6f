/** Values nested deeper are left as they are: no interface has lists that deep. */
const DEEPEST = 50;

/** A body whose lists end early, and whether any does. */
export interface Shortened {
  /** The body; itself where no list was longer. */
  readonly body: unknown;
  /** Whether something was left out. */
  readonly isShorter: boolean;
}

/** A body in which no list has more than so many elements. The body itself is left as it is. */
export function withShortLists(body: unknown, most: number): Shortened {
  const shorter = shortened(body, most, 0);
  return { body: shorter, isShorter: shorter !== body };
}

function shortened(value: unknown, most: number, depth: number): unknown {
  if (typeof value !== "object" || value === null || depth === DEEPEST) return value;
  if (Array.isArray(value)) {
    const kept = value.length > most ? value.slice(0, most) : value;
    const copy = kept.map((element) => shortened(element, most, depth + 1));
    return copy.length === value.length && copy.every((element, at) => element === value[at])
      ? value
      : copy;
  }
  let copy: Record<string, unknown> | undefined;
  for (const [key, inner] of Object.entries(value)) {
    const shorter = shortened(inner, most, depth + 1);
    if (shorter !== inner) (copy ??= { ...value })[key] = shorter;
  }
  return copy ?? value;
}
