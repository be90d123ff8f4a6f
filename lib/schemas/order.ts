import { z } from "zod";
import type { Decimal } from "../units/decimal.ts";
import { defineLeaf, findLeaf, INVALID } from "./codec/compile.ts";
import {
  type Decode,
  type Encode,
  type Guard,
  toDecoder,
  toEncoder,
  toGuard,
  type Unknown,
} from "./codec/codec.ts";
import { documentText } from "./app_data.ts";
import * as wire from "./codec/scalars.ts";
import { sentSince } from "./codec/sent_since.ts";

/** A contract call that is executed before or after an order's trade. */
export interface Interaction {
  /** Contract that is called. */
  target: string;
  /** Native atoms sent along; a hex quantity of an old deployment stays text. */
  value: bigint | string;
  /** Calldata as hex; one old deployment sent a list of byte values. */
  callData: string | readonly number[];
}

const readAtoms = findLeaf(wire.atoms)!.read;
const writeAtoms = findLeaf(wire.atoms)!.write!;
const readBytes = findLeaf(wire.bytes)!.read as (value: unknown) => string | typeof INVALID;

const interactionValue = defineLeaf<bigint | string>({
  expected: "native atoms: wire.decimal digits as text, or a hex quantity",
  read: (value) =>
    typeof value === "string" && /^0x(?:0|[1-9a-f][0-9a-f]{0,63})$/.test(value)
      ? value
      : readAtoms(value) as bigint | typeof INVALID,
  write: (value) => typeof value === "string" ? value : writeAtoms(value),
});

const interactionCallData = defineLeaf<string | readonly number[]>({
  expected: "calldata: 0x and an even number of hex digits",
  read(value): string | readonly number[] | typeof INVALID {
    if (!Array.isArray(value)) return readBytes(value);
    return value.every((byte) => Number.isInteger(byte) && byte >= 0 && byte <= 255)
      ? value as readonly number[]
      : INVALID;
  },
});

export const interaction: z.ZodType<Interaction> = z.looseObject({
  target: wire.address,
  value: interactionValue,
  callData: interactionCallData,
});

/** The placement errors of on-chain orders that the service or its specification names. */
export const PLACEMENT_ERRORS = [
  "QuoteNotFound",
  "ValidToTooFarInFuture",
  "PreValidationError",
  "quoteNotFound",
  "invalidQuote",
  "preValidationError",
  "disabledOrderClass",
  "validToTooFarInTheFuture",
  "invalidOrderData",
  "insufficientFee",
  "nonZeroFee",
  "other",
] as const;

/** The placement errors of on-chain orders that the service or its specification names. */
export type KnownPlacementError = typeof PLACEMENT_ERRORS[number];

/** The reason why an order placed on-chain is not valid. */
export type PlacementError = KnownPlacementError | Unknown;

/** Data specific to an order placed through the EthFlow contract. */
export interface EthflowData {
  /** Expiry that the trader set, in unix seconds; the signed `validTo` is the largest possible. */
  userValidTo: number;
  /**
   * Transaction in which the order was refunded; `null` while it was not. Absent in responses before
   * 2023, where only {@linkcode EthflowData.isRefunded} says whether it was.
   */
  refundTxHash?: string | null;
  /** Whether it was refunded; sent by the service, though removed from its specification. */
  isRefunded?: boolean;
}

/** Data specific to an order placed on-chain. */
export interface OnchainOrderData {
  /** Account that placed the order on-chain. */
  sender: string;
  /** The reason why the placement is not valid; `null` or absent when it is. */
  placementError?: PlacementError | null;
}

const ethflowData: z.ZodType<EthflowData> = z.looseObject({
  userValidTo: wire.integer,
  refundTxHash: sentSince("2023-02-01", z.nullable(wire.hash32)),
  isRefunded: z.exactOptional(wire.boolean),
});

