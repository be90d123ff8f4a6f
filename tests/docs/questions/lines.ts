/** A cell of a line; `null` is empty. */
export type Cell = string | number | bigint | boolean | null;

/** Rows as lines of CSV below their names, in the order of their first cells; `null` comes first. */
export function lines(names: string, rows: readonly (readonly Cell[])[], keys: number): string {
  const sorted = rows.toSorted((a, b) => {
    for (let at = 0; at < keys; at++) {
      const [left, right] = [a[at] ?? "", b[at] ?? ""];
      if (left !== right) return left < right ? -1 : 1;
    }
    return 0;
  });
  return [names, ...sorted.map((row) => row.map((cell) => `${cell ?? ""}`).join(","))].join("\n");
}

/** Things by what they have in common, in order of appearance. */
export function grouped<Thing>(
  things: Iterable<Thing>,
  keyOf: (thing: Thing) => readonly Cell[],
): { key: readonly Cell[]; all: Thing[] }[] {
  const groups = new Map<string, { key: readonly Cell[]; all: Thing[] }>();
  for (const thing of things) {
    const key = keyOf(thing);
    const text = key.join("|");
    const group = groups.get(text) ?? { key, all: [] };
    group.all.push(thing);
    groups.set(text, group);
  }
  return [...groups.values()];
}

export function sum(amounts: Iterable<bigint | string>): bigint {
  let all = 0n;
  for (const amount of amounts) all += BigInt(amount);
  return all;
}
