/** The exact value of a double: `mantissa * 2^exponent`. */
export interface ExactDouble {
  /** An integer, `>= 0n`. */
  readonly mantissa: bigint;
  /** Exponent of two. */
  readonly exponent: number;
}

const FRACTION_BITS = 52n;
const FRACTION_MASK = (1n << FRACTION_BITS) - 1n;
const EXPONENT_MASK = 0x7ffn;
/** Exponent of the last bit of the smallest doubles. */
const LEAST_EXPONENT = -1074;

/**
 * The exact value of a double, to repeat in integers what the service computes from doubles.
 *
 * @param value A finite, non-negative double.
 */
export function exactDouble(value: number): ExactDouble {
  const view = new DataView(new ArrayBuffer(8));
  view.setFloat64(0, value);
  const bits = view.getBigUint64(0);
  const fraction = bits & FRACTION_MASK;
  const biased = (bits >> FRACTION_BITS) & EXPONENT_MASK;
  return biased === 0n
    ? { mantissa: fraction, exponent: LEAST_EXPONENT }
    : { mantissa: fraction | (1n << FRACTION_BITS), exponent: LEAST_EXPONENT + Number(biased) - 1 };
}
