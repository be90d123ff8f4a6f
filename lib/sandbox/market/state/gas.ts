import { exactDouble } from "../../../metrics/quotes/exact_double.ts";
import { Decimal } from "../../../units/mod.ts";

/** Gas of a settlement before anything is traded in it. */
const SETTLEMENT_GAS = 106_391;
/** Gas of every pool on the way. */
const POOL_GAS = 92_000;

/** Gas that settling an order through so many pools takes. */
export function gasOf(pools: number): number {
  return SETTLEMENT_GAS + POOL_GAS * pools;
}

/** What a quote stores to tell its network fee: three doubles. */
export interface GasTerms {
  /** Estimated gas, in gas units. */
  readonly gasAmount: number;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Worth of one sell-token atom, in native atoms. */
  readonly sellTokenPrice: number;
}

/** The network fee in sell-token atoms, rounded up in doubles, as the service stores it. */
export function networkFeeAtoms({ gasAmount, gasPrice, sellTokenPrice }: GasTerms): bigint {
  return BigInt(Math.ceil(gasAmount * gasPrice / sellTokenPrice));
}

/** Every digit of a double, as the service prints them: `0.1` is 0.1000000000000000055…. */
export function everyDigit(value: number): Decimal {
  const { mantissa, exponent } = exactDouble(value);
  return exponent >= 0
    ? new Decimal(mantissa << BigInt(exponent), 0)
    : trimmed(mantissa * 5n ** BigInt(-exponent), -exponent);
}

function trimmed(coefficient: bigint, scale: number): Decimal {
  let left = coefficient;
  let digits = scale;
  while (digits > 0 && left % 10n === 0n) {
    left /= 10n;
    digits--;
  }
  return new Decimal(left, digits);
}
