import { InputError } from "../../errors/mod.ts";
import { orderDigest, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_domain.ts";
import { recoverSigner, type SignatureFields } from "./recover_signer.ts";

const SIGNED_ON_CHAIN = ["presign", "eip1271"];

/**
 * Recovers the signer of an order from its signature.
 *
 * `eip712` signs the order's digest, `ethsign` the digest as a personal message (EIP-191). The
 * signer of a valid order is its `owner`. A `presign` or `eip1271` order is approved by a contract
 * or a transaction: its signature does not identify a signer, so the result is `null`, and nothing
 * is verified on-chain.
 *
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param order The signed fields, as for {@linkcode orderDigest}, with `signature` and
 *   `signingScheme` as in every order body.
 * @param signed The signature, if the record has none. @default {order}
 * @returns The signer's address in lower case, or `null` for `presign` and `eip1271`.
 * @throws {InputError} If a field cannot be signed, the scheme is unknown, or the signature is not
 *   a valid one of 65 bytes. The settlement contract requires 27 or 28 as the last byte; here 0 and
 *   1 are accepted as equivalent.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/signature.rs | Signature::recover in the service}
 *
 * @example
 * ```ts
 * import { orderDomain, recoverOrderSigner } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({
 *   chainId: 1,
 *   settlementContract: "0xa513e6e4b8f2a923d98304ec87f64353c4d5c853",
 * });
 * const signer = await recoverOrderSigner(domain, {
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
 *   signingScheme: "eip712",
 *   signature: "0xd16cdc11d6cc8108a9a1896fcaf841f7fe9666f1942e14750606084fbf31e09f" +
 *     "3e52dc6e60df61823eeb96ee2dde9c9da418756b0b063d45c015e4b86aa841951c",
 * });
 *
 * assertEquals(signer, "0xba78423395063915fbf92bab6d4c769676f0f55e");
 * ```
 */
export async function recoverOrderSigner(
  domain: OrderDomain,
  order: SignableOrder & Partial<SignatureFields>,
  signed: Partial<SignatureFields> = order,
): Promise<string | null> {
  const { signature, signingScheme } = signed;
  if (signature === undefined || signingScheme === undefined) {
    throw new InputError("Cannot recover the signer of an order without its signature", {
      remedy: "Pass an order with signature and signingScheme, or both as the third argument",
    });
  }
  if (SIGNED_ON_CHAIN.includes(signingScheme)) return null;
  return await recoverSigner(orderDigest(domain, order), { signature, signingScheme });
}
