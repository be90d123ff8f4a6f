import type { CallOptions, RegisteredAppData } from "../endpoints/mod.ts";
import { putAppData as sendAppData } from "../endpoints/facts/put_app_data.ts";
import { requireSame } from "../endpoints/call/require_same.ts";
import { hashAppData } from "../evm/app_data/hash_app_data.ts";
import type { Transport } from "../http/mod.ts";

/**
 * Registers an app data document, so that orders may refer to it by its hash.
 *
 * Calls `PUT /api/v1/app_data`. Registering a document again changes nothing.
 *
 * @param transport Transport that sends the request.
 * @param fullAppData The document as text: every character counts for the hash.
 * @returns Its hash, and whether it is new to the service.
 * @throws {InputError} If it is not text, or cannot be encoded as UTF-8; nothing is sent.
 * @throws {ServiceError} If the service rejects it, for example with `AppDataInvalid`.
 * @throws {HttpStatusError} With status 413 if it is too large; the limit is 8192 bytes unless the
 *   operator of the service set another.
 * @throws {DecodeError} If the answer is not a hash.
 * @throws {MismatchError} If the answer is the hash of another document.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { putAppData } from "orderlens/client";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const { hash, created } = await putAppData(await replay("edges"), "{}");
 *
 * assertEquals(hash, "0xb48d38f93eaa084033fc5970bf96e559c33c4cdc07d889ab00b4d63f9590739d");
 * assertEquals(created, false);
 * ```
 */
export async function putAppData(
  transport: Transport,
  fullAppData: string,
  options: CallOptions = {},
): Promise<RegisteredAppData> {
  const hash = hashAppData(fullAppData);
  const registered = await sendAppData(transport, fullAppData, options);
  requireSame("PUT /api/v1/app_data", { field: "hash", asked: hash, answered: registered.hash });
  return registered;
}
