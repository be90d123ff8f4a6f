const UNSEEN = /[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu;
const UNSEEN_IN_LINES = /[^\P{Cc}\n\t]|[\p{Bidi_Control}\u2028\u2029]/gu;

/**
 * Other people's words as a reader can see them: characters that control or that turn the direction
 * of writing as their escapes, such as `\u202e`, and long text cut with the number of characters
 * left out.
 *
 * @param most Characters that are kept.
 * @param options Whether line breaks and tabs stay.
 */
export function safeText(
  text: string,
  most: number,
  { hasLines = false }: { readonly hasLines?: boolean } = {},
): string {
  const rest = text.length - most;
  // The last character may be half of one.
  const kept = rest > 0 ? text.slice(0, most).replace(/[\ud800-\udbff]$/, "") : text;
  const seen = kept.replace(hasLines ? UNSEEN_IN_LINES : UNSEEN, escaped);
  return rest > 0 ? `${seen}… (${rest.toLocaleString("en-US")} more characters)` : seen;
}

/**
 * All of a text for a terminal: characters that move its cursor, change it, or turn the direction of
 * writing as their escapes; line breaks and tabs stay.
 */
export function visibleText(text: string): string {
  return text.replaceAll("\r\n", "\n").replace(UNSEEN_IN_LINES, escaped);
}

function escaped(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
}
