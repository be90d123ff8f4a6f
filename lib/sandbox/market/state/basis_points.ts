import { mulDivDown, mulDivUp } from "../../../units/mod.ts";

const BPS_IN_ONE = 10_000n;

/** An amount and so many basis points of it, rounded down; less than it where they are negative. */
export function plusBpsDown(atoms: bigint, bps: bigint): bigint {
  return mulDivDown(atoms, BPS_IN_ONE + bps, BPS_IN_ONE);
}

/** The same, rounded up. */
export function plusBpsUp(atoms: bigint, bps: bigint): bigint {
  return mulDivUp(atoms, BPS_IN_ONE + bps, BPS_IN_ONE);
}
