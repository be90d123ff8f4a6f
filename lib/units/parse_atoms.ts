import { InputError } from "../errors/mod.ts";
import { divide, powerOfTen } from "./arithmetic.ts";
import { Decimal } from "./decimal.ts";

/**
 * Parses decimal text in whole tokens as an amount of atoms, exactly: `text * 10^decimals`.
 *
 * Nothing is rounded or guessed: text with more fraction digits than the token has decimals, or
 * with ambiguous separators, is rejected. Accepts every text that {@linkcode formatAtoms} writes
 * without grouping, symbol and added zeros.
 *
 * @param text Digits, optionally with a sign, and with a decimal point and more digits for a
 * fraction. At most `decimals` fraction digits, zeros included.
 * @param decimals Decimals of the token, a whole number from 0 to 77.
 * @returns Atoms; negative if the text is.
 * @throws {InputError} If the text is empty, has an exponent, separators, spaces or anything else
 * that is not a digit, or more than `decimals` fraction digits.
 * @throws {RangeError} If `decimals` is not a whole number from 0 to 77.
 *
 * @example An amount a person typed
 * ```ts
 * import { InputError, parseAtoms } from "orderlens";
 * import { assertEquals, assertThrows } from "@std/assert";
 *
 * assertEquals(parseAtoms("1.5", 6), 1_500_000n);
 * assertEquals(parseAtoms("-0.000001", 6), -1n);
 * assertThrows(() => parseAtoms("0.0000001", 6), InputError, "7 fraction digits");
 * ```
 */
export function parseAtoms(text: string, decimals: number): bigint {
  const unit = powerOfTen(decimals);
  const { coefficient, fractionDigits } = readDigits(text, {
    noun: `an amount with ${decimals} decimal${decimals === 1 ? "" : "s"}`,
    maxFractionDigits: decimals,
  });
  return coefficient * (unit / powerOfTen(fractionDigits));
}

/** A decimal number as written: `coefficient / 10^fractionDigits`. */
interface Digits {
  /** All digits as one integer, with the sign. */
  coefficient: bigint;
  /** Number of digits after the decimal point. */
  fractionDigits: number;
}

/** Options of {@linkcode readDigits}. */
interface ReadDigitsOptions {
  /** The noun for messages, such as `an amount with 6 decimals`. */
  noun: string;
  /** Maximum number of fraction digits. */
  maxFractionDigits: number;
}

const DECIMAL = /^([+-]?)([0-9]+)(?:\.([0-9]+))?$/;

/** Parses strict decimal text: an optional sign, digits, and an optional point with digits. */
export function readDigits(text: string, options: ReadDigitsOptions): Digits {
  const match = DECIMAL.exec(text);
  if (match === null) throw createInputError(text, options, findFault(text));
  const [, sign = "", integer = "", fraction = ""] = match;
  if (fraction.length > options.maxFractionDigits) {
    throw createInputError(text, options, {
      reason: `it has ${
        formatDigitCount(fraction.length)
      }, but at most ${options.maxFractionDigits} fit`,
      remedy: options.maxFractionDigits === 0
        ? "Pass a whole number: round it first, in the direction that suits its use"
        : `Round it to ${
          formatDigitCount(options.maxFractionDigits)
        } first, in the direction that suits its use`,
    });
  }
  const magnitude = BigInt(integer + fraction);
  return {
    coefficient: sign === "-" ? -magnitude : magnitude,
    fractionDigits: fraction.length,
  };
}

interface Fault {
  reason: string;
  remedy: string;
}

function findFault(text: string): Fault {
  const plain = 'Pass digits only, with one "." before the fraction, for example "1234.5"';
  if (text === "") return { reason: "it is empty", remedy: plain };
  if (/^[+-]?[0-9.]+e[+-]?[0-9]+$/i.test(text)) {
    return { reason: "it has an exponent", remedy: "Write out all digits" };
  }
  if (/^[+-]?[0-9]+(?:[,_'\s\u2019][0-9]+)+(?:\.[0-9]*)?$/.test(text)) {
    return {
      reason: "it has separators between digits",
      remedy: 'Remove the separators; "." starts the fraction',
    };
  }
  if (/^\s|\s$/.test(text)) {
    return { reason: "it has leading or trailing spaces", remedy: "Remove the spaces" };
  }
  if (/^[+-]?[0-9]*\.[0-9]*$/.test(text)) {
    return { reason: 'it needs digits on both sides of "."', remedy: 'Write it as "0.5" or "5.0"' };
  }
  return { reason: "it is not a decimal number", remedy: plain };
}

function createInputError(
  text: string,
  options: ReadDigitsOptions,
  { reason, remedy }: Fault,
): InputError {
  const excerpt = text.length > 80 ? `${text.slice(0, 80)}…` : text;
  return new InputError(`Cannot read ${JSON.stringify(excerpt)} as ${options.noun}: ${reason}`, {
    remedy,
  });
}

function formatDigitCount(digits: number): string {
  return digits === 1 ? "1 fraction digit" : `${digits} fraction digits`;
}

const PRICE_SCALE_DECIMALS = 18;
/** Decimals of the native token of every network. */
export const NATIVE_DECIMALS = 18;
/** A native price is in native atoms and for 10^18 atoms, so whole tokens need both scales. */
export const PRICE_AND_NATIVE_DECIMALS: number = PRICE_SCALE_DECIMALS + NATIVE_DECIMALS;

/**
 * Values an amount of a token in the native token: `floor(atoms * price / 10^18)`.
 *
 * Rounds down because the service does, so that scores agree to the atom.
 *
 * @param atoms Token atoms, any integer.
 * @param price Native price of the token: native atoms per 10^18 token atoms, `>= 0n`. Auctions have
 * whole ones, debug reports also fractions, whose every digit counts.
 * @returns Native atoms; a negative amount rounds away from zero, to the lower integer.
 * @throws {RangeError} If `price` is negative.
 * @see {@link https://github.com/cowprotocol/services/blob/6a3eb4265/crates/winner-selection/src/arbitrator.rs | scores of the service}
 *
 * @example 25 USDC at 0.0004 ETH each
 * ```ts
 * import { nativeValue } from "orderlens/units";
 * import { assertEquals } from "@std/assert";
 *
 * const usdcPrice = 400_000_000_000_000_000_000_000_000n;
 *
 * assertEquals(nativeValue(25_000_000n, usdcPrice), 10_000_000_000_000_000n);
 * ```
 */
export function nativeValue(atoms: bigint, price: bigint | Decimal): bigint {
  const { coefficient, scale } = price instanceof Decimal
    ? price
    : { coefficient: price, scale: 0 };
  if (coefficient < 0n) {
    throw new RangeError(
      `Cannot value ${atoms} atoms at a native price of ${price}: the price must not be negative`,
    );
  }
  return divide(atoms * coefficient, 10n ** BigInt(PRICE_SCALE_DECIMALS + scale), {
    rounding: "floor",
  });
}
