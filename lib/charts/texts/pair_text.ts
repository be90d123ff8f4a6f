/** Separates the two tokens of a directed pair, such as `WETH → USDC`. */
const ARROW = " → ";
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}]/u;
/** Keeps the arrow pointing right between tokens whose names are read from right to left. */
const LEFT_TO_RIGHT_MARK = "\u200e";

/** The two tokens of a directed pair; `null` for other text. */
export function tokensOf(text: string): readonly [string, string] | null {
  const unmarked = text.replaceAll(LEFT_TO_RIGHT_MARK, "");
  const at = unmarked.indexOf(ARROW);
  if (at <= 0 || at + ARROW.length >= unmarked.length) return null;
  return [unmarked.slice(0, at), unmarked.slice(at + ARROW.length)];
}

/** The text of a directed pair. */
export function pairText(sold: string, bought: string): string {
  const mark = RIGHT_TO_LEFT.test(sold + bought) ? LEFT_TO_RIGHT_MARK : "";
  return `${sold}${mark}${ARROW}${mark}${bought}`;
}
