import { shortHex } from "./short_hex.ts";

const MOST_CHARACTERS = 32;
const CUT_CHARACTERS = 30;
/** How many characters of what names share are kept before the first that differs. */
const CONTEXT = 12;

/** An address cut to its ends, as `0x1234…cdef`; a longer name too, to 32 characters, on one line. */
export function shortName(name: string): string {
  const characters = [...shortHex(name)];
  if (characters.length <= MOST_CHARACTERS) return characters.join("");
  const kept = MOST_CHARACTERS / 2;
  return `${characters.slice(0, kept).join("")}…${characters.slice(1 - kept).join("")}`;
}

/**
 * Names cut as {@linkcode shortName} does, in their order. Where that makes different names equal, they
 * are cut around the first character in which they differ instead, as `…en name 17 → Another very…`,
 * and numbered where even that does not tell them apart.
 */
export function shortNames(names: readonly string[]): string[] {
  const labels = new Map<string, string>();
  for (const [label, alike] of Map.groupBy(new Set(names), shortName)) {
    if (alike.length === 1) labels.set(alike[0]!, label);
    else for (const [name, own] of toldApart(alike)) labels.set(name, own);
  }
  return names.map((name) => labels.get(name) ?? name);
}

function toldApart(names: readonly string[]): [string, string][] {
  const start = Math.max(0, sharedPrefix(names) - CONTEXT);
  const cut = names.map((name): [string, string] => {
    const kept = [...name].slice(start);
    const middle = kept.length <= CUT_CHARACTERS
      ? kept
      : [...kept.slice(0, CUT_CHARACTERS - 1), "…"];
    return [name, shortHex(`${start > 0 ? "…" : ""}${middle.join("")}`)];
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
