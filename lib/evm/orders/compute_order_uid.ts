import { InputError } from "../../errors/mod.ts";
import { orderDigest, type SignableOrder } from "./order_digest.ts";
import type { OrderDomain } from "./order_domain.ts";
import { packOrderUid } from "./order_uid.ts";

/**
 * The UID of an order, from its own fields: digest, owner and expiry.
 *
 * Equal to the `uid` that the service assigns; a difference means that a field was changed in
 * transit, or that the domain belongs to another deployment.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param order The signed fields, as for {@linkcode orderDigest}, and the `owner`.
 * @param owner Account that the order trades for, if the record has none, such as the body of an
 *   order creation. @default {order.owner}
 * @returns `0x` and 112 lower-case hex digits.
 * @throws {InputError} If a field cannot be signed, or no owner is given.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderData::uid in the service}
 *
 * @example
 * ```ts
 * import { computeOrderUid, orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const uid = computeOrderUid(domain, {
 *   owner: "0xba78423395063915fbf92bab6d4c769676f0f55e",
 *   sellToken: "0x84ea74d481ee0a5332c457a4d796187f6ba67feb",
 *   buyToken: "0xe6e340d132b5f46d1e472debcd681b2abc16e57e",
 *   receiver: "0xae8be95be03288071217078950278910001dcbc8",
 *   sellAmount: 125349568184000000000n,
 *   buyAmount: 123396655958901778055n,
 *   validTo: 1795273344,
 *   appData: "0x5706014aeecac857b4b0f7f11d1f4b35ef984fca0dabda93c2426dd369120421",
 *   feeAmount: 0n,
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 * });
 *
 * assertEquals(
 *   uid,
 *   "0xb5640e91382b683c89aec1283cc579646ddcf5df8d93edc2dcc639faab8a21d6" +
 *     "ba78423395063915fbf92bab6d4c769676f0f55e6b01b280",
 * );
 * ```
 */
export function computeOrderUid(
  domain: OrderDomain,
  order: SignableOrder & { owner?: string | undefined },
  owner: string | undefined = order.owner,
): string {
  if (owner === undefined) {
    throw new InputError("Cannot compute the UID of an order without its owner", {
      remedy: "Pass the owner's address as the third argument",
    });
  }
  return packOrderUid({ digest: orderDigest(domain, order), owner, validTo: order.validTo });
}
