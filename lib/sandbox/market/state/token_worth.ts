import { mulDivDown } from "../../../units/mod.ts";

/** Atoms of one ether; native prices are per this many atoms of a token. */
export const ETHER = 10n ** 18n;

/**
 * Converts native atoms to atoms of a token at its price, rounded down.
 *
 * @param nativeAtoms Native atoms, `0n` or more.
 * @param price Native atoms per 10^18 atoms of the token, above `0n`.
 */
export function atomsWorth(nativeAtoms: bigint, price: bigint): bigint {
  return mulDivDown(nativeAtoms, ETHER, price);
}
