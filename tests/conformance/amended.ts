import type { Schema, Specification } from "./schema.ts";

/** A change to a document. */
export interface Amendment {
  /** Places that change, each the keys on the way to it with points between them. */
  readonly at: readonly string[];
  /** What stands there afterwards, of what did before: an empty schema where nothing did. */
  readonly becomes: (said: Schema) => object;
}

/** A document with amendments made, one after the other; the document itself stays as it is. */
export function amended(
  document: Specification,
  amendments: readonly Amendment[],
): Specification {
  const copy = structuredClone(document);
  for (const { at, becomes } of amendments) {
    for (const place of at) change(copy, place.split("."), becomes);
  }
  return copy;
}

/** Changes what stands at a place; what is missing on the way is made. */
function change(root: object, keys: readonly string[], becomes: Amendment["becomes"]): void {
  let node = root as Record<string, unknown>;
  for (const key of keys.slice(0, -1)) {
    node[key] ??= {};
    node = node[key] as Record<string, unknown>;
  }
  const last = keys.at(-1)!;
  node[last] = becomes(node[last] ?? {});
}
