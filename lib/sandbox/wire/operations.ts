/** All operations of the order book, named as in `orderlens`. */
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
  "rpc",
  "sandbox",
  "simulation",
  "tokenMetadata",
  "totalSurplus",
  "trades",
  "transactionOrders",
  "version",
] as const;

/** An operation of the order book, named as in `orderlens`. */
export type Operation = (typeof OPERATIONS)[number];
