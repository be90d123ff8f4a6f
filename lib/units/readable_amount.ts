import { formatAtoms } from "./format_atoms.ts";

/** Significant digits that are shown of an amount with more than {@linkcode SHORT}. */
const ROUNDED = 6;
/** Amounts of up to this many significant digits are shown whole. */
const SHORT = 8;
/** A token's amounts below a billionth of it are read better in atoms. */
const BILLIONTH_DIGITS = 9;
const MOST_FRACTION_DIGITS = 77;

/**
 * An amount in whole tokens for a reader: whole if it is short, otherwise six significant digits,
 * and never less than all digits before the point. Less than a billionth of a token stays in atoms.
 */
export function readableAmount(atoms: bigint, decimals: number, symbol: string): string {
  const look = { grouping: ",", symbol };
  const digits = atoms.toString().replace("-", "");
  if (atoms !== 0n && digits.length <= decimals - BILLIONTH_DIGITS) return `${atoms} atoms`;
  if (digits.replace(/0+$/, "").length <= SHORT) return formatAtoms(atoms, decimals, look);
  const wholeDigits = digits.length - decimals;
  const fractionDigits = Math.min(Math.max(0, ROUNDED - wholeDigits), MOST_FRACTION_DIGITS);
  return formatAtoms(atoms, decimals, { ...look, fractionDigits, rounding: "halfEven" });
}