const onchainOrderData: z.ZodType<OnchainOrderData> = z.looseObject({
  sender: wire.address,
  placementError: sentSince("2025-09-29", z.nullable(wire.openEnum(PLACEMENT_ERRORS))),
});

/**
 * The quote stored with an order. For sell orders it is *gross*: scaled to the order's `sellAmount`
 * and before network and volume fees. It differs from the response of `POST quote`, which is net.
 *
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/orderbook/src/database/orders.rs | services}
 */
export interface OrderQuote {
  /** Estimated gas, in gas units; an exact decimal, because the service holds a double. */
  gasAmount: Decimal;
  /** Gas price at quoting, in wei per gas unit. */
  gasPrice: Decimal;
  /** Price of the sell token, in native atoms per sell-token atom. */
  sellTokenPrice: Decimal;
  /** Quoted sell amount, in sell-token atoms. */
  sellAmount: bigint;
  /** Quoted buy amount, in buy-token atoms. */
  buyAmount: bigint;
  /**
   * Network fee at quoting, `ceil(gasAmount * gasPrice / sellTokenPrice)`, in sell-token atoms.
   * Absent in responses before 2026-01-21: `quotedFeeAmount` of `orderlens/metrics` computes it.
   */
  feeAmount?: bigint;
  /** Address of the solver that gave the quote. */
  solver: string;
  /** Whether a simulation confirmed the quote. */
  verified: boolean;
  /** The quoter's execution plan; `null` or absent while the order is open. */
  metadata?: unknown;
}

const orderQuote: z.ZodType<OrderQuote> = z.looseObject({
  gasAmount: wire.decimal,
  gasPrice: wire.decimal,
  sellTokenPrice: wire.decimal,
  sellAmount: wire.atoms,
  buyAmount: wire.atoms,
  feeAmount: sentSince("2026-03-04", wire.atoms),
  solver: wire.address,
  verified: wire.boolean,
  metadata: z.exactOptional(wire.anything),
});

/** The amount that an order fixes: `sell` or `buy`. */
export type OrderKind = "sell" | "buy";

/** The statuses of an open order: it can be filled, or can once it is signed on chain. */
export const OPEN_STATUSES = ["presignaturePending", "open"] as const;

/** The statuses of an open order: it can be filled, or can once it is signed on chain. */
export type OpenOrderStatus = typeof OPEN_STATUSES[number];

/** The statuses of a closed order: it can only leave them through a pending settlement. */
export const CLOSED_STATUSES = ["fulfilled", "cancelled", "expired"] as const;

/** The statuses of a closed order: it can only leave them through a pending settlement. */
export type ClosedOrderStatus = typeof CLOSED_STATUSES[number];

/** The states of an order that the service is known to report. There is none for "partly filled". */
export const ORDER_STATUSES = [...OPEN_STATUSES, ...CLOSED_STATUSES] as const;

/** The states of an order that the service is known to report. There is none for "partly filled". */
export type KnownOrderStatus = typeof ORDER_STATUSES[number];

/** Status of an order, as computed when it was requested. */
export type OrderStatus = KnownOrderStatus | Unknown;

/** The classes that the service is known to report. */
export const ORDER_CLASSES = ["market", "limit", "liquidity"] as const;

/** The classes that the service is known to report. */
export type KnownOrderClass = typeof ORDER_CLASSES[number];

/**
 * Class of an order: currently `limit` for all users' orders, so it does not distinguish market
 * from limit orders; `liquidity` for orders that solvers provide, though the auction's list is
 * authoritative.
 */
export type OrderClass = KnownOrderClass | Unknown;

/** Signing scheme of an order. */
export type SigningScheme = "eip712" | "ethsign" | "presign" | "eip1271" | Unknown;
/** Source of the sell token; new orders use `erc20`. */
export type SellTokenSource = "erc20" | "internal" | "external" | Unknown;
/** Destination of the buy token; new orders use `erc20`. */
export type BuyTokenDestination = "erc20" | "internal" | Unknown;

