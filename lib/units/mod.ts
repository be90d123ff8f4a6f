/**
 * Exact arithmetic and formatting: atoms, decimals, basis points, ratios, native prices, time.
 *
 * All functions are pure, work on `bigint`, and name every rounding. An exact amount becomes a
 * `number` only for an axis, through {@linkcode ratioToNumber}; a fee factor, a double on the wire,
 * becomes exact through {@linkcode factorToWad}. Arguments out of range throw `RangeError`,
 * malformed text throws `InputError`. Imports only `errors/`.
 *
 * @module
 */
export { bpsRatio, bpsToRatio, formatBps } from "./bps.ts";
export { Decimal } from "./decimal.ts";
export {
  divide,
  divideDown,
  type DivideOptions,
  divideUp,
  factorToWad,
  mulDivDown,
  mulDivUp,
  mulFloat,
  powerOfTen,
  type Rounding,
} from "./arithmetic.ts";
export {
  type AtomsFormat,
  type AtomsLook,
  type ExactAtomsFormat,
  formatAtoms,
  formatPercent,
  formatRatio,
  formatShare,
  formatSpan,
  type RatioFormat,
  type RoundedAtomsFormat,
  sharePercent,
  type SpanFormat,
} from "./format.ts";
export { formatInstant, nanosecondsBetween, parseInstant } from "./instant.ts";
export { groupByHex, HexMap, sameHex } from "./hex_map.ts";
export { nativeValue, parseAtoms } from "./parse_atoms.ts";
export { atomsToNumber, compareRatios, type Ratio, ratio, ratioToNumber } from "./ratio.ts";
