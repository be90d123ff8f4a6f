import { InputError } from "../../errors/mod.ts";

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
