import { checkOptions } from "../../errors/option_rules.ts";
import type { Transport } from "../../http/mod.ts";
import { type Auction, decodeAuction } from "../../schemas/mod.ts";
import { CALL_OPTIONS, type CallOptions } from "../call/call_options.ts";
import { getJson } from "../call/get_json.ts";

/**
 * Gets the current auction, as solvers see it.
 *
 * Calls `GET /api/v1/auction`. The public deployments return it to solvers only.
 *
 * @param transport Transport that sends the request.
 * @returns The orders that may be settled, and the native prices of their tokens.
 * @throws {NotFoundError} If there has been no auction yet.
 * @throws {UnauthorizedError} If the caller is not allowed to see it.
 * @throws {DecodeError} If the answer is not an auction.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/openapi.yml | the service's specification}
 * @example
 * ```ts
 * import { getAuction } from "orderlens/endpoints";
 * import { replay } from "orderlens/recordings";
 * import { assertEquals } from "@std/assert";
 *
 * const auction = await getAuction(await replay("market_1"));
 *
 * assertEquals(auction.id, 2672);
 * assertEquals(auction.block, 3320);
 * ```
 */
export async function getAuction(
  transport: Transport,
  options: CallOptions = {},
): Promise<Auction> {
  checkOptions(options, CALL_OPTIONS, "Cannot get the auction");
  const { json, source } = await getJson(transport, {
    path: "/api/v1/auction",
    wanted: "get the current auction",
    notFound: "Retry later: there has been no auction yet",
    unauthorized:
      "Pass a solver's key in the option `headers`, or use past auctions: their competitions are public",
  }, options);
  return decodeAuction(json, { source });
}
