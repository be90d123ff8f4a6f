import { mulDivDown } from "../../../units/mod.ts";

/** Atoms of one ether; prices are told for as many atoms of a token. */
export const ETHER = 10n ** 18n;

/**
 * The atoms of a token that so many native atoms buy at its price, rounded down.
 *
 * @param nativeAtoms Native atoms, `0n` or more.
 * @param price Native atoms for 10^18 atoms of the token, above `0n`.
 */
export function atomsWorth(nativeAtoms: bigint, price: bigint): bigint {
  return mulDivDown(nativeAtoms, ETHER, price);
}
