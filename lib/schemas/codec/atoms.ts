import type { z } from "zod";
import { Decimal } from "../../units/decimal.ts";
import { leaf, REFUSED } from "./leaf.ts";

const MAX_DIGITS = 78;
const LIMIT = 10n ** 78n;

/** What was read last: an amount with and without fees is often the same, one after the other. */
let latestText = "0";
let latestAmount = 0n;

/**
 * `BigInt` rejects anything but digits between the first and the last digit, so only these two are
 * checked.
 */
function readAtoms(value: unknown): bigint | typeof REFUSED {
  if (typeof value !== "string") return REFUSED;
  const { length } = value;
  if (length === 0 || length > MAX_DIGITS) return REFUSED;
  const first = value.charCodeAt(0);
  if (first === 48) return length === 1 ? 0n : REFUSED;
  if (first < 49 || first > 57) return REFUSED;
  const last = value.charCodeAt(length - 1);
  if (last < 48 || last > 57) return REFUSED;
  if (value === latestText) return latestAmount;
  try {
    latestAmount = BigInt(value);
    latestText = value;
    return latestAmount;
  } catch {
    return REFUSED;
  }
}

function writeAtoms(value: bigint): unknown {
  if (typeof value !== "bigint" || value < 0n || value >= LIMIT) return REFUSED;
  return value.toString();
}

/** An amount in atoms: decimal digits, no sign, no leading zero, at most 78 of them. */
export const atoms: z.ZodType<bigint> = leaf({
  expected: "an amount: decimal digits as text, no sign, no leading zero, at most 78",
  read: readAtoms,
  write: writeAtoms,
});

/** Index of the exponent in a text, or -1; checked first, because `BigInt` throws on exponents. */
function exponentIndex(value: string): number {
  const index = value.indexOf("e");
  return index === -1 ? value.indexOf("E") : index;
}

const POWERS_OF_TEN: readonly bigint[] = Array.from(
  { length: MAX_DIGITS },
  (_, exponent) => 10n ** BigInt(exponent),
);

/** The exponent of a text that ends in `e+` and one or two digits; `undefined` for all others. */
function plainExponent(value: string, index: number): number | undefined {
  const digits = value.length - index - 2;
  if (digits < 1 || digits > 2 || value.charCodeAt(index + 1) !== 43) return undefined;
  let exponent = 0;
  for (let at = index + 2; at < value.length; at++) {
    const digit = value.charCodeAt(at) - 48;
    if ((digit >>> 0) > 9) return undefined;
    exponent = exponent * 10 + digit;
  }
  return exponent;
}

/** Converts exponent text to a decimal; the common `100e+16` takes a fast path. */
function readExponent(value: string, index: number): bigint | Decimal | typeof REFUSED {
  if (value.length > MAX_DIGITS) return REFUSED;
  const exponent = plainExponent(value, index);
  const power = exponent === undefined ? undefined : POWERS_OF_TEN[exponent];
  const mantissa = power === undefined ? REFUSED : readAtoms(value.slice(0, index));
  if (power !== undefined && mantissa !== REFUSED) {
    const amount = mantissa * power;
    return amount < LIMIT ? amount : REFUSED;
  }
  const decimal = Decimal.tryParse(value);
  if (decimal === undefined) return REFUSED;
  if (!decimal.isInteger) return decimal;
  const amount = decimal.toBigInt();
  return amount < LIMIT ? amount : REFUSED;
}

/**
 * An amount in atoms that may come as exponent text, such as `"100e+16"`; converted exactly, and
 * written back as plain digits. A value that is not a complete number of atoms is rejected.
 */
export const exponentAtoms: z.ZodType<bigint> = leaf({
  expected: "a whole number of atoms: decimal digits or exponent text, at most 78 digits",
  read(value): bigint | typeof REFUSED {
    if (typeof value !== "string") return REFUSED;
    const index = exponentIndex(value);
    if (index === -1) return readAtoms(value);
    const amount = readExponent(value, index);
    return typeof amount === "bigint" ? amount : REFUSED;
  },
  write: writeAtoms,
});

/**
 * A native price of a debug report: like {@linkcode exponentAtoms}, but a price below one may be a
 * fraction, which stays an exact decimal.
 */
export const exponentPrice: z.ZodType<bigint | Decimal> = leaf<bigint | Decimal>({
  expected: "a price: decimal digits, a decimal number or exponent text, at most 78 digits",
  read(value): bigint | Decimal | typeof REFUSED {
    if (typeof value !== "string" || value.length > MAX_DIGITS) return REFUSED;
    const index = exponentIndex(value);
    if (index !== -1) return readExponent(value, index);
    const amount = readAtoms(value);
    return amount === REFUSED ? Decimal.tryParse(value) ?? REFUSED : amount;
  },
  write: (value) => value instanceof Decimal ? value.toString() : writeAtoms(value),
});
