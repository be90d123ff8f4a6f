import type { Leaf, ListOutline } from "./outline.ts";

const LINE_LIMIT = 80;

/** A short list of texts on one line, otherwise `undefined`. */
export function listLine({ items, hidden }: ListOutline): string | undefined {
  if (!items.every((item): item is Leaf => item.kind === "leaf")) return undefined;
  const texts = items.map((item) => item.text);
  const line = `[${[...texts, ...(hidden === 0 ? [] : [moreText(hidden)])].join(", ")}]`;
  return line.length <= LINE_LIMIT ? line : undefined;
}

/** The note that elements were omitted. */
export function moreText(hidden: number): string {
  return `… ${hidden} more`;
}
