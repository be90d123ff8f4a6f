import { ratio } from "../../units/ratio.ts";
import { ratioToNumber } from "../../units/ratio_to_number.ts";
import { printable } from "./printable.ts";

const AMOUNT = /^-?[0-9]+$/;
const LIMB = 10n ** 18n;

/** A function on amounts as decimal text: no argument is null, and bad text is an error. */
export interface ExactFunction {
  /** Its name in SQL. */
  readonly name: string;
  /** Names of its arguments. */
  readonly parameters: readonly string[];
  /** What it returns, for the data dictionary. */
  readonly text: string;
  /** Whether its values are amounts, as decimal text, or doubles. */
  readonly returns: "amount" | "double";
  /** Computes one value; `null` where there is none. */
  readonly compute: (...amounts: bigint[]) => bigint | number | null;
}

/** The six functions that every engine provides: whole numbers of any size and either sign. */
export const EXACT_FUNCTIONS: readonly ExactFunction[] = [
  {
    name: "u_muldiv",
    parameters: ["a", "b", "c"],
    text: "a * b / c, rounded down (towards minus infinity)",
    returns: "amount",
    compute: (a, b, c) => dividedDown(a! * b!, c!),
  },
  {
    name: "u_muldiv_up",
    parameters: ["a", "b", "c"],
    text: "a * b / c, rounded up (towards plus infinity)",
    returns: "amount",
    compute: (a, b, c) => -dividedDown(-a! * b!, c!),
  },
  {
    name: "u_sub",
    parameters: ["a", "b"],
    text: "a - b, with a minus sign if negative",
    returns: "amount",
    compute: (a, b) => a! - b!,
  },
  {
    name: "u_add",
    parameters: ["a", "b"],
    text: "a + b",
    returns: "amount",
    compute: (a, b) => a! + b!,
  },
  {
    name: "u_join",
    parameters: ["a", "b", "c", "d", "e"],
    text: "the number with these limbs of 18 digits, the most significant first; u_sum adds by it",
    returns: "amount",
    compute: (...limbs) => limbs.reduce((sum, limb) => sum * LIMB + limb, 0n),
  },
  {
    name: "u_quotient",
    parameters: ["a", "n", "d"],
    text: "a * n / d as the nearest double, rounded once, half to even; null if d is 0",
    returns: "double",
    compute: (a, n, d) => d === 0n ? null : ratioToNumber(ratio(a! * n!, d!)),
  },
];

/**
 * Reads an amount as decimal text: digits, after a minus sign if negative.
 *
 * @throws {RangeError} If it is anything else, such as `1e20`, `1.6` or an empty text.
 */
export function amountOf(text: string): bigint {
  if (AMOUNT.test(text)) return BigInt(text);
  throw new RangeError(
    `"${printable(text.slice(0, 100))}" is not a whole number in decimal digits`,
  );
}

function dividedDown(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) throw new RangeError("division by zero");
  const quotient = numerator / denominator;
  const isExact = quotient * denominator === numerator;
  return isExact || (numerator < 0n) === (denominator < 0n) ? quotient : quotient - 1n;
}
