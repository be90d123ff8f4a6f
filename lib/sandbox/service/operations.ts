/** What can be asked of the order book, by the names of the front door. */
export const OPERATIONS = [
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
  "tokenMetadata",
  "totalSurplus",
  "trades",
  "transactionOrders",
  "version",
] as const;

/** One thing that can be asked of the order book. */
export type Operation = typeof OPERATIONS[number];
