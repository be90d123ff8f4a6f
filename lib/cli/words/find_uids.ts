const UID = /(?<![0-9a-z])0x[0-9a-f]{112}(?![0-9a-f])/gi;
/** A UID, and a character on each side, which tells whether it is one. */
const WINDOW = 116;

/**
 * The UIDs of orders in a text that comes in pieces, as they are written, repeated ones too. Memory
 * holds a piece at a time.
 */
export async function* findUids(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let text = "";
  for await (const piece of pieces) {
    text += piece;
    let end = 0;
    for (const match of text.matchAll(UID)) {
      // What comes after the last character may still be a digit.
      if (match.index + match[0].length === text.length) break;
      end = match.index + match[0].length;
      yield match[0];
    }
    text = text.slice(Math.max(end - 1, text.length - WINDOW, 0));
  }
  for (const [uid] of text.matchAll(UID)) yield uid;
}
