import { isWhole } from "../errors/option_rules.ts";
import { InputError } from "../errors/orderlens_error.ts";

const WITH_EXPONENT = /^(0|[1-9][0-9]*)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,4})$/;

function isDigitAt(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code >= 48 && code <= 57;
}

/**
 * Reads text without an exponent. `BigInt` rejects anything but digits between two digits, so only
 * the ends, the character after the point (`0.x4` is not `0x4`) and leading zeros are checked.
 */
function tryParsePlain(text: string): Decimal | undefined {
  const point = text.indexOf(".");
  const integerLength = point === -1 ? text.length : point;
  if (!isDigitAt(text, 0) || !isDigitAt(text, text.length - 1)) return undefined;
  if (text.charCodeAt(0) === 48 && integerLength !== 1) return undefined;
  if (text.includes("e") || text.includes("E")) return undefined;
  try {
    if (point === -1) return new Decimal(BigInt(text), 0);
    if (!isDigitAt(text, point + 1)) return undefined;
    const digits = text.slice(0, point) + text.slice(point + 1);
    return new Decimal(BigInt(digits), text.length - point - 1);
  } catch {
    return undefined;
  }
}

/**
 * An exact non-negative decimal number: `coefficient / 10^scale`.
 *
 * Gas prices, token prices and native prices are decimals on the wire (some are the full expansion
 * of a double, 60 digits long). A `number` would keep 17 of those digits; this keeps all of them.
 * Trailing zeros are kept too, so `toString` returns the text that was parsed; only text with an
 * exponent is returned as the plain digits of the same value.
 *
 * @example Every digit survives, and exponents become plain digits
 * ```ts
 * import { Decimal } from "orderlens";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(Decimal.parse("0.00995007992007992080052414252122616744600236415863037109375").scale, 59);
 * assertEquals(Decimal.parse("4.21E-10").toString(), "0.000000000421");
 * assertEquals(Decimal.parse("100e+16").coefficient, 10n ** 18n);
 * ```
 */
export class Decimal {
  /** All digits as one integer, `>= 0n`. */
  readonly coefficient: bigint;
  /** Number of digits after the decimal point, `>= 0`. */
  readonly scale: number;

  /** Builds `coefficient / 10^scale`; prefer {@linkcode Decimal.parse}. */
  constructor(coefficient: bigint, scale: number) {
    if (coefficient < 0n || !isWhole(scale, 0)) {
      throw new InputError(
        `Cannot build a decimal from coefficient ${coefficient}, scale ${scale}`,
        {
          remedy: "Pass a coefficient of at least 0n and a whole scale of at least 0",
        },
      );
    }
    this.coefficient = coefficient;
    this.scale = scale;
  }

  /**
   * Parses decimal text, plain (`"12.50"`) or with an exponent (`"4.21E-10"`, up to 4 digits of it).
   *
   * @returns The exact value, not rounded.
   * @throws {InputError} If the text is not a non-negative decimal number.
   */
  static parse(text: string): Decimal {
    const decimal = Decimal.tryParse(text);
    if (decimal === undefined) {
      throw new InputError(`Cannot read ${JSON.stringify(text).slice(0, 80)} as a decimal number`, {
        remedy:
          'Pass digits with at most one decimal point and no sign, for example "0.0042" or "4.2e-3"',
      });
    }
    return decimal;
  }

  /** Like {@linkcode Decimal.parse}, but returns `undefined` where that throws. */
  static tryParse(text: string): Decimal | undefined {
    const plain = tryParsePlain(text);
    if (plain !== undefined) return plain;
    const match = WITH_EXPONENT.exec(text);
    if (match === null) return undefined;
    const [, integer, fraction = "", exponent] = match;
    const coefficient = BigInt(integer! + fraction);
    const scale = fraction.length - Number(exponent);
    if (scale < 0) return new Decimal(coefficient * 10n ** BigInt(-scale), 0);
    return new Decimal(coefficient, scale);
  }

  /**
   * Reads a double's shortest decimal text exactly: `0.1` is one tenth, as a JSON body means
   * it.
   *
   * @throws {InputError} If `value` is negative or not finite.
   */
  static fromNumber(value: number): Decimal {
    return Decimal.parse(String(Object.is(value, -0) ? 0 : value));
  }

  /** Whether all digits after the decimal point are zeros. */
  get isInteger(): boolean {
    return this.scale === 0 || this.coefficient % 10n ** BigInt(this.scale) === 0n;
  }

  /**
   * Converts to an integer.
   *
   * @throws {InputError} If the value has a fraction; nothing is rounded.
   */
  toBigInt(): bigint {
    if (!this.isInteger) {
      throw new InputError(`Cannot take ${this} as an integer`, {
        remedy: "Use `coefficient` and `scale`, or round it with `divide`",
      });
    }
    return this.coefficient / 10n ** BigInt(this.scale);
  }

  /** Converts to the nearest double; for axes and for repeating the service's float arithmetic. */
  toNumber(): number {
    return Number(this.toString());
  }

  /** Formats all digits without an exponent, trailing zeros included. */
  toString(): string {
    const digits = this.coefficient.toString();
    if (this.scale === 0) return digits;
    const padded = digits.padStart(this.scale + 1, "0");
    return `${padded.slice(0, -this.scale)}.${padded.slice(-this.scale)}`;
  }

  /** Formats as `toString` does, so that `JSON.stringify` keeps every digit. */
  toJSON(): string {
    return this.toString();
  }
}
