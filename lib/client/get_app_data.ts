import { getAppData as requestAppData } from "../endpoints/facts/get_app_data.ts";
import type { CallOptions } from "../endpoints/mod.ts";
import { requireSame } from "../endpoints/call/require_same.ts";
import { hashAppData } from "../evm/app_data/hash_app_data.ts";
import type { Transport } from "../http/mod.ts";
import type { AppDataRegistration } from "../schemas/mod.ts";

/**
 * Gets the app data document with a hash, as the text that was hashed.
 *
 * Calls `GET /api/v1/app_data/{hash}`, and verifies the hash: `keccak256` of the text, or for
 * documents from before 2023 the digest in their IPFS address. For the zero hash, which orders
 * without app data may sign, the service has `{}`.
 *
 * @param transport Transport that sends the request.
 * @param hash The `appData` of an order.
 * @returns The document as text, in `fullAppData`; `appData` of a connection parses it.
 * @throws {InputError} If `hash` is not a hash; nothing is sent.
 * @throws {NotFoundError} If the service does not know the document.
 * @throws {DecodeError} If the answer is not a document.
 * @throws {MismatchError} If the document has another hash.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example The text has the requested hash
 * ```ts
 * import { getAppData } from "orderlens/client";
 * import { hashAppData } from "orderlens/evm";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const hash = "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421";
 * const { fullAppData } = await getAppData(await replay("market_1"), hash);
 *
 * assertEquals(hashAppData(fullAppData), hash);
 * ```
 */
export async function getAppData(
  transport: Transport,
  hash: string,
  options: CallOptions = {},
): Promise<AppDataRegistration> {
  const registration = await requestAppData(transport, hash, options);
  const { fullAppData } = registration;
  const { isAppDataHash } = await import("../evm/app_data/is_app_data_hash.ts");
  if (!isAppDataHash(hash, fullAppData)) {
    requireSame(`GET /api/v1/app_data/${hash}`, {
      field: "hash",
      asked: hash,
      answered: hashAppData(fullAppData),
    });
  }
  return registration;
}
