/** An operation of the order book, named as in `orderlens`. */
export type Operation =
  | "accountOrders"
  | "appData"
  | "auction"
  | "cancelOrders"
  | "competition"
  | "createOrder"
  | "debugReport"
  | "nativePrice"
  | "notifications"
  | "order"
  | "orderStatus"
  | "orders"
  | "quote"
  | "quotes"
  | "registerAppData"
  | "rpc"
  | "sandbox"
  | "simulation"
  | "tokenMetadata"
  | "totalSurplus"
  | "trades"
  | "transactionOrders"
  | "version";

/** All operations. */
export const OPERATIONS: readonly Operation[] = [
  "accountOrders",
  "appData",
  "auction",
  "cancelOrders",
  "competition",
  "createOrder",
  "debugReport",
  "nativePrice",
  "notifications",
  "order",
  "orderStatus",
  "orders",
  "quote",
  "quotes",
  "registerAppData",
  "rpc",
  "sandbox",
  "simulation",
  "tokenMetadata",
  "totalSurplus",
  "trades",
  "transactionOrders",
  "version",
];
