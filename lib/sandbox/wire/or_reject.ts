import { Mismatch } from "./mismatch.ts";
import type { Rejection } from "./reply.ts";

/**
 * The result of `read`; a mismatch becomes a rejection.
 *
 * @throws {Rejection} What `reject` returns for the reason.
 */
export function orReject<T>(read: () => T, reject: (reason: string) => Rejection): T {
  try {
    return read();
  } catch (error) {
    throw error instanceof Mismatch ? reject(error.message) : error;
  }
}