/** Whether a status is a known one; narrows it to these. */
export const isOrderStatus: Guard<KnownOrderStatus> = toGuard(ORDER_STATUSES);

/** Whether a status is that of an open order; narrows it to these. */
export const isOpenStatus: Guard<OpenOrderStatus> = toGuard(OPEN_STATUSES);

/** Whether a status is that of a closed order; narrows it to these. */
export const isClosedStatus: Guard<ClosedOrderStatus> = toGuard(CLOSED_STATUSES);

/** Schema of {@linkcode OrderKind}: closed, because every formula depends on it. */
export const orderKind: z.ZodType<OrderKind> = wire.closedEnum("sell", "buy");
const orderStatus: z.ZodType<OrderStatus> = wire.openEnum(ORDER_STATUSES);
export const orderClass: z.ZodType<OrderClass> = wire.openEnum(ORDER_CLASSES);
export const signingScheme: z.ZodType<SigningScheme> = wire.openEnum([
  "eip712",
  "ethsign",
  "presign",
  "eip1271",
]);
export const sellTokenSource: z.ZodType<SellTokenSource> = wire.openEnum([
  "erc20",
  "internal",
  "external",
]);
export const buyTokenDestination: z.ZodType<BuyTokenDestination> = wire.openEnum([
  "erc20",
  "internal",
]);

/** Contract calls that belong to an order. */
export interface OrderInteractions {
  /** Called before the trade. */
  pre: readonly Interaction[];
  /** Called after the trade; absent in bodies of 2022. */
  post?: readonly Interaction[];
}

/**
 * One order, as reported by the service. Field names are those of the wire; hex text is
 * unchanged.
 *
 * Fields that orders of every year since 2021 have are required; the others were added or removed.
 */
export interface Order {
  /** Time at which the service received the order. */
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
  /** The amount that is fixed. */
  kind: OrderKind;
  /** Whether it may be partially filled. */
  partiallyFillable: boolean;
  /** Source of the sell token. */
  sellTokenBalance: SellTokenSource;
  /** Destination of the buy token. */
  buyTokenBalance: BuyTokenDestination;
  /** Signing scheme. */
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
  /**
   * All fees taken so far (network and protocol), in atoms of `executedFeeToken`; absent in responses
   * of 2024 and before, which have {@linkcode Order.executedSurplusFee}.
   */
  executedFee?: bigint;
  /** Token of `executedFee`: the sell token today; absent with it. */
  executedFeeToken?: string;
  /** The app data document as text; `null` when the service does not know it. */
  fullAppData?: string | null;
  /** Hash of the app data document, if the service sends it separately. */
  appDataHash?: string;
  /** The quote stored at placement; absent in responses before 2025-03-07. */
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
  /** Time at which `surplusFee` was computed. */
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
  post: sentSince("2024-09-18", z.array(interaction)),
});

