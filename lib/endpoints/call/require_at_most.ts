import { DecodeError } from "../../errors/mod.ts";

/**
 * Most elements of a list that comes in one piece: many times what a transaction has room for, or an
 * account is told.
 */
export const MOST_IN_ONE_PIECE = 10_000;

/**
 * Refuses a list with more elements than were asked for, or can be meant, before the first of them is looked at: each
 * broken one would cost an error of its own.
 *
 * @param json A parsed body; anything other than a list is left to its decoder.
 * @param most How many there may be.
 * @param list What is listed, as `orders`, and the request, as `requestLine` writes it.
 * @throws {DecodeError} If there are more.
 */
export function requireAtMost(
  json: unknown,
  most: number,
  { rows, source }: { rows: string; source: string },
): void {
  if (!Array.isArray(json) || json.length <= most) return;
  throw new DecodeError({
    what: `a list of ${rows}`,
    path: "",
    expected: `a list of at most ${most} ${rows}`,
    found: `${json.length} elements`,
    source,
  });
}
