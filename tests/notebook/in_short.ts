/** What stands in a sentence where a number is missing. */
export const BROKEN = /\bNaN\b|undefined|Infinity|\bnull\b|(?<!\d)-0\b(?!\.)/;

/** The sentences of a page's answer in short, which is the last text that it shows. */
export function sentencesInShort(texts: readonly string[]): string[] {
  const points = texts.at(-1)?.split(/^(?=- )/m) ?? [];
  return points.filter((point) => /^- \S[^]*\.\s*$/.test(point));
}
