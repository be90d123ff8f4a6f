import { z } from "zod";
import { atoms } from "../codec/atoms.ts";
import { decode, type DecodeOptions } from "../codec/decode.ts";
import { encode } from "../codec/encode.ts";
import { address, appDataField, bytes, hash32, orderUid } from "../codec/hex.ts";
import { type Interaction, interaction } from "./interaction.ts";
import {
  type EthflowData,
  ethflowData,
  type OnchainOrderData,
  onchainOrderData,
} from "./onchain_order.ts";
import { type OrderQuote, orderQuote } from "./order_quote.ts";
import {
  type BuyTokenDestination,
  buyTokenDestination,
  type OrderClass,
  orderClass,
  type OrderKind,
  orderKind,
  type OrderStatus,
  orderStatus,
  type SellTokenSource,
  sellTokenSource,
  type SigningScheme,
  signingScheme,
} from "./order_words.ts";
import { boolean, instant, integer, text, unixSeconds } from "../codec/scalars.ts";

/** Contract calls that belong to an order. */
export interface OrderInteractions {
  /** Called before the trade. */
  pre: readonly Interaction[];
  /** Called after the trade; absent in bodies of 2022. */
  post?: readonly Interaction[];
}

/**
 * One order, as reported by the service. Field names are those of the wire; hex text is kept as
 * sent.
 *
 * Fields that orders of every year since 2021 have are required; the others were added or removed.
 */
export interface Order {
  /** When the service received the order. */
  creationDate: Temporal.Instant;
  /** Account or contract that signed the order. */
  owner: string;
  /** 56-byte id: order digest, owner, `validTo`. */
  uid: string;
  /** Bought so far, in buy-token atoms. */
  executedBuyAmount: bigint;
  /** Sold so far, in sell-token atoms, with the legacy signed fee. */
  executedSellAmount: bigint;
  /** Sold so far, in sell-token atoms, without the legacy signed fee. */
  executedSellAmountBeforeFees: bigint;
  /** Legacy signed fee taken so far, in sell-token atoms; `0n` for current orders. */
  executedFeeAmount: bigint;
  /** Whether the order was cancelled off-chain. */
  invalidated: boolean;
  /** Status when the order was requested. */
  status: OrderStatus;
  /** Token sold. */
  sellToken: string;
  /** Token bought. */
  buyToken: string;
  /** Receiver of the buy token; `null` means the owner. */
  receiver: string | null;
  /** Limit amount to sell, in sell-token atoms. */
  sellAmount: bigint;
  /** Limit amount to buy, in buy-token atoms. */
  buyAmount: bigint;
  /** Signed expiry, in unix seconds; 4294967295 for EthFlow orders. */
  validTo: number;
  /** Hash of the app data document that was signed. */
  appData: string;
  /** Legacy signed fee, in sell-token atoms. */
  feeAmount: bigint;
  /** Which amount is fixed. */
  kind: OrderKind;
  /** Whether it may be partially filled. */
  partiallyFillable: boolean;
  /** Where the sell token is taken from. */
  sellTokenBalance: SellTokenSource;
  /** Where the buy token is sent to. */
  buyTokenBalance: BuyTokenDestination;
  /** How the order was signed. */
  signingScheme: SigningScheme;
  /** The signature; for `presign` the owner's address or nothing. */
  signature: string;
  /**
   * Class; currently `limit` for all users' orders, `liquidity` for orders that solvers provide.
   */
  class?: OrderClass;
  /**
   * Settlement contract that the order was signed for; for an order that a solver provided always
   * the public one, whatever the deployment.
   */
  settlementContract?: string;
  /** Whether the order only provides liquidity. */
  isLiquidityOrder?: boolean;
  /** All fees taken so far (network and protocol), in atoms of `executedFeeToken`. */
  executedFee?: bigint;
  /** Token of `executedFee`; the sell token today. */
  executedFeeToken?: string;
  /** The app data document as text; `null` when the service does not know it. */
  fullAppData?: string | null;
  /** Hash of the app data document, if the service sends it separately. */
  appDataHash?: string;
  /** The quote stored at placement. */
  quote?: OrderQuote | null;
  /** Contract calls before and after the trade. */
  interactions?: OrderInteractions;
  /** Set for EthFlow orders. */
  ethflowData?: EthflowData;
  /** Set for orders placed on-chain. */
  onchainOrderData?: OnchainOrderData;
  /** The trader behind an order placed on-chain. */
  onchainUser?: string;
  /** Earliest time to enter an auction, in unix seconds. */
  validFrom?: number | null;
  /** Gas actually paid for the order's fills, in native atoms. */
  gasCost?: bigint | null;
  /** Unused by the service; `null`. */
  availableBalance?: bigint | null;
  /** Signer, where the body repeats it. */
  from?: string | null;
  /** Quote the order was placed with. */
  quoteId?: number | null;
  /** Whether the whole balance was checked at placement. */
  fullBalanceCheck?: boolean;
  /** Sum of all fees, as computed by clients in 2023, in sell-token atoms. */
  totalFee?: bigint;
  /** Fee the solver was to take (2022 to 2023), in sell-token atoms. */
  surplusFee?: bigint | null;
  /** When `surplusFee` was computed. */
  surplusFeeTimestamp?: Temporal.Instant | null;
  /** Fee the solver took (2023 to 2024), in sell-token atoms. */
  executedSurplusFee?: bigint | null;
  /** Legacy fee before discounts, in sell-token atoms. */
  fullFeeAmount?: bigint;
  /** Legacy fee shown to solvers, in sell-token atoms. */
  solverFee?: bigint;
}

