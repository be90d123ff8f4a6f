import { UnavailableError } from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../http/mod.ts";
import { decodeNotifications, decodeTotalSurplus, type Notification } from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "./calls.ts";
import { checkedHex, MOST_IN_ONE_PIECE, requireAtMost, requireSame } from "./checks.ts";
import { LIST_OPTIONS, type ListOptions, wholeList } from "./paged_rows.ts";
import { getJson, isSuccess, refusalOf, withSignal } from "./send_for.ts";

/**
 * Gets the notifications of an account, in the format of the API specification or in that of the
 * current service.
 *
 * Calls `GET {root}/accounts/{account}/notifications`: a service next to the order book, under the
 * root of the host. Its answers may be reused for as long as their `Cache-Control` allows,
 * currently five minutes.
 *
 * @param transport Transport that sends the request.
 * @param account The account.
 * @returns The notifications; an empty list if there are none.
 * @throws {InputError} If `account` is not an address; nothing is sent.
 * @throws {UnavailableError} If the deployment does not offer notifications (404 or 503), as
 *   opposed to an empty list.
 * @throws {DecodeError} If there are more than 10,000.
 * @throws {MismatchError} If a notification is for another account.
 * @throws {IncompleteListError} If some could not be decoded and `onFailure` is not set; `items`
 *   holds the others.
 * @example A deployment without notifications
 * ```ts
 * import { UnavailableError } from "orderlens";
 * import { getNotifications } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertRejects } from "@std/assert";
 *
 * const edges = await replay("edges");
 * const account = "0xd217e8a0924a6806c7616a4ab0c39df86e0bf889";
 *
 * await assertRejects(() => getNotifications(edges, account), UnavailableError);
 * ```
 */
export async function getNotifications(
  transport: Transport,
  account: string,
  options: ListOptions = {},
): Promise<Notification[]> {
  checkOptions(options, LIST_OPTIONS, "Cannot get notifications");
  checkedHex(account, "an address");
  const wanted = `get the notifications of account ${account}`;
  const request = withSignal({
    method: "GET",
    path: `/accounts/${account}/notifications`,
    at: "root",
  }, options);
  const response = await transport.send(request);
  const source = requestLine(request);
  if (response.status === 404 || response.status === 503) {
    throw new UnavailableError(`Cannot ${wanted}: this deployment does not offer notifications`, {
      request: source,
      status: response.status,
      body: response.body,
      remedy:
        "Check the option `rootUrl`, which notifications are served under, or poll the account's orders instead",
    });
  }
  if (!isSuccess(response)) throw refusalOf(response, request, { wanted });
  const json = jsonOf(response, request);
  requireAtMost(json, MOST_IN_ONE_PIECE, { rows: "notifications", source });
  const page = decodeNotifications(json, { source });
  for (const one of page.items) {
    requireSame(source, { field: "account", asked: account, answered: one.account });
  }
  return wholeList(page, `the notifications of account ${account}`, options);
}

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
