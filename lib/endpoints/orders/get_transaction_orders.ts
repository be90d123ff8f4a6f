import { UnavailableError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../../http/mod.ts";
import { decodeOrders, type Order } from "../../schemas/mod.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { LIST_OPTIONS, type ListOptions } from "../lists/list_options.ts";
import { MOST_IN_ONE_PIECE, requireAtMost } from "../call/require_at_most.ts";
import { requireSame } from "../call/require_same.ts";
import { refusalOf } from "../call/refusal_of.ts";
import { isSuccess } from "../call/send_for.ts";
import { uidParts } from "../call/uid_parts.ts";
import { sendToKnownSpelling } from "../call/send_to_known_spelling.ts";
import { wholeList } from "../lists/whole_list.ts";

/**
 * Gets the orders that one transaction settled.
 *
 * Calls `GET /api/v1/transactions/{txHash}/orders`, and on deployments without that route
 * `GET /api/v1/orders/tx/{txHash}`, the path in the API specification.
 *
 * An order does not name its transactions, so whether it belongs to this one cannot be checked;
 * only its UID is checked against its own fields.
 *
 * @param transport Transport that sends the request.
 * @param txHash Hash of the transaction.
 * @returns The orders; an empty list for a transaction that settled nothing or is unknown to the
 * service.
 * @throws {InputError} If `txHash` is not a hash; nothing is sent.
 * @throws {UnavailableError} If the deployment has neither route.
 * @throws {DecodeError} If there are more than 10,000.
 * @throws {MismatchError} If the owner or expiry in an order's UID differs from that of the order.
 * @throws {IncompleteListError} If some orders could not be decoded and `onFailure` is not set;
 *   `items` holds the others.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getTransactionOrders } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const tape = await replay("market_1");
 * const txHash = "0xf6cd30be1044908507d0561a99cecabb1ad288d00313e475784806955b2076f1";
 * const orders = await getTransactionOrders(tape, txHash);
 *
 * assertEquals(orders.map((order) => order.status), ["fulfilled"]);
 * ```
 */
export async function getTransactionOrders(
  transport: Transport,
  txHash: string,
  options: ListOptions = {},
): Promise<Order[]> {
  checkOptions(options, LIST_OPTIONS, "Cannot get the orders of a transaction");
  checkedHex(txHash, "a hash");
  const purpose = { wanted: `get the orders of transaction ${txHash}` };
  const { response, request, isRouteUnknown } = await sendToKnownSpelling(transport, {
    route: "transactionOrders",
    service: `/api/v1/transactions/${txHash}/orders`,
    document: `/api/v1/orders/tx/${txHash}`,
  }, options);
  const source = requestLine(request);
  if (isRouteUnknown) {
    throw new UnavailableError(
      `Cannot ${purpose.wanted}: this deployment does not offer the operation`,
      {
        request: source,
        status: response.status,
        body: response.body,
        remedy:
          "Check the address of the deployment, or get the competition of the transaction, which lists the orders too",
      },
    );
  }
  if (!isSuccess(response)) throw refusalOf(response, request, purpose);
  const json = jsonOf(response, request);
  requireAtMost(json, MOST_IN_ONE_PIECE, { rows: "orders", source });
  const page = decodeOrders(json, { source });
  for (const order of page.items) requireOwnUid(source, order);
  return wholeList(page, `the orders of transaction ${txHash}`, options);
}

/**
 * Rejects an order whose UID has another owner or expiry than the order itself. For EthFlow orders,
 * both have the contract and the expiry that it signs.
 *
 * @param request The request, as formatted by `requestLine`.
 * @throws {MismatchError} If they differ.
 */
function requireOwnUid(request: string, { uid, owner, validTo }: Order): void {
  const named = uidParts(uid);
  requireSame(request, { field: `owner in order ${uid}`, asked: named.owner, answered: owner });
  requireSame(request, {
    field: `validTo in order ${uid}`,
    asked: named.validTo,
    answered: validTo,
  });
}
