import { InputError } from "../../errors/mod.ts";
import { checkOptions, oneOf, type OptionRules } from "../../errors/option_rules.ts";
import { asHex, keccak256, packWords, parseHex, ZERO_ADDRESS } from "../hex.ts";
import {
  computeDigest,
  computeOrderUid,
  DOMAIN_FIELDS,
  hashText,
  ORDER_FIELDS,
  orderDigest,
  type SignableOrder,
} from "./order_digest.ts";
import { type OrderDomain, orderDomain } from "./order_uid.ts";
import {
  type OrderSigner,
  recoverSigner,
  requestSignature,
  resolveSigner,
  type SignatureFields,
  type TypedDataToSign,
} from "./request_signature.ts";
import { sameHex } from "../../units/mod.ts";

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
  from: String,
  signature: String,
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
  const subject = "the order";
  if (signature !== undefined && signingScheme !== "eip1271") {
    throw new InputError(`Cannot sign the order with ${signingScheme} and a given signature`, {
      remedy: "Omit `signature`: the signer creates it",
    });
  }
  if (signingScheme === "eip712" || signingScheme === "ethsign") {
    const data = toTypedData(domain, order);
    const result = await requestSignature(signer, {
      what: subject,
      data,
      digest,
      signingScheme,
      from,
    });
    return { ...result, signingScheme };
  }
  const ownSignature = signingScheme === "presign" ? "0x" : requireContractSignature(signature);
  const owner = await resolveSigner(signer, { from, what: subject });
  return { signature: ownSignature, signingScheme, from: owner };
}

/** Requires the bytes that the owner's contract accepts; any number of them. */
function requireContractSignature(signature: string | undefined): string {
  if (signature === undefined) {
    throw new InputError("Cannot sign the order with eip1271 without a signature", {
      remedy: "Pass the bytes that the owner's contract accepts as `signature`",
    });
  }
  const bytes = Math.max(0, Math.ceil((signature.length - 2) / 2));
  parseHex(signature, { what: "the signature for the owner's contract", bytes });
  return signature;
}

