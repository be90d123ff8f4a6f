import type { z } from "zod";
import { enumOf, openEnum } from "./scalars.ts";
import type { Unknown } from "./unknown_word.ts";

/** Which of its two amounts an order fixes. */
export type OrderKind = "sell" | "buy";

/** The states of an order that the service is known to report. There is none for "partly filled". */
export type KnownOrderStatus =
  | "presignaturePending"
  | "open"
  | "fulfilled"
  | "cancelled"
  | "expired";
const ORDER_STATUSES: readonly KnownOrderStatus[] = [
  "presignaturePending",
  "open",
  "fulfilled",
  "cancelled",
  "expired",
];
/** The states in which an order is over: it leaves them only by a settlement already on its way. */
export type ClosedOrderStatus = "fulfilled" | "cancelled" | "expired";
const CLOSED_STATUSES: readonly ClosedOrderStatus[] = ["fulfilled", "cancelled", "expired"];
/** State of an order, as calculated when it was asked for. */
export type OrderStatus = KnownOrderStatus | Unknown;

/** The classes that the service is known to report. */
export type KnownOrderClass = "market" | "limit" | "liquidity";
const ORDER_CLASSES: readonly KnownOrderClass[] = ["market", "limit", "liquidity"];
/**
 * Class of an order: `limit` for all users' orders today, so it does not tell market from limit orders;
 * `liquidity` for orders that solvers bring, though the auction's list decides what those are.
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

/** Narrows a status to those in which an order is over. */
export function isClosedStatus(value: string): value is ClosedOrderStatus {
  return (CLOSED_STATUSES as readonly string[]).includes(value);
}

/** Narrows a class to the known ones. */
export function isOrderClass(value: string): value is KnownOrderClass {
  return (ORDER_CLASSES as readonly string[]).includes(value);
}

/** Declares {@linkcode OrderKind}: closed, because every formula depends on it. */
export const orderKind: z.ZodType<OrderKind> = enumOf("sell", "buy");
/** Declares {@linkcode OrderStatus}. */
export const orderStatus: z.ZodType<OrderStatus> = openEnum(ORDER_STATUSES);
/** Declares {@linkcode OrderClass}. */
export const orderClass: z.ZodType<OrderClass> = openEnum(ORDER_CLASSES);
/** Declares {@linkcode SigningScheme}. */
export const signingScheme: z.ZodType<SigningScheme> = openEnum([
  "eip712",
  "ethsign",
  "presign",
  "eip1271",
]);
/** Declares {@linkcode SellTokenSource}. */
export const sellTokenSource: z.ZodType<SellTokenSource> = openEnum([
  "erc20",
  "internal",
  "external",
]);
/** Declares {@linkcode BuyTokenDestination}. */
export const buyTokenDestination: z.ZodType<BuyTokenDestination> = openEnum(["erc20", "internal"]);
