import { formatNumber, formatPercent } from "./label_text.ts";

/** Formats a number of things, such as `1 fill` or `12,345 fills`. */
export function count(number: number, noun: string, plural = pluralize(noun)): string {
  return `${formatWhole(number)} ${number === 1 ? noun : plural}`;
}

/** Returns the plural of a noun, which may be the name of any column: `statuses`. */
export function pluralize(noun: string): string {
  if (/series$/.test(noun)) return noun;
  return `${
    noun.replace(/(?<=[^aeiou])y$/, "ie").replace(/lf$/, "lve").replace(/(?<=s|x|ch|sh)$/, "e")
  }s`;
}

/** From this size on, doubles do not hold every whole number. */
const MIN_INEXACT = 2 ** 53;

/**
 * A whole number with a comma between thousands; with an exponent where its last digits are not
 * known.
 */
export function formatWhole(number: number): string {
  if (Math.abs(number) >= MIN_INEXACT) return formatNumber(number);
  return WHOLE.format(number);
}

const WHOLE = new Intl.NumberFormat("en-US", { maximumFractionDigits: 0 });

/** Formats a part of a number of things, such as `14 of 20 (70%)`. */
export function formatPart(part: number, total: number): string {
  const text = `${formatWhole(part)} of ${formatWhole(total)}`;
  return total > 0 ? `${text} (${formatPercent(part / total)})` : text;
}

/** Formats `a`, `a and b`, `a, b and c`. */
export function formatList(parts: readonly string[]): string {
  return parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts.at(-1)}`;
}

/** Joins the sentences of a caption, and the source of the data. */
export function joinSentences(
  sentences: readonly (string | null | undefined | false)[],
  source: string | undefined,
): string {
  const texts = sentences.filter((sentence): sentence is string =>
    typeof sentence === "string" && sentence !== ""
  )
    .map(singularize);
  if (source !== undefined) texts.push(`Source: ${source}`);
  return texts.join(". ");
}

/** Puts units after the number 1 into the singular: `1 native token`. */
export function singularize(text: string): string {
  return text.replaceAll(/(?<![\d.,])1 (native token|atom|block)s\b/g, "1 $1");
}
