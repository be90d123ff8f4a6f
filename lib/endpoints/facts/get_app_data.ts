import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { type AppDataRegistration, decodeAppDataRegistration } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";

/**
 * Gets the app data document with a hash, as the text that was hashed. The hash is not verified
 * here; the client's `getAppData` verifies it.
 *
 * Calls `GET /api/v1/app_data/{hash}`.
 *
 * @throws {InputError} If `hash` is not a hash; nothing is sent.
 * @throws {NotFoundError} If the service does not know the document.
 * @throws {DecodeError} If the answer is not a document.
 */
export async function getAppData(
  transport: Transport,
  hash: string,
  options: CallOptions = {},
): Promise<AppDataRegistration> {
  checkOptions(options, CALL_OPTIONS, "Cannot get app data");
  checkedHex(hash, "a hash");
  const { json, source } = await getJson(transport, {
    path: `/api/v1/app_data/${hash}`,
    wanted: `get app data ${hash}`,
    notFound:
      "Proceed without the document: the service only has documents that were registered with it",
  }, options);
  return decodeAppDataRegistration(json, { source });
}