export const order: z.ZodType<Order> = z.looseObject({
  creationDate: wire.instant,
  owner: wire.address,
  uid: wire.orderUid,
  executedBuyAmount: wire.totalAtoms,
  executedSellAmount: wire.totalAtoms,
  executedSellAmountBeforeFees: wire.totalAtoms,
  executedFeeAmount: wire.atoms,
  invalidated: wire.boolean,
  status: orderStatus,
  sellToken: wire.address,
  buyToken: wire.address,
  receiver: z.nullable(wire.address),
  sellAmount: wire.atoms,
  buyAmount: wire.atoms,
  validTo: wire.unixSeconds,
  appData: wire.appDataField,
  feeAmount: wire.atoms,
  kind: orderKind,
  partiallyFillable: wire.boolean,
  sellTokenBalance: sellTokenSource,
  buyTokenBalance: buyTokenDestination,
  signingScheme,
  signature: wire.bytes,
  class: sentSince("2024-09-18", orderClass),
  settlementContract: sentSince("2024-09-18", wire.address),
  isLiquidityOrder: sentSince("2024-09-18", wire.boolean),
  executedFee: sentSince("2025-02-14", wire.atoms),
  executedFeeToken: sentSince("2025-02-14", wire.address),
  fullAppData: sentSince("2024-09-18", z.nullable(documentText)),
  appDataHash: z.exactOptional(wire.hash32),
  quote: z.exactOptional(z.nullable(orderQuote)),
  interactions: sentSince("2024-09-18", interactions),
  ethflowData: z.exactOptional(ethflowData),
  onchainOrderData: z.exactOptional(onchainOrderData),
  onchainUser: z.exactOptional(wire.address),
  validFrom: z.exactOptional(z.nullable(wire.unixSeconds)),
  gasCost: z.exactOptional(z.nullable(wire.atoms)),
  availableBalance: z.exactOptional(z.nullable(wire.atoms)),
  from: z.exactOptional(z.nullable(wire.address)),
  quoteId: z.exactOptional(z.nullable(wire.integer)),
  fullBalanceCheck: z.exactOptional(wire.boolean),
  totalFee: z.exactOptional(wire.atoms),
  surplusFee: z.exactOptional(z.nullable(wire.atoms)),
  surplusFeeTimestamp: z.exactOptional(z.nullable(wire.instant)),
  executedSurplusFee: z.exactOptional(z.nullable(wire.atoms)),
  fullFeeAmount: z.exactOptional(wire.atoms),
  solverFee: z.exactOptional(wire.atoms),
});

/**
 * Decodes one order (`GET orders/{uid}` and wherever orders appear).
 *
 * @throws {DecodeError} If the body is not an order.
 * @example Every digit of amounts and times is preserved, and so are unknown fields
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
 *   futureField: true,
 * };
 * const order = decodeOrder(body);
 *
 * assertEquals(order.sellAmount, 1000000000000000001n);
 * assertEquals(order.creationDate.epochNanoseconds % 1_000_000_000n, 123456000n);
 * assertEquals(encodeOrder(order), body);
 * ```
 */
export const decodeOrder: Decode<Order> = toDecoder(order, "an order");

/**
 * Writes an order in its wire format; the inverse of {@linkcode decodeOrder}.
 *
 * @throws {InputError} If the record is not a complete order.
 */
export const encodeOrder: Encode<Order> = toEncoder(order, "an order");

/**
 * The last second in which an order may be filled, in unix seconds: `validTo`, or for an EthFlow
 * order the expiry set by its trader, because its signed expiry is the maximum.
 *
 * @example An EthFlow order
 * ```ts
 * import { effectiveValidTo } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const ethflowData = { userValidTo: 1_800_000_000, refundTxHash: null };
 *
 * assertEquals(effectiveValidTo({ validTo: 4_294_967_295, ethflowData }), 1_800_000_000);
 * ```
 */
export function effectiveValidTo(order: Pick<Order, "validTo" | "ethflowData">): number {
  return order.ethflowData?.userValidTo ?? order.validTo;
}

/**
 * Whether an order for native currency was refunded: by the transaction that the response names, or,
 * in responses before 2023, which name none, because it says so.
 *
 * @example A response of 2022
 * ```ts
 * import { isRefunded } from "orderlens/schemas";
 * import { assertEquals } from "@std/assert";
 *
 * const ethflowData = { userValidTo: 1_670_000_000, isRefunded: true };
 *
 * assertEquals(isRefunded({ ethflowData }), true);
 * assertEquals(isRefunded({ ethflowData: { userValidTo: 1_670_000_000, refundTxHash: null } }), false);
 * ```
 */
export function isRefunded({ ethflowData }: Pick<Order, "ethflowData">): boolean {
  return ethflowData?.refundTxHash != null || ethflowData?.isRefunded === true;
}
