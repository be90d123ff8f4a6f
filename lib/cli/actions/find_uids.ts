import { ELLIPSIS, HEX_DIGITS, HEX_PREFIX } from "../../networks/identifier.ts";

/** Digits of a UID. */
const DIGITS = HEX_DIGITS.order;
/** Numbers of digits that are close to those of a UID: no hash, signature or address has them. */
const NEAR_LENGTH = { min: 100, max: 124 };
/** A line break within digits, with what mails and terminals put before the next line. */
const BREAK = String.raw`\r?\n[ \t>|]{0,16}`;

/**
 * Hexadecimal digits that may be a UID: after `0x`, or `\x` as PostgreSQL prints it, also wrapped into
 * lines; or alone; or shortened in its middle.
 */
const RUN = new RegExp(
  [
    `(?<![0-9a-f])${HEX_PREFIX}([0-9a-f]{4,40}${ELLIPSIS}[0-9a-f]{2,40})(?![0-9a-z])`,
    `(?<![0-9a-f])${HEX_PREFIX}([0-9a-f]+(?![0-9a-fx])(?:${BREAK}(?!0x)[0-9a-f]+(?![0-9a-z]))*)`,
    `(?<![0-9a-z])([0-9a-f]{${NEAR_LENGTH.min},})`,
  ].join("|"),
  "gi",
);

/** Characters that a run may still continue with, and digits too few for a run. */
const LOOKAHEAD = 160;
/** Number of characters to keep of a text that continues: more than any UID takes. */
const WINDOW = 2_048;

/**
 * Finds the UIDs of orders in a text that comes in pieces: each with `0x`, including repeated ones.
 * Memory holds one piece at a time.
 *
 * @param onNearMiss Called with each string that looks like a UID but is not valid, and the reason.
 */
export async function* findUids(
  pieces: Iterable<string> | AsyncIterable<string>,
  onNearMiss: (text: string) => void = () => {},
): AsyncGenerator<string, void, undefined> {
  let text = "";
  let isCut = false;
  function* scanText(isEnd: boolean): Generator<string> {
    let start = isEnd ? text.length : Math.max(0, text.length - LOOKAHEAD);
    for (const match of text.matchAll(RUN)) {
      const end = match.index + match[0].length;
      if (!isEnd && end + LOOKAHEAD > text.length) {
        start = Math.min(start, match.index);
        break;
      }
      // The character before the match is gone, so it may begin earlier.
      if (isCut && match.index === 0) continue;
      const [, shortened, digits, bare] = match;
      if (shortened !== undefined) onNearMiss(`0x${shortened} is shortened`);
      else yield* joinParts((digits ?? bare ?? "").split(/[^0-9a-f]+/i), onNearMiss);
    }
    // The character before a run shows whether it begins there.
    start = Math.max(start - 1, text.length - WINDOW, 0);
    isCut ||= start > 0;
    text = text.slice(start);
  }
  for await (const piece of pieces) {
    text += piece;
    yield* scanText(false);
  }
  yield* scanText(true);
}

/** Joins the parts of a run that line breaks have split, and yields its UIDs. */
function* joinParts(
  parts: readonly string[],
  onNearMiss: (text: string) => void,
): Generator<string> {
  let digits = "";
  for (const part of parts) {
    digits = part.length === DIGITS ? part : digits + part;
    if (digits.length < DIGITS) continue;
    if (digits.length === DIGITS) yield `0x${digits}`;
    else if (isNearMiss(digits)) onNearMiss(formatNearMiss(digits));
    digits = "";
  }
  if (isNearMiss(digits)) onNearMiss(formatNearMiss(digits));
}

function formatNearMiss(digits: string): string {
  return `0x${digits.slice(0, 8)}… has ${digits.length} hex digits, not ${DIGITS}`;
}

function isNearMiss({ length }: string): boolean {
  return length >= NEAR_LENGTH.min && length <= NEAR_LENGTH.max;
}