function toTypedData(domain: OrderDomain, order: SignableOrder): TypedDataToSign {
  return {
    domain,
    types: { EIP712Domain: DOMAIN_FIELDS, Order: ORDER_FIELDS },
    primaryType: "Order",
    message: {
      // Checksums do not affect a digest, and some wallets reject a wrong one.
      sellToken: order.sellToken.toLowerCase(),
      buyToken: order.buyToken.toLowerCase(),
      receiver: order.receiver?.toLowerCase() ?? ZERO_ADDRESS,
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

/** Options of {@linkcode signCancellations}. */
export interface SignCancellationsOptions {
  /** Signing scheme; the service accepts only these two. @default {"eip712"} */
  readonly signingScheme?: "eip712" | "ethsign";
  /** Account that signs: the owner of all the orders. @default {the account, or a wallet's first} */
  readonly from?: string;
}

const CANCELLATION_OPTIONS: OptionRules<SignCancellationsOptions> = {
  signingScheme: oneOf("eip712", "ethsign"),
  from: String,
};

/**
 * The signed body of a cancellation, as accepted by `cancelOrders` of a book: a
 * {@linkcode SignedCancellations} that {@linkcode signCancellations} made, with one of its two schemes.
 */
export interface CancellationsSignature extends SignedCancellations {
  /** 65 bytes of hex, the last of them 27 or 28. */
  readonly signature: string;
  /** Signing scheme of the signature. */
  readonly signingScheme: "eip712" | "ethsign";
}

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
  checkOptions(options, CANCELLATION_OPTIONS, "Cannot sign cancellations");
  const { signingScheme = "eip712", from } = options;
  const { signature } = await requestSignature(signer, {
    what: "the cancellation",
    data: {
      domain,
      types: {
        EIP712Domain: DOMAIN_FIELDS,
        OrderCancellations: [{ name: "orderUids", type: "bytes[]" }],
      },
      primaryType: "OrderCancellations",
      message: { orderUids },
    },
    digest: cancellationsDigest(domain, orderUids),
    signingScheme,
    from,
  });
  return { orderUids, signature, signingScheme };
}

const CANCELLATIONS_TYPE = "OrderCancellations(bytes[] orderUids)";
const CANCELLATION_TYPE = "OrderCancellation(bytes orderUid)";

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
  return computeDigest(domain, keccak256(words));
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
 * import { assert } from "@std/assert";
 *
 * const uid = `0x${"2a".repeat(56)}`;
 * const domain = orderDomain({ chainId: 1, settlementContract: `0x${"90".repeat(20)}` });
 *
 * assert(cancellationDigest(domain, uid) !== cancellationsDigest(domain, [uid]));
 * ```
 */
export function cancellationDigest(domain: OrderDomain, orderUid: string): string {
  const words = packWords([hashText(CANCELLATION_TYPE), hashUid(orderUid)]);
  return computeDigest(domain, keccak256(words));
}

function hashUid(uid: string): Uint8Array {
  return keccak256(parseHex(uid, { what: "the UID of an order to cancel", bytes: 56 }));
}

/**
 * The body of a cancellation with its wire names, as read back from a request; its scheme may be any
 * text. {@linkcode CancellationsSignature} is one that was signed here.
 */
export interface SignedCancellations extends SignatureFields {
  /** UIDs of the orders to cancel, in the order in which they were signed. */
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

/**
 * Recovers the signer of an order from its signature.
 *
 * `eip712` signs the order's digest, `ethsign` the digest as a personal message (EIP-191). The
 * signer of a valid order is its `owner`. A `presign` order is approved by a transaction, an `eip1271`
 * order by a contract: its signature does not identify a signer, so the result is `null`, and nothing
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
  if (signingScheme === "presign" || signingScheme === "eip1271") return null;
  return await recoverSigner(orderDigest(domain, order), { signature, signingScheme });
}

/** Loads the code that signs; callers that only read, or sign with their own account, do not need it. */
const loadSigning = () => Promise.all([import("viem/accounts"), import("viem/utils")]);
let signing: ReturnType<typeof loadSigning> | undefined;

/** Options of {@linkcode signDigest}. */
interface SignDigestOptions {
  /** `"eip712"` signs the digest itself, `"ethsign"` signs it as a personal message. */
  signingScheme: "eip712" | "ethsign";
  /** The private key; never part of an error or any other text. */
  privateKey: string;
}

/**
 * Signs the digest of an order or of a cancellation with a key; the same key and digest always give
 * the same signature (RFC 6979).
 *
 * The first signature loads the part of viem that handles keys.
 *
 * @returns `r`, `s` and `v` as 65 bytes of hex text; `v` is 27 or 28.
 * @throws {InputError} If the key is invalid; the error does not show it.
 */
export async function signDigest(digest: string, options: SignDigestOptions): Promise<string> {
  const [{ sign }, { hashMessage }] = await (signing ??= loadSigning());
  const raw = asHex(digest);
  const hash = options.signingScheme === "ethsign" ? hashMessage({ raw }) : raw;
  try {
    return await sign({ hash, privateKey: options.privateKey as `0x${string}`, to: "hex" });
  } catch {
    // The cause may quote the key, so it is dropped.
    throw new InputError("Cannot sign the digest with this key", {
      remedy:
        "Pass a private key of 32 bytes as hex text, greater than 0 and below the curve order",
    });
  }
}

/**
 * Finds the domain in which the fields of an order have its UID: that of the deployment, or that of the
 * contract which the order names. Staging has used two contracts, and solvers' orders name one that
 * need not be the deployment's.
 *
 * @returns `null` if they have another UID in both.
 */
export function findDomain(
  domain: OrderDomain,
  uid: string,
  order: SignableOrder & { readonly owner?: string; readonly settlementContract?: string },
): OrderDomain | null {
  const { chainId } = domain;
  const settlementContract = order.settlementContract;
  const domains = [
    domain,
    ...settlementContract === undefined ? [] : [orderDomain({ chainId, settlementContract })],
  ];
  return domains.find((candidate) => sameHex(computeOrderUid(candidate, order), uid)) ?? null;
}

/**
 * Recovers the signer of an order like {@linkcode recoverOrderSigner}; `null` also where that throws,
 * since the signature or a field is missing or invalid.
 */
export async function recoverOrderSignerOrNull(
  domain: OrderDomain,
  order: SignableOrder & Partial<SignatureFields>,
): Promise<string | null> {
  try {
    return await recoverOrderSigner(domain, order);
  } catch (error) {
    if (error instanceof InputError) return null;
    throw error;
  }
}
