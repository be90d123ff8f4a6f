/**
 * What can be measured on decoded records, exactly: one file per quantity.
 *
 * Pure functions: records in, `bigint` atoms and exact ratios out. Every division names its
 * rounding, every docstring its formula and the place in the service that it comes from. An answer
 * that the records do not allow is a reason, never a number.
 *
 * @module
 */
export { exchangedSellAmount, type Fill, type OrderLimit, type OrderPair } from "./fill.ts";
export { scaledLimit, surplusOverLimit } from "./surplus_over_limit.ts";
