import { UnavailableError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../../http/mod.ts";
import { decodeNotifications, type Notification } from "../../schemas/mod.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { LIST_OPTIONS, type ListOptions } from "../lists/list_options.ts";
import { refusalOf } from "../call/refusal_of.ts";
import { MOST_IN_ONE_PIECE, requireAtMost } from "../call/require_at_most.ts";
import { requireSame } from "../call/require_same.ts";
import { isSuccess, withSignal } from "../call/send_for.ts";
import { wholeList } from "../lists/whole_list.ts";

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
