import type { z } from "zod";
import { enumOf, openEnum } from "../codec/scalars.ts";
import type { Unknown } from "../codec/unknown_word.ts";

/** Which of its two amounts an order fixes. */
export type OrderKind = "sell" | "buy";

/** The states of an order that the service is known to report. There is none for "partly filled". */
export type KnownOrderStatus =
  | "presignaturePending"
  | "open"
  | "fulfilled"
  | "cancelled"
  | "expired";
/** The statuses of orders that are known. */
export const ORDER_STATUSES: readonly KnownOrderStatus[] = [
  "presignaturePending",
  "open",
  "fulfilled",
  "cancelled",
  "expired",
];
/** The statuses of a closed order: it can only leave them through a pending settlement. */
export type ClosedOrderStatus = "fulfilled" | "cancelled" | "expired";
const CLOSED_STATUSES: readonly ClosedOrderStatus[] = ["fulfilled", "cancelled", "expired"];
/** Status of an order, as computed when it was requested. */
export type OrderStatus = KnownOrderStatus | Unknown;

/** The classes that the service is known to report. */
export type KnownOrderClass = "market" | "limit" | "liquidity";
const ORDER_CLASSES: readonly KnownOrderClass[] = ["market", "limit", "liquidity"];
/**
 * Class of an order: currently `limit` for all users' orders, so it does not distinguish market
 * from limit orders; `liquidity` for orders that solvers provide, though the auction's list is
 * authoritative.
 */
export type OrderClass = KnownOrderClass | Unknown;

/** How an order was signed. */
export type SigningScheme = "eip712" | "ethsign" | "presign" | "eip1271" | Unknown;
/** Where the sell token is taken from; new orders use `erc20`. */
export type SellTokenSource = "erc20" | "internal" | "external" | Unknown;
/** Where the buy token is sent to; new orders use `erc20`. */
export type BuyTokenDestination = "erc20" | "internal" | Unknown;

/** Narrows a status to the known ones. */
export function isOrderStatus(value: string): value is KnownOrderStatus {
  return (ORDER_STATUSES as readonly string[]).includes(value);
}

/** Narrows a status to those of a closed order. */
export function isClosedStatus(value: string): value is ClosedOrderStatus {
  return (CLOSED_STATUSES as readonly string[]).includes(value);
}

/** Narrows a class to the known ones. */
export function isOrderClass(value: string): value is KnownOrderClass {
  return (ORDER_CLASSES as readonly string[]).includes(value);
}

/** Schema of {@linkcode OrderKind}: closed, because every formula depends on it. */
export const orderKind: z.ZodType<OrderKind> = enumOf("sell", "buy");
/** Schema of {@linkcode OrderStatus}. */
export const orderStatus: z.ZodType<OrderStatus> = openEnum(ORDER_STATUSES);
/** Schema of {@linkcode OrderClass}. */
export const orderClass: z.ZodType<OrderClass> = openEnum(ORDER_CLASSES);
/** Schema of {@linkcode SigningScheme}. */
export const signingScheme: z.ZodType<SigningScheme> = openEnum([
  "eip712",
  "ethsign",
  "presign",
  "eip1271",
]);
/** Schema of {@linkcode SellTokenSource}. */
export const sellTokenSource: z.ZodType<SellTokenSource> = openEnum([
  "erc20",
  "internal",
  "external",
]);
/** Schema of {@linkcode BuyTokenDestination}. */
export const buyTokenDestination: z.ZodType<BuyTokenDestination> = openEnum(["erc20", "internal"]);
