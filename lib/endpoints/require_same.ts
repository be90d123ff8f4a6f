import { MismatchError } from "../errors/mod.ts";
import { sameHex } from "../units/mod.ts";

/** One value as it was asked for and as it was answered. */
export interface AskedAndAnswered {
  /** What the answer has one of, as `uid`. */
  readonly field: string;
  /** What was asked for, or follows from it. */
  readonly asked: string | number | bigint;
  /** What the answer has. */
  readonly answered: string | number | bigint;
  /** What to do about a difference, where it is not the usual. */
  readonly remedy?: string;
}

/**
 * Refuses an answer that is about something else than what was asked for. Hex may differ in its case.
 *
 * @param request The request, as `requestLine` writes it.
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
