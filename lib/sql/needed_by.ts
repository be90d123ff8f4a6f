/** Something that a query may name, and its own query, which may name those before it. */
interface Named {
  readonly name: string;
  /** Its query; none for a table. */
  readonly query?: string;
}

/** Those of `all` that a query needs, in order. */
export function neededBy<One extends Named>(query: string, all: readonly One[]): One[] {
  const needed = new Set<One>();
  let texts = query;
  for (const one of all.toReversed()) {
    if (!new RegExp(`\\b${one.name}\\b`, "i").test(texts)) continue;
    needed.add(one);
    texts += `\n${one.query ?? ""}`;
  }
  return all.filter((one) => needed.has(one));
}
