/** What some fills add up to. */
export interface FillTotals {
  /** Number of fills. */
  readonly fills: number;
  /** Their volume in native atoms; `null` without any. */
  readonly volume: string | null;
  /** Their surplus in native atoms; `null` without any. */
  readonly surplus: string | null;
  /** When the first of them was, RFC 3339; `null` without a time. */
  readonly first: string | null;
  /** When the last of them was. */
  readonly last: string | null;
}

/**
 * Adds up the table of fills, or those for which a condition in SQL holds.
 *
 * @param ask Runs a query.
 */
export async function fillTotals(
  ask: (query: string) => Promise<readonly FillTotals[]>,
  condition = "true",
): Promise<FillTotals> {
  const [totals] = await ask(
    `SELECT count(*) AS fills, sum(volume_atoms) AS volume, sum(surplus_native_atoms) AS surplus,
      min(filled_at) AS first, max(filled_at) AS last FROM fills WHERE ${condition}`,
  );
  return totals!;
}
