import { shortName } from "./axis_text.ts";

const CHARACTERS = 30;
/** How many characters of what names share are kept before the first that differs. */
const CONTEXT = 12;

/**
 * Names cut as {@linkcode shortName} does, and where that makes different names equal, around the
 * first character in which they differ instead; numbered where even that does not tell them apart.
 */
export function shortNames(names: readonly string[]): Map<string, string> {
  const different = [...new Set(names)];
  const labels = new Map<string, string>();
  for (const [label, alike] of Map.groupBy(different, shortName)) {
    if (alike.length === 1) labels.set(alike[0]!, label);
    else for (const [name, own] of toldApart(alike)) labels.set(name, own);
  }
  return labels;
}

function toldApart(names: readonly string[]): [string, string][] {
  const start = Math.max(0, sharedPrefix(names) - CONTEXT);
  const cut = names.map((name): [string, string] => {
    const kept = [...name].slice(start);
    const middle = kept.length <= CHARACTERS ? kept : [...kept.slice(0, CHARACTERS - 1), "…"];
    return [name, `${start > 0 ? "…" : ""}${middle.join("")}`];
  });
  const used = new Map<string, number>();
  return cut.map(([name, label]) => {
    const times = (used.get(label) ?? 0) + 1;
    used.set(label, times);
    return [name, times === 1 ? label : `${label} (${times})`];
  });
}

/** Number of characters with which all names begin. */
function sharedPrefix(names: readonly string[]): number {
  const [first = [], ...others] = names.map((name) => [...name]);
  const end = first.findIndex((character, at) => others.some((other) => other[at] !== character));
  return end === -1 ? first.length : end;
}
