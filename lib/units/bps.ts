import { InputError } from "../errors/mod.ts";
import { powerOfTen } from "./arithmetic.ts";
import { formatRatio, type RatioFormat } from "./format.ts";
import { readDigits } from "./parse_atoms.ts";
import { type Ratio, ratio } from "./ratio.ts";

const BPS_IN_ONE = 10_000n;

/**
 * Expresses a part of a whole in basis points, exactly: `10^4 * part / whole`. The result counts basis
 * points; it is no fraction of one, as {@linkcode bpsToRatio} returns.
 *
 * @param part Any integer, in the unit of `whole`.
 * @param whole Any integer except `0n`.
 * @returns Basis points: `100` is one percent; negative if exactly one argument is negative.
 * @throws {RangeError} If `whole` is `0n`.
 *
 * @example Three out of a thousand
 * ```ts
 * import { bpsRatio, ratioToNumber } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(ratioToNumber(bpsRatio(3n, 1_000n)), 30);
 * ```
 */
export function bpsRatio(part: bigint, whole: bigint): Ratio {
  if (whole === 0n) {
    throw new RangeError(
      `Cannot express ${part} of ${whole} in basis points: the whole must not be 0`,
    );
  }
  return ratio(part * BPS_IN_ONE, whole);
}

/**
 * Converts basis points to a fraction of one: `bps / 10^4`. A result of {@linkcode bpsRatio} is still in
 * basis points, 10^4 times as large.
 *
 * @param bps Basis points as an integer, or as decimal text if they have a fraction: the service
 * sends `protocolFeeBps` as text such as `"0.3"`. A `number` with a fraction is rejected, because
 * it is not the decimal it looks like.
 * @returns The exact fraction: 1/100 for `100`; at most 77 fraction digits are accepted.
 * @throws {InputError} If the text is not a decimal number, or the `number` is not a safe integer.
 *
 * @example Three tenths of a basis point
 * ```ts
 * import { bpsToRatio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(bpsToRatio("0.3"), { numerator: 3n, denominator: 100_000n });
 * assertEquals(bpsToRatio(25), { numerator: 25n, denominator: 10_000n });
 * ```
 */
export function bpsToRatio(bps: bigint | number | string): Ratio {
  if (typeof bps === "bigint") return ratio(bps, BPS_IN_ONE);
  if (typeof bps === "number") {
    if (!Number.isSafeInteger(bps)) {
      throw new InputError(
        `Cannot read the number ${bps} as basis points: it is not a safe integer`,
        { remedy: `Pass basis points with a fraction as text, for example "0.3"` },
      );
    }
    return ratio(BigInt(bps), BPS_IN_ONE);
  }
  const { coefficient, fractionDigits } = readDigits(bps, {
    noun: "basis points",
    maxFractionDigits: 77,
  });
  return ratio(coefficient, BPS_IN_ONE * powerOfTen(fractionDigits));
}

/**
 * Formats basis points with their unit.
 *
 * @param bps A ratio in basis points, as {@linkcode bpsRatio} returns it; not a fraction of one.
 * @returns The text of {@linkcode formatRatio} followed by ` bps`.
 * @throws {RangeError} If `digits` is not a whole number from 0 to 100, or the denominator is not
 * positive.
 *
 * @example A surplus of 1 in 700
 * ```ts
 * import { formatBps } from "orderlens";
 * import { bpsRatio } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(formatBps(bpsRatio(1n, 700n), { digits: 1, rounding: "halfEven" }), "14.3 bps");
 * ```
 */
export function formatBps(bps: Ratio, format: RatioFormat): string {
  return `${formatRatio(bps, format)} bps`;
}
