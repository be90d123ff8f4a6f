/** One thing that can be asked of the order book, by the names of the front door. */
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
  | "sandbox"
  | "simulation"
  | "tokenMetadata"
  | "totalSurplus"
  | "trades"
  | "transactionOrders"
  | "version";

/** All that can be asked. */
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
  "sandbox",
  "simulation",
  "tokenMetadata",
  "totalSurplus",
  "trades",
  "transactionOrders",
  "version",
];
