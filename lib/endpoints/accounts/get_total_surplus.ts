import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { decodeTotalSurplus } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { getJson } from "../call/get_json.ts";

/**
 * Gets the surplus that an account received over its limit prices since March 2023.
 *
 * Calls `GET /api/v1/users/{account}/total_surplus`. An estimate: the service sums doubles and may
 * count orders with several fills twice.
 *
 * @param transport Transport that sends the request.
 * @param account The trader.
 * @returns Wei; `0n` for an account without trades.
 * @throws {InputError} If `account` is not an address; nothing is sent.
 * @throws {DecodeError} If the answer is not a total surplus.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/total_surplus.rs | the service}
 * @example
 * ```ts
 * import { getTotalSurplus } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const account = "0xae8be95be03288071217078950278910001dcbc8";
 * const surplus = await getTotalSurplus(await replay("market_1"), account);
 *
 * assertEquals(surplus, 1214535409241168128n);
 * ```
 */
export async function getTotalSurplus(
  transport: Transport,
  account: string,
  options: CallOptions = {},
): Promise<bigint> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the total surplus");
  checkedHex(account, "an address");
  const { json, source } = await getJson(transport, {
    path: `/api/v1/users/${account}/total_surplus`,
    wanted: `get the total surplus of account ${account}`,
  }, options);
  return decodeTotalSurplus(json, { source }).totalSurplus;
}
