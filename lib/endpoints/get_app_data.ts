import { checkOptions } from "../errors/option_rules.ts";
import type { Transport } from "../http/mod.ts";
import { type AppDataRegistration, decodeAppDataRegistration } from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "./call_options.ts";
import { checkedHex } from "./checked_hex.ts";
import { getJson } from "./get_json.ts";

/**
 * Gets the app data document with a hash, as the text that was hashed, and believes that it is: the
 * client's function of this name hashes it.
 *
 * Calls `GET /api/v1/app_data/{hash}`.
 *
 * @throws {InputError} If `hash` is no hash; nothing is sent.
 * @throws {NotFoundError} If the service does not know the document.
 * @throws {DecodeError} If the answer is no document.
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
    notFound: "Do without it: the service knows only documents that were registered with it",
  }, options);
  return decodeAppDataRegistration(json, { source });
}
