/** Widths of the printable ASCII characters of DejaVu Sans, from space to tilde, in hundredths of an em. */
const ASCII_WIDTHS = [
  [32, 40, 46, 84, 64, 95, 78, 27, 39, 39, 50, 84, 32, 36, 32, 34],
  [64, 64, 64, 64, 64, 64, 64, 64, 64, 64, 34, 34, 84, 84, 84, 53],
  [100, 68, 69, 70, 77, 63, 58, 77, 75, 29, 29, 66, 56, 86, 75, 79],
  [60, 79, 69, 63, 61, 73, 68, 99, 69, 61, 69, 39, 34, 39, 84, 50],
  [50, 61, 63, 55, 63, 62, 35, 63, 63, 28, 28, 58, 28, 97, 63, 61],
  [63, 63, 41, 52, 39, 63, 59, 82, 59, 59, 52, 64, 34, 64, 84],
].flat();
const OTHER_WIDTH = 100;
const BOLD_FACTOR = 1.12;

/** How a text is set. */
export interface TextStyle {
  /** Size of the font, in pixels. */
  size: number;
  /** Whether it is bold. */
  bold?: boolean;
}

/**
 * The width of a text, in pixels: exact for ASCII in the charts' own font, an upper estimate for other
 * characters, since the reader's machine may use another font.
 */
export function textWidth(text: string, style: TextStyle): number {
  let hundredths = 0;
  for (const character of text) {
    hundredths += ASCII_WIDTHS[character.codePointAt(0)! - 32] ?? OTHER_WIDTH;
  }
  return hundredths / 100 * style.size * (style.bold === true ? BOLD_FACTOR : 1);
}

/** Breaks text at spaces into lines that fit a width; longer words are broken too. */
export function wrapText(text: string, width: number, style: TextStyle): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    const joined = line === "" ? word : `${line} ${word}`;
    if (textWidth(joined, style) <= width) {
      line = joined;
      continue;
    }
    if (line !== "") lines.push(line);
    line = "";
    for (const character of word) {
      if (line !== "" && textWidth(line + character, style) > width) {
        lines.push(line);
        line = "";
      }
      line += character;
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}

/**
 * Cuts a text to a width in pixels, with an ellipsis in its middle. A text that begins with an ellipsis
 * is cut at its end instead.
 */
export function cutText(text: string, width: number, style: TextStyle): string {
  if (textWidth(text, style) <= width) return text;
  const characters = [...text];
  for (let kept = characters.length - 1; kept > 0; kept--) {
    const head = text.startsWith("…") ? kept : Math.ceil(kept / 2);
    const tail = characters.slice(characters.length - (kept - head));
    const shown = [...characters.slice(0, head), "…", ...tail].join("");
    if (textWidth(shown, style) <= width) return shown;
  }
  return "…";
}
