import { Mismatch } from "./mismatch.ts";
import type { Rejection } from "./reply.ts";

/**
 * What `read` gives; where a value is not of the kind wanted, that is refused with its reason.
 *
 * @throws {Rejection} The one that `refusal` makes of the reason.
 */
export function orRefuse<T>(read: () => T, refusal: (reason: string) => Rejection): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? refusal(error.message) : error;
  }
}
