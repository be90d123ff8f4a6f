import { cancellationsDigest } from "./cancellations_digest.ts";
import type { OrderDomain } from "../orders/order_domain.ts";
import { recoverSigner, type SignatureFields } from "./recover_signer.ts";

/** The body of a cancellation, with its wire names. */
export interface SignedCancellations extends SignatureFields {
  /** The UIDs, in the order in which they were signed. */
  orderUids: readonly string[];
}

/**
 * Recovers the signer of a cancellation, who must be the owner of all its orders.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param cancellations The body of `DELETE /api/v1/orders`: UIDs, signature and scheme.
 * @returns The signer's address in lower case.
 * @throws {InputError} If any of the UIDs is invalid, the scheme is not `eip712` or `ethsign` (the
 *   only ones that the service accepts here), or the signature is invalid.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | SignedOrderCancellations in the service}
 *
 * @example
 * ```ts
 * import { parseOrderUid } from "orderlens";
 * import { orderDomain, recoverCancellationsSigner } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const uid = "0x5c072ec2757e0ec4b7105c9a257370b937fadf22003eff83301ba56bd1c07f53" +
 *   "d217e8a0924a6806c7616a4ab0c39df86e0bf8896b01a6ad";
 * const signer = await recoverCancellationsSigner(domain, {
 *   orderUids: [uid],
 *   signingScheme: "eip712",
 *   signature: "0x563114639c828428b2267e56246cce6b6b9c4c178356b5083f42dcbd65836665" +
 *     "429f19b0d7a0a1097a4c6d3a7add816c2a1e238c0be49c3d9afd76ef3ee978811c",
 * });
 *
 * assertEquals(signer, parseOrderUid(uid).owner);
 * ```
 */
export async function recoverCancellationsSigner(
  domain: OrderDomain,
  cancellations: SignedCancellations,
): Promise<string> {
  const digest = cancellationsDigest(domain, cancellations.orderUids);
  return await recoverSigner(digest, cancellations);
}
