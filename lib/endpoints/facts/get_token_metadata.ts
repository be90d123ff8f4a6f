import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { decodeTokenMetadata, type TokenMetadata } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";

/**
 * Gets the metadata that the service has of a token: its first trade and its native price. It has
 * neither decimals nor a symbol.
 *
 * Calls `GET /api/v1/token/{token}/metadata`.
 *
 * @param transport Transport that sends the request.
 * @param token Address of the token.
 * @returns The block of the first trade, and native atoms per 10^18 token atoms; `null` where
 *   unknown.
 * @throws {InputError} If `token` is not an address; nothing is sent.
 * @throws {DecodeError} If the answer is not token metadata.
 * @see {@link https://github.com/cowprotocol/services/tree/6a3eb4265/crates/orderbook/src/api | the service}
 * @example
 * ```ts
 * import { getTokenMetadata } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const token = "0x67d269191c92caf3cd7723f116c85e6e9bf55933";
 * const metadata = await getTokenMetadata(await replay("market_1"), token);
 *
 * assertEquals(metadata, { firstTradeBlock: 201, nativePrice: 9705660743530312n });
 * ```
 */
export async function getTokenMetadata(
  transport: Transport,
  token: string,
  options: CallOptions = {},
): Promise<TokenMetadata> {
  checkOptions(options, CALL_OPTIONS, "Cannot get token metadata");
  checkedHex(token, "an address");
  const { json, source } = await getJson(transport, {
    path: `/api/v1/token/${token}/metadata`,
    wanted: `get the metadata of token ${token}`,
  }, options);
  return decodeTokenMetadata(json, { source });
}
