import { MismatchError } from "../../errors/mod.ts";
import { sameHex } from "../../units/mod.ts";

/** A requested value and its value in the answer. */
export interface AskedAndAnswered {
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
