const quote = 0x22, backslash = 0x5c, comma = 0x2c;
const openBracket = 0x5b, closeBracket = 0x5d, openBrace = 0x7b, closeBrace = 0x7d;

/**
 * Splits the text of a JSON array into the texts of its elements, character for character: parsing
 * and printing would turn `1.0` into `1`.
 *
 * @returns The elements, `[]` for an empty array, or `undefined` if the text is not a JSON array.
 */
export function splitJsonArray(text: string): string[] | undefined {
  const array = text.trim();
  if (!array.startsWith("[") || !isJson(array)) return undefined;
  const elements: string[] = [];
  let depth = 0;
  let start = 1;
  for (let at = 0; at < array.length; at++) {
    const code = array.charCodeAt(at);
    if (code === quote) {
      at = endOfString(array, at);
    } else if (code === openBrace || code === openBracket) {
      depth++;
    } else if (code === closeBrace || code === closeBracket) {
      depth--;
    } else if (code === comma && depth === 1) {
      elements.push(array.slice(start, at).trim());
      start = at + 1;
    }
  }
  const last = array.slice(start, -1).trim();
  if (last !== "") elements.push(last);
  return elements;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1);; end = text.indexOf('"', end + 1)) {
    let escapes = 0;
    while (text.charCodeAt(end - 1 - escapes) === backslash) escapes++;
    if (escapes % 2 === 0) return end;
  }
}
