const UID = /(?<![0-9a-f])0x[0-9a-f]{112}(?![0-9a-f])/gi;
/** A UID that may still go on, and the character before it, which tells whether it begins there. */
const WINDOW = 115;

/**
 * The UIDs of orders in a text that comes in pieces, as they are written, repeated ones too. Memory
 * holds a piece at a time.
 */
export async function* findUids(
  pieces: Iterable<string> | AsyncIterable<string>,
): AsyncGenerator<string, void, undefined> {
  let text = "";
  let isCut = false;
  for await (const piece of pieces) {
    text += piece;
    let end = 0;
    for (const match of text.matchAll(UID)) {
      // What comes after the last character may still be a digit.
      if (match.index + match[0].length === text.length) break;
      if (isCut && match.index === 0) continue;
      end = match.index + match[0].length;
      yield match[0];
    }
    const start = Math.max(end - 1, text.length - WINDOW, 0);
    isCut ||= start > 0;
    text = text.slice(start);
  }
  for (const { 0: uid, index } of text.matchAll(UID)) if (!isCut || index > 0) yield uid;
}
