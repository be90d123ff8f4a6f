const END_CHARACTERS = 16;
const BEFORE = 8;
const AFTER = 22;

/**
 * Names of which long ones that begin and end alike, and so would look alike when their middle is cut
 * out, show the place where they differ instead: `…en name 17 → Another very long…`.
 */
export function distinctNames(names: readonly string[]): string[] {
  const alike = Map.groupBy(names, cut);
  return names.map((name) => {
    const others = new Set(alike.get(cut(name)));
    if (name.length <= 2 * END_CHARACTERS || others.size < 2) return name;
    const start = Math.max(0, sharedLength([...others]) - BEFORE);
    const end = start + BEFORE + AFTER;
    return `${start > 0 ? "…" : ""}${name.slice(start, end)}${end < name.length ? "…" : ""}`;
  });
}

function cut(name: string): string {
  return `${name.slice(0, END_CHARACTERS)}…${name.slice(-END_CHARACTERS)}`;
}

/** How many characters all names begin with. */
function sharedLength([first = "", ...others]: readonly string[]): number {
  let length = 0;
  while (length < first.length && others.every((name) => name[length] === first[length])) length++;
  return length;
}
