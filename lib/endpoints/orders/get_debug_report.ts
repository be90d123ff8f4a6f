import { UnavailableError } from "../../errors/mod.ts";
import { checkOptions } from "../../errors/option_rules.ts";
import { jsonOf, requestLine, type Transport } from "../../http/mod.ts";
import { type DebugReport, decodeDebugReport } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { checkedHex } from "../call/checked_hex.ts";
import { requireSame } from "../call/require_same.ts";
import { refusalOf } from "../call/refusal_of.ts";
import { isSuccess } from "../call/send_for.ts";
import { sendToKnownSpelling } from "../call/send_to_known_spelling.ts";

/** What other operations tell about an order where debug reports are not available. */
const WHAT_REMAINS =
  "the public operations return the order (order), its fills (trades), its stage in the latest auction (orderStatus) and the auctions that settled it (transactionOrders, competition); events, losing bids and settlement attempts are only in the report";

/**
 * Gets the debug report of an order: its events, the auctions it was in, bids and settlement attempts.
 *
 * Calls `GET /restricted/api/v1/debug/order/{uid}`, and on deployments without that route
 * `GET /api/v1/debug/order/{uid}`, the path in the API specification. The public deployments return
 * reports to partners only: pass a partner's key as a header of the connection.
 *
 * @param transport Transport that sends the request.
 * @param uid The order's UID.
 * @returns The report; amounts in atoms, text with an exponent converted exactly.
 * @throws {InputError} If `uid` is not an order UID; nothing is sent.
 * @throws {NotFoundError} If the service does not have the order.
 * @throws {UnauthorizedError} If the caller is not allowed to see it; the remedy names the
 * alternatives.
 * @throws {UnavailableError} If the deployment has neither route; the remedy names the
 * alternatives.
 * @throws {DecodeError} If the answer is not a debug report.
 * @throws {MismatchError} If the answer is about another order.
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
      remedy: `Proceed without it: ${WHAT_REMAINS}`,
    });
  }
  if (!isSuccess(response)) {
    throw refusalOf(response, request, {
      wanted,
      notFound:
        "Check the UID, the network and the environment: a UID names neither network nor environment",
      unauthorized:
        `Pass a partner's key in the option \`headers\`, or proceed without it: ${WHAT_REMAINS}`,
    });
  }
  const report = decodeDebugReport(jsonOf(response, request), { source });
  requireSame(source, { field: "orderUid", asked: uid, answered: report.orderUid });
  requireSame(source, { field: "order.uid", asked: uid, answered: report.order.uid });
  return report;
}
