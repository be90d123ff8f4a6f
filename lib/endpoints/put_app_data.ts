import { jsonOf, requestLine, type Transport } from "../http/mod.ts";
import { decodeAppDataHash, encodeAppDataRegistration } from "../schemas/mod.ts";
import type { CallOptions } from "./call_options.ts";
import { jsonText } from "./json_text.ts";
import { sendFor, withSignal } from "./send_for.ts";

/** What {@linkcode putAppData} gives. */
export interface RegisteredAppData {
  /** Hash of the document: the `appData` that orders sign. */
  readonly hash: string;
  /** Whether the service did not have the document before. */
  readonly created: boolean;
}

/**
 * Registers an app data document, so that orders may name it by its hash.
 *
 * Calls `PUT /api/v1/app_data`. Registering a document again changes nothing.
 *
 * @param transport Where to send it.
 * @param fullAppData The document as text: every character counts for the hash.
 * @returns Its hash, and whether it is new to the service.
 * @throws {ServiceError} If the service refuses it, as `AppDataInvalid`.
 * @throws {HttpStatusError} With status 413 if it is too large; the service's limit is 8192 bytes unless
 *   its operator set another.
 * @throws {DecodeError} If the answer is no hash.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { putAppData } from "orderlens";
 * import { replay } from "orderlens/sandbox";
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
  const request = withSignal({
    method: "PUT",
    path: "/api/v1/app_data",
    body: jsonText(encodeAppDataRegistration({ fullAppData })),
  }, options);
  const response = await sendFor({ wanted: "register app data" }, transport, request);
  const hash = decodeAppDataHash(jsonOf(response, request), { source: requestLine(request) });
  return { hash, created: response.status === 201 };
}
