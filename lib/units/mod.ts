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
export { divide, divideDown, type DivideOptions, divideUp } from "./divide.ts";
export {
  type AtomsFormat,
  type AtomsLook,
  type ExactAtomsFormat,
  formatAtoms,
  type RoundedAtomsFormat,
} from "./format_atoms.ts";
export { formatPercent, formatRatio, type RatioFormat } from "./format_ratio.ts";
export { formatShare } from "./format_share.ts";
export { formatSpan, type SpanFormat } from "./format_span.ts";
export { formatInstant, parseInstant } from "./instant.ts";
export { groupByHex } from "./group_by_hex.ts";
export { HexMap } from "./hex_map.ts";
export { mulDivDown, mulDivUp } from "./mul_div.ts";
export { factorToWad, mulFloat } from "./mul_float.ts";
export { nanosecondsBetween } from "./nanoseconds_between.ts";
export { atomsForNativeValue, formatNativePrice, nativeValue } from "./native_price.ts";
export { parseAtoms } from "./parse_atoms.ts";
export { powerOfTen } from "./power_of_ten.ts";
export { compareRatios, type Ratio, ratio } from "./ratio.ts";
export { atomsToNumber, ratioToNumber } from "./ratio_to_number.ts";
export type { Rounding } from "./rounding.ts";
export { sameHex } from "./same_hex.ts";
export { sharePercent } from "./share_percent.ts";
