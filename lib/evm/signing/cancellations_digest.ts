import { hexBytes } from "../hex/hex_bytes.ts";
import { keccak256 } from "../hex/keccak256.ts";
import type { OrderDomain } from "../orders/order_domain.ts";
import { packWords } from "../hex/pack_words.ts";
import { hashText, typedDataDigest } from "../orders/typed_data_digest.ts";

const CANCELLATIONS_TYPE = "OrderCancellations(bytes[] orderUids)";
const CANCELLATION_TYPE = "OrderCancellation(bytes orderUid)";

const UID = { what: "the UID of an order to cancel", bytes: 56 };

/**
 * The EIP-712 digest of a cancellation, which the owner of the orders signs for
 * `DELETE /api/v1/orders`.
 *
 * Digest of the struct `OrderCancellations(bytes[] orderUids)`; the order of the UIDs matters.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param orderUids The UIDs as they are sent; the service accepts at most 128, this function any
 * number.
 * @returns 32 bytes as lower-case hex.
 * @throws {InputError} If any of them is not an order UID.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderCancellations in the service}
 *
 * @example
 * ```ts
 * import { cancellationsDigest, orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const digest = cancellationsDigest(domain, [
 *   "0x5c072ec2757e0ec4b7105c9a257370b937fadf22003eff83301ba56bd1c07f53" +
 *   "d217e8a0924a6806c7616a4ab0c39df86e0bf8896b01a6ad",
 * ]);
 *
 * assertEquals(digest, "0x76d2011f2d6fb42bef73eb6dedd5d37f9f8940c7f01c7fbfcc3492efe6105ae9");
 * ```
 */
export function cancellationsDigest(domain: OrderDomain, orderUids: readonly string[]): string {
  const list = keccak256(packWords(orderUids.map(hashUid)));
  const words = packWords([hashText(CANCELLATIONS_TYPE), list]);
  return typedDataDigest(domain, keccak256(words));
}

/**
 * The EIP-712 digest that cancels one order at the deprecated `DELETE /api/v1/orders/{uid}`.
 *
 * Digest of the struct `OrderCancellation(bytes orderUid)`; differs from
 * {@linkcode cancellationsDigest} of one UID.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param orderUid UID of the order to cancel.
 * @returns 32 bytes as lower-case hex.
 * @throws {InputError} If it is not an order UID.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | OrderCancellation in the service}
 *
 * @example
 * ```ts
 * import { cancellationDigest, cancellationsDigest, orderDomain } from "orderlens/evm";
 * import { assertNotEquals } from "@std/assert";
 *
 * const uid = `0x${"2a".repeat(56)}`;
 * const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
 *
 * assertNotEquals(cancellationDigest(domain, uid), cancellationsDigest(domain, [uid]));
 * ```
 */
export function cancellationDigest(domain: OrderDomain, orderUid: string): string {
  const words = packWords([hashText(CANCELLATION_TYPE), hashUid(orderUid)]);
  return typedDataDigest(domain, keccak256(words));
}

function hashUid(uid: string): Uint8Array {
  return keccak256(hexBytes(uid, UID));
}
