import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { decodeNativePrice } from "../../schemas/mod.ts";
import type { Decimal } from "../../units/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";

/**
 * Gets the native price of a token.
 *
 * Calls `GET /api/v1/token/{token}/native_price`.
 *
 * @param transport Transport that sends the request.
 * @param token Address of the token.
 * @returns Native atoms per atom of the token: the exact decimal that the service printed, itself a
 *   double.
 * @throws {InputError} If `token` is not an address; nothing is sent.
 * @throws {ServiceError} With `NoLiquidity`, if the service has no price for the token.
 * @throws {DecodeError} If the answer is not a price.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getNativePrice } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const token = "0x67d269191c92caf3cd7723f116c85e6e9bf55933";
 * const price = await getNativePrice(await replay("market_1"), token);
 *
 * assertEquals(price.toString(), "0.009731496163109856");
 * ```
 */
export async function getNativePrice(
  transport: Transport,
  token: string,
  options: CallOptions = {},
): Promise<Decimal> {
  checkOptions(options, CALL_OPTIONS, "Cannot get a native price");
  checkedHex(token, "an address");
  const { json, source } = await getJson(transport, {
    path: `/api/v1/token/${token}/native_price`,
    wanted: `get the native price of token ${token}`,
  }, options);
  return decodeNativePrice(json, { source }).price;
}
