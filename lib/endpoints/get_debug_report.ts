import { UnavailableError } from "../errors/mod.ts";
import { checkOptions } from "../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../http/mod.ts";
import { type DebugReport, decodeDebugReport } from "../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "./call_options.ts";
import { checkedHex } from "./checked_hex.ts";
import { requireSame } from "./require_same.ts";
import { refusalOf } from "./refusal_of.ts";
import { isSuccess } from "./send_for.ts";
import { sendToKnownSpelling } from "./send_to_known_spelling.ts";

/** What can still be learnt about an order where debug reports cannot be had. */
const WHAT_REMAINS =
  "the public operations tell the order (order), its fills (trades), how far it got (orderStatus) and the auctions it was settled in (transactionOrders, competition); its events, losing bids and settlement attempts are only in the report";

/**
 * Gets the debug report of an order: its events, the auctions it was in, bids and settlement attempts.
 *
 * Calls `GET /restricted/api/v1/debug/order/{uid}`, and where a deployment does not know that route
 * `GET /api/v1/debug/order/{uid}`, as the interface document spells it. The public deployments give
 * reports only to partners: pass their key as a header of the connection.
 *
 * @param transport Where to ask.
 * @param uid The order's UID.
 * @returns The report; amounts in atoms, exponent text converted exactly.
 * @throws {InputError} If `uid` is no order UID; nothing is sent.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {UnauthorizedError} If it is not for this caller; says what remains without it.
 * @throws {UnavailableError} If the deployment knows neither route; says what remains without it.
 * @throws {DecodeError} If the answer is no debug report.
 * @throws {MismatchError} If it is of another order.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/debug_report.rs | the service}
 * @example What happened to an order, in order
 * ```ts
 * import { getDebugReport } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const uid = "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *   "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280";
 * const report = await getDebugReport(await replay("market_1"), uid);
 *
 * assertEquals(
 *   report.events.map((event) => event.label),
 *   ["created", "ready", "executing", "filtered", "traded"],
 * );
 * ```
 */
export async function getDebugReport(
  transport: Transport,
  uid: string,
  options: CallOptions = {},
): Promise<DebugReport> {
  checkOptions(options, CALL_OPTIONS, "Cannot get a debug report");
  checkedHex(uid, "an order UID");
  const wanted = `get the debug report of order ${uid}`;
  const { response, request, isRouteUnknown } = await sendToKnownSpelling(transport, {
    route: "debug",
    service: `/restricted/api/v1/debug/order/${uid}`,
    document: `/api/v1/debug/order/${uid}`,
  }, options);
  const source = requestLine(request);
  if (isRouteUnknown) {
    throw new UnavailableError(`Cannot ${wanted}: this deployment does not offer debug reports`, {
      request: source,
      status: response.status,
      body: response.body,
      remedy: `Do without it: ${WHAT_REMAINS}`,
    });
  }
  if (!isSuccess(response)) {
    throw refusalOf(response, request, {
      wanted,
      notFound: "Check the UID, the network and the environment: a UID names none of them",
      unauthorized:
        `Pass the key of a partner in the option \`headers\`, or do without it: ${WHAT_REMAINS}`,
    });
  }
  const report = decodeDebugReport(jsonOf(response, request), { source });
  requireSame(source, { field: "orderUid", asked: uid, answered: report.orderUid });
  requireSame(source, { field: "order.uid", asked: uid, answered: report.order.uid });
  return report;
}
