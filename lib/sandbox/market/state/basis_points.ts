import { mulDivDown, mulDivUp } from "../../../units/mod.ts";

const BPS_IN_ONE = 10_000n;

/** Adds basis points to an amount, rounded down; negative ones reduce it. */
export function plusBpsDown(atoms: bigint, bps: bigint): bigint {
  return mulDivDown(atoms, BPS_IN_ONE + bps, BPS_IN_ONE);
}

/** Adds basis points to an amount, rounded up. */
export function plusBpsUp(atoms: bigint, bps: bigint): bigint {
  return mulDivUp(atoms, BPS_IN_ONE + bps, BPS_IN_ONE);
}
