import { exactDouble } from "../../../metrics/quotes/exact_double.ts";
import { Decimal } from "../../../units/mod.ts";

/** Base gas of a settlement, without trades. */
const SETTLEMENT_GAS = 106_391;
/** Gas per pool on the route. */
const POOL_GAS = 92_000;

/** Gas to settle an order through a number of pools. */
export function gasOf(pools: number): number {
  return SETTLEMENT_GAS + POOL_GAS * pools;
}

/** The three doubles of a quote that determine its network fee. */
export interface GasTerms {
  /** Estimated gas, in gas units. */
  readonly gasAmount: number;
  /** Gas price, in wei per gas unit. */
  readonly gasPrice: number;
  /** Native value of one sell-token atom, in native atoms. */
  readonly sellTokenPrice: number;
}

/** The network fee in sell-token atoms, computed in doubles and rounded up, as in the service. */
export function networkFeeAtoms({ gasAmount, gasPrice, sellTokenPrice }: GasTerms): bigint {
  return BigInt(Math.ceil(gasAmount * gasPrice / sellTokenPrice));
}

/** A double with every digit, as the service prints it: `0.1` is 0.1000000000000000055…. */
export function exactDecimal(value: number): Decimal {
  const { mantissa, exponent } = exactDouble(value);
  return exponent >= 0
    ? new Decimal(mantissa << BigInt(exponent), 0)
    : trimmed(mantissa * 5n ** BigInt(-exponent), -exponent);
}

function trimmed(coefficient: bigint, scale: number): Decimal {
  let mantissa = coefficient;
  let digits = scale;
  while (digits > 0 && mantissa % 10n === 0n) {
    mantissa /= 10n;
    digits--;
  }
  return new Decimal(mantissa, digits);
}
