import { InputError } from "../../errors/mod.ts";
import { checkOptions, oneOf, type OptionRules, TEXT } from "../../errors/option_rules.ts";
import { hexBytes } from "../hex/hex_bytes.ts";
import { orderDigest, type SignableOrder } from "../orders/order_digest.ts";
import type { OrderDomain } from "../orders/order_domain.ts";
import type { OrderSigner, TypedDataToSign } from "./order_signer.ts";
import { requestSignature, signerAddress } from "./request_signature.ts";
import { DOMAIN_FIELDS } from "../orders/typed_data_digest.ts";

/** Options of {@linkcode signOrder}. */
export interface SignOrderOptions {
  /**
   * `"eip712"` signs structured data, `"ethsign"` its digest as a message; with `"presign"` the
   * owner approves in a transaction, with `"eip1271"` the owner's contract verifies the signature.
   * @default {"eip712"}
   */
  readonly signingScheme?: "eip712" | "ethsign" | "presign" | "eip1271";
  /** Account that signs. @default {the account, or the first one of a wallet} */
  readonly from?: string;
  /** The signature that the owner's contract accepts; for `"eip1271"` only. */
  readonly signature?: string;
}

const OPTIONS: OptionRules<SignOrderOptions> = {
  signingScheme: oneOf("eip712", "ethsign", "presign", "eip1271"),
  from: TEXT,
  signature: TEXT,
};

/** The signature fields of an order creation. */
export interface OrderSignature {
  /** Hex: 65 bytes, `0x` for `presign`, any bytes for `eip1271`. */
  readonly signature: string;
  /** Signing scheme of the signature. */
  readonly signingScheme: "eip712" | "ethsign" | "presign" | "eip1271";
  /** Owner of the order, in lower case. */
  readonly from: string;
}

const ORDER_FIELDS = [
  { name: "sellToken", type: "address" },
  { name: "buyToken", type: "address" },
  { name: "receiver", type: "address" },
  { name: "sellAmount", type: "uint256" },
  { name: "buyAmount", type: "uint256" },
  { name: "validTo", type: "uint32" },
  { name: "appData", type: "bytes32" },
  { name: "feeAmount", type: "uint256" },
  { name: "kind", type: "string" },
  { name: "partiallyFillable", type: "bool" },
  { name: "sellTokenBalance", type: "string" },
  { name: "buyTokenBalance", type: "string" },
] as const;

const NO_RECEIVER = `0x${"00".repeat(20)}`;

/**
 * Signs an order with any of the service's four schemes.
 *
 * For a signature with a key, the signer is recovered and compared with the account, and the last
 * byte is 27 or 28, as the settlement contract requires. Keys stay with the signer: this function
 * never sees one, and no error quotes an account's own message.
 *
 * @param signer An account or a wallet client of viem, a wallet (EIP-1193), or an `{ address }` for the
 *   two schemes that need no key.
 * @param domain Chain and settlement contract, from {@linkcode orderDomain}; a book's is `book.domain`.
 * @param order The signed fields, as for {@linkcode orderDigest}.
 * @param options The scheme; for `eip1271` also the bytes that the owner's contract accepts.
 * @returns The fields that an order creation needs in addition to the order's own.
 * @throws {InputError} If a field cannot be signed, the signer cannot or does not sign, or it
 *   returns anything other than its own signature of this order.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/model/src/signature.rs | Signature in the service}
 *
 * @example An order that its owner will pre-sign on-chain
 * ```ts
 * import { signOrder } from "orderlens";
 * import { orderDomain } from "orderlens/evm";
 * import { assertEquals } from "@std/assert";
 *
 * const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
 * const order = {
 *   sellToken: `0x${"a1".repeat(20)}`,
 *   buyToken: `0x${"b2".repeat(20)}`,
 *   sellAmount: 100n,
 *   buyAmount: 90n,
 *   validTo: 1_795_273_344,
 *   appData: `0x${"00".repeat(32)}`,
 *   feeAmount: 0n,
 *   kind: "sell",
 *   partiallyFillable: false,
 * };
 *
 * assertEquals(
 *   await signOrder({ address: `0x${"C3".repeat(20)}` }, domain, order, {
 *     signingScheme: "presign",
 *   }),
 *   { signature: "0x", signingScheme: "presign", from: `0x${"c3".repeat(20)}` },
 * );
 * ```
 */
export async function signOrder(
  signer: OrderSigner,
  domain: OrderDomain,
  order: SignableOrder,
  options: SignOrderOptions = {},
): Promise<OrderSignature> {
  checkOptions(options, OPTIONS, "Cannot sign an order");
  const { signingScheme = "eip712", from, signature } = options;
  const digest = orderDigest(domain, order);
  const what = "the order";
  if (signature !== undefined && signingScheme !== "eip1271") {
    throw new InputError(`Cannot sign the order with ${signingScheme} and a given signature`, {
      remedy: "Omit `signature`: the signer creates it",
    });
  }
  switch (signingScheme) {
    case "presign":
      return { signature: "0x", signingScheme, from: await signerAddress(signer, { from, what }) };
    case "eip1271":
      return {
        signature: contractSignature(signature),
        signingScheme,
        from: await signerAddress(signer, { from, what }),
      };
    case "eip712":
    case "ethsign": {
      const data = orderTypedData(domain, order);
      const made = await requestSignature(signer, { what, data, digest, signingScheme, from });
      return { ...made, signingScheme };
    }
    default:
      throw new InputError(
        `Cannot sign the order with the scheme ${JSON.stringify(signingScheme)}`,
        {
          remedy: "Use eip712, ethsign, presign or eip1271",
        },
      );
  }
}

function contractSignature(signature: string | undefined): string {
  const bytes = signature === undefined ? 0 : Math.max(0, Math.ceil((signature.length - 2) / 2));
  if (signature === undefined) {
    throw new InputError("Cannot sign the order with eip1271 without a signature", {
      remedy: "Pass the bytes that the owner's contract accepts as `signature`",
    });
  }
  hexBytes(signature, { what: "the signature for the owner's contract", bytes });
  return signature;
}

function orderTypedData(domain: OrderDomain, order: SignableOrder): TypedDataToSign {
  return {
    domain,
    types: { EIP712Domain: DOMAIN_FIELDS, Order: ORDER_FIELDS },
    primaryType: "Order",
    message: {
      // Checksums do not affect a digest, and some wallets reject a wrong one.
      sellToken: order.sellToken.toLowerCase(),
      buyToken: order.buyToken.toLowerCase(),
      receiver: order.receiver?.toLowerCase() ?? NO_RECEIVER,
      sellAmount: order.sellAmount,
      buyAmount: order.buyAmount,
      validTo: order.validTo,
      appData: order.appData,
      feeAmount: order.feeAmount,
      kind: order.kind,
      partiallyFillable: order.partiallyFillable,
      sellTokenBalance: order.sellTokenBalance ?? "erc20",
      buyTokenBalance: order.buyTokenBalance ?? "erc20",
    },
  };
}
