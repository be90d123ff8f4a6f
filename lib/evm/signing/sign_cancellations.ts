import { InputError } from "../../errors/mod.ts";
import { checkOptions, oneOf, type OptionRules, TEXT } from "../../errors/option_rules.ts";
import { cancellationsDigest } from "./cancellations_digest.ts";
import type { OrderDomain } from "../orders/order_domain.ts";
import type { OrderSigner } from "./order_signer.ts";
import { requestSignature } from "./request_signature.ts";
import { DOMAIN_FIELDS } from "../orders/typed_data_digest.ts";

/** Options of {@linkcode signCancellations}. */
export interface SignCancellationsOptions {
  /** Signing scheme; the service accepts only these two. @default {"eip712"} */
  readonly signingScheme?: "eip712" | "ethsign";
  /** Account that signs: the owner of all the orders. @default {the account, or a wallet's first} */
  readonly from?: string;
}

const OPTIONS: OptionRules<SignCancellationsOptions> = {
  signingScheme: oneOf("eip712", "ethsign"),
  from: TEXT,
};

/** The signed body of a cancellation, as accepted by `cancelOrders` of a book. */
export interface CancellationsSignature {
  /** Orders to cancel, in the order in which they were signed. */
  readonly orderUids: readonly string[];
  /** 65 bytes of hex, the last of them 27 or 28. */
  readonly signature: string;
  /** Signing scheme of the signature. */
  readonly signingScheme: "eip712" | "ethsign";
}

const FIELDS = [{ name: "orderUids", type: "bytes[]" }] as const;

/**
 * Signs the cancellation of orders. Their owner must sign with a key: contracts cancel on-chain.
 *
 * Before the signature is returned, its signer is recovered and compared with the account.
 *
 * @param signer An account or a wallet client of viem, or a wallet (EIP-1193).
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}.
 * @param orderUids UIDs of the orders; the service accepts at most 128.
 * @param options The scheme.
 * @returns The complete body of `DELETE /api/v1/orders`.
 * @throws {InputError} If any of the UIDs is invalid, the signer cannot or does not sign, or it
 *   returns anything other than its own signature of this list.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/order.rs | SignedOrderCancellations in the service}
 *
 * @example A wallet in which the request is rejected
 * ```ts
 * import { InputError, signCancellations } from "orderlens";
 * import { orderDomain } from "orderlens/evm";
 * import { assertRejects } from "@std/assert";
 *
 * const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
 * const wallet = { request: () => Promise.reject({ code: 4001, message: "User rejected" }) };
 *
 * await assertRejects(
 *   () => signCancellations(wallet, domain, [`0x${"2a".repeat(56)}`]),
 *   InputError,
 *   "the request was rejected in the wallet",
 * );
 * ```
 */
export async function signCancellations(
  signer: OrderSigner,
  domain: OrderDomain,
  orderUids: readonly string[],
  options: SignCancellationsOptions = {},
): Promise<CancellationsSignature> {
  checkOptions(options, OPTIONS, "Cannot sign cancellations");
  const { signingScheme = "eip712", from } = options;
  if (signingScheme !== "eip712" && signingScheme !== "ethsign") {
    throw new InputError(
      `Cannot sign a cancellation with the scheme ${JSON.stringify(signingScheme)}`,
      {
        remedy: "Use eip712 or ethsign; contracts cancel their orders on-chain",
      },
    );
  }
  const { signature } = await requestSignature(signer, {
    what: "the cancellation",
    data: {
      domain,
      types: { EIP712Domain: DOMAIN_FIELDS, OrderCancellations: FIELDS },
      primaryType: "OrderCancellations",
      message: { orderUids },
    },
    digest: cancellationsDigest(domain, orderUids),
    signingScheme,
    from,
  });
  return { orderUids, signature, signingScheme };
}