const interactions: z.ZodType<OrderInteractions> = z.looseObject({
  pre: z.array(interaction),
  post: z.exactOptional(z.array(interaction)),
});

/** Schema of {@linkcode Order}. */
export const order: z.ZodType<Order> = z.looseObject({
  creationDate: instant,
  owner: address,
  uid: orderUid,
  executedBuyAmount: atoms,
  executedSellAmount: atoms,
  executedSellAmountBeforeFees: atoms,
  executedFeeAmount: atoms,
  invalidated: boolean,
  status: orderStatus,
  sellToken: address,
  buyToken: address,
  receiver: z.nullable(address),
  sellAmount: atoms,
  buyAmount: atoms,
  validTo: unixSeconds,
  appData: appDataField,
  feeAmount: atoms,
  kind: orderKind,
  partiallyFillable: boolean,
  sellTokenBalance: sellTokenSource,
  buyTokenBalance: buyTokenDestination,
  signingScheme,
  signature: bytes,
  class: z.exactOptional(orderClass),
  settlementContract: z.exactOptional(address),
  isLiquidityOrder: z.exactOptional(boolean),
  executedFee: z.exactOptional(atoms),
  executedFeeToken: z.exactOptional(address),
  fullAppData: z.exactOptional(z.nullable(text)),
  appDataHash: z.exactOptional(hash32),
  quote: z.exactOptional(z.nullable(orderQuote)),
  interactions: z.exactOptional(interactions),
  ethflowData: z.exactOptional(ethflowData),
  onchainOrderData: z.exactOptional(onchainOrderData),
  onchainUser: z.exactOptional(address),
  validFrom: z.exactOptional(z.nullable(unixSeconds)),
  gasCost: z.exactOptional(z.nullable(atoms)),
  availableBalance: z.exactOptional(z.nullable(atoms)),
  from: z.exactOptional(z.nullable(address)),
  quoteId: z.exactOptional(z.nullable(integer)),
  fullBalanceCheck: z.exactOptional(boolean),
  totalFee: z.exactOptional(atoms),
  surplusFee: z.exactOptional(z.nullable(atoms)),
  surplusFeeTimestamp: z.exactOptional(z.nullable(instant)),
  executedSurplusFee: z.exactOptional(z.nullable(atoms)),
  fullFeeAmount: z.exactOptional(atoms),
  solverFee: z.exactOptional(atoms),
});

/**
 * Decodes one order (`GET orders/{uid}` and wherever orders appear).
 *
 * @throws {DecodeError} If the body is not an order.
 * @example Every digit of amounts and times is kept, and unknown fields too
 * ```ts
 * import { decodeOrder, encodeOrder } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const body = {
 *   uid: `0x${"ab".repeat(56)}`,
 *   owner: `0x${"02".repeat(20)}`,
 *   creationDate: "2026-11-21T15:00:00.123456Z",
 *   status: "open",
 *   kind: "sell",
 *   partiallyFillable: false,
 *   sellToken: `0x${"aa".repeat(20)}`,
 *   buyToken: `0x${"bb".repeat(20)}`,
 *   receiver: null,
 *   sellAmount: "1000000000000000001",
 *   buyAmount: "2500000000",
 *   feeAmount: "0",
 *   validTo: 1795275000,
 *   appData: `0x${"00".repeat(32)}`,
 *   executedSellAmount: "0",
 *   executedSellAmountBeforeFees: "0",
 *   executedBuyAmount: "0",
 *   executedFeeAmount: "0",
 *   invalidated: false,
 *   sellTokenBalance: "erc20",
 *   buyTokenBalance: "erc20",
 *   signingScheme: "presign",
 *   signature: "0x",
 *   aFieldOfTomorrow: true,
 * };
 * const order = decodeOrder(body);
 *
 * assertEquals(order.sellAmount, 1000000000000000001n);
 * assertEquals(order.creationDate.epochNanoseconds % 1_000_000_000n, 123456000n);
 * assertEquals(encodeOrder(order), body);
 * ```
 */
export function decodeOrder(body: unknown, options: DecodeOptions = {}): Order {
  return decode(order, body, "an order", options);
}

/**
 * Writes an order in its wire format; the inverse of {@linkcode decodeOrder}.
 *
 * @throws {InputError} If the record is not a complete order.
 */
export function encodeOrder(record: Order): unknown {
  return encode(order, record, "an order");
}
