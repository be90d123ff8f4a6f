/** Digits of a limb: as many as fit into a decimal of 64 bits. */
const LIMB_DIGITS = 18;
/** Limbs of an amount: 90 digits, where 2^256 has 78. */
const LIMBS = 5;

/**
 * Formats the SQL of the exact sum of a column of decimal text, for DuckDB and Spark: the sums of its
 * limbs, most significant first, which {@linkcode joinLimbs} joins.
 */
export function formatLimbSums(column: string): string {
  const digits = `lpad(replace(${column}, '-', ''), ${LIMB_DIGITS * LIMBS}, '0')`;
  return Array.from({ length: LIMBS }, (_, index) => {
    const limb = `CAST(substr(${digits}, ${index * LIMB_DIGITS + 1}, ${LIMB_DIGITS}) ` +
      `AS DECIMAL(${LIMB_DIGITS}, 0))`;
    return `CAST(sum(CASE WHEN ${column} LIKE '-%' THEN -${limb} ELSE ${limb} END) AS VARCHAR)`;
  }).join(", ");
}

/** Joins the sums of limbs to one sum; `null` if no row has a value. */
export function joinLimbs(limbs: readonly (string | null)[]): bigint | null {
  if (limbs.some((limb) => limb === null)) return null;
  return limbs.reduce((sum, limb) => sum * 10n ** BigInt(LIMB_DIGITS) + BigInt(limb!), 0n);
}
