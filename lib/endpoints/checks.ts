import { DecodeError, InputError, MismatchError } from "../errors/mod.ts";
import { sameHex } from "../units/mod.ts";

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

/** A requested value and its value in the answer. */
interface AskedAndAnswered {
  /** Name of the field, such as `uid`. */
  readonly field: string;
  /** Value that was requested, or that follows from the request. */
  readonly asked: string | number | bigint;
  /** Value in the answer. */
  readonly answered: string | number | bigint;
  /** Remedy that replaces the default one. */
  readonly remedy?: string;
}

/**
 * Rejects an answer about something other than what was requested. Hex may differ in case.
 *
 * @param request The request, as formatted by `requestLine`.
 * @throws {MismatchError} If the two differ.
 */
export function requireSame(request: string, options: AskedAndAnswered): void {
  const { field, remedy } = options;
  const asked = String(options.asked);
  const answered = String(options.answered);
  if (asked === answered) return;
  if (asked.startsWith("0x") && sameHex(asked, answered)) return;
  throw new MismatchError({ request, field, asked, answered, remedy });
}

const LONGEST_SHOWN = 140;

/** Length of each kind of hex text, in bytes. */
const BYTES = { "an order UID": 56, "an address": 20, "a hash": 32 } as const;

/**
 * Returns the text if it is hex of the right length, so that a typo never reaches the service.
 *
 * @throws {InputError} Otherwise; names what the text looks like instead.
 */
export function checkedHex(
  text: string,
  form: keyof typeof BYTES,
  what: string = form,
): string {
  const bytes = BYTES[form];
  if (typeof text === "string" && text.length === 2 + 2 * bytes && /^0x[0-9a-fA-F]*$/.test(text)) {
    return text;
  }
  const shown = typeof text === "string" ? JSON.stringify(text) : String(text);
  throw new InputError(`Cannot use this as ${what}: it ${faultOf(text, bytes)}`, {
    facts: { found: shown.length > LONGEST_SHOWN ? `${shown.slice(0, LONGEST_SHOWN)}…` : shown },
    remedy: `Pass ${form} as 0x and ${2 * bytes} hex digits`,
  });
}

function faultOf(text: unknown, bytes: number): string {
  if (typeof text !== "string") return `is ${text === null ? "null" : typeof text}, not text`;
  if (!text.startsWith("0x")) return "does not begin with 0x";
  const bad = text.slice(2).search(/[^0-9a-fA-F]/);
  if (bad >= 0) return `has a character that is not a hex digit, at position ${bad + 3}`;
  const digits = text.length - 2;
  const guess = Object.entries(BYTES).find(([, length]) => 2 * length === digits);
  return `has ${digits} hex digits instead of ${2 * bytes}` +
    (guess === undefined ? "" : `, like ${guess[0]}`);
}
