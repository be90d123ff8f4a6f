import type { Transport } from "../http/mod.ts";
import { type AppDataRegistration, decodeAppDataRegistration } from "../schemas/mod.ts";
import type { CallOptions } from "./call_options.ts";
import { checkedHex } from "./checked_hex.ts";
import { getJson } from "./get_json.ts";

/**
 * Gets the app data document with a hash, as the text that was hashed.
 *
 * Calls `GET /api/v1/app_data/{hash}`.
 *
 * @param transport Where to ask.
 * @param hash The `appData` of an order.
 * @returns The document as text, in `fullAppData`; `appData` of a connection parses it.
 * @throws {InputError} If `hash` is no hash; nothing is sent.
 * @throws {NotFoundError} If the service does not know the document.
 * @throws {DecodeError} If the answer is no document.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example The text has the hash it was asked for by
 * ```ts
 * import { getAppData, hashAppData } from "orderlens";
 * import { replay } from "orderlens/sandbox";
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
  checkedHex(hash, "a hash");
  const { json, source } = await getJson(transport, {
    path: `/api/v1/app_data/${hash}`,
    wanted: `get app data ${hash}`,
    notFound: "Do without it: the service knows only documents that were registered with it",
  }, options);
  return decodeAppDataRegistration(json, { source });
}
