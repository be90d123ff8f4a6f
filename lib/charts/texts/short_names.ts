import { pairText, tokensOf } from "./pair_text.ts";
import { shortHex } from "./short_hex.ts";

const MOST_CHARACTERS = 32;
const CUT_CHARACTERS = 30;
/** How many shared characters are kept before the first that differs. */
const CONTEXT = 12;

/** Longest name of a token in a pair, so that pairs are no longer than other names. */
const MOST_TOKEN = 14;

/**
 * An address cut to its ends, such as `0x1234…cdef`; a longer name too, to 32 characters, on one
 * line. Each token of a directed pair is cut to 14 characters.
 */
export function shortName(name: string): string {
  const text = shortHex(name);
  const tokens = tokensOf(text);
  if (tokens === null || [...text].length <= MOST_CHARACTERS) {
    return shortText(text, MOST_CHARACTERS);
  }
  const [sold, bought] = tokens.map((token) => shortText(token, MOST_TOKEN));
  return pairText(sold!, bought!);
}

/** Cuts the middle of a text so that it has at most `most` characters. */
function shortText(text: string, most: number): string {
  const characters = [...shortHex(text)];
  if (characters.length <= most) return characters.join("");
  const kept = Math.floor(most / 2);
  return `${characters.slice(0, kept).join("")}…${characters.slice(1 + kept - most).join("")}`;
}

/**
 * Cuts names as {@linkcode shortName} does. Different names that would become equal are cut around the
 * first character in which they differ instead, such as `…en name 17 of a very…` (each token of a pair
 * on its own), and numbered where that does not tell them apart either.
 */
export function shortNames(names: readonly string[]): string[] {
  const labels = new Map<string, string>();
  for (const [label, alike] of Map.groupBy(new Set(names), shortName)) {
    if (alike.length === 1) labels.set(alike[0]!, label);
    else for (const [name, own] of numbered(toldApart(alike))) labels.set(name, own);
  }
  return names.map((name) => labels.get(name) ?? name);
}

/** Labels of names that would otherwise become equal. */
function toldApart(names: readonly string[]): [string, string][] {
  const pairs = names.map((name) => tokensOf(shortHex(name)));
  if (!pairs.every((tokens) => tokens !== null)) return cutWhereTheyDiffer(names, CUT_CHARACTERS);
  const [sold, bought] = ([0, 1] as const).map((side) => {
    const tokens = [...new Set(pairs.map((tokens) => tokens[side]))];
    return new Map(
      tokens.length === 1
        ? [[tokens[0]!, shortText(tokens[0]!, MOST_TOKEN)]]
        : cutWhereTheyDiffer(tokens, MOST_TOKEN),
    );
  });
  return names.map((name, at) => {
    const [left, right] = pairs[at]!;
    return [name, pairText(sold!.get(left) ?? left, bought!.get(right) ?? right)];
  });
}

/** Names that begin a little before the first character in which they differ. */
function cutWhereTheyDiffer(names: readonly string[], most: number): [string, string][] {
  const context = Math.min(CONTEXT, Math.round(most * 0.4));
  const start = Math.max(0, sharedPrefix(names) - context);
  return names.map((name): [string, string] => {
    const kept = [...name].slice(start);
    const middle = kept.length <= most ? kept : [...kept.slice(0, most - 1), "…"];
    return [name, shortHex(`${start > 0 ? "…" : ""}${middle.join("")}`)];
  });
}

/** Adds a number to labels that are equal. */
function numbered(labels: readonly [string, string][]): [string, string][] {
  const used = new Map<string, number>();
  return labels.map(([name, label]) => {
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
