import { type DoubtfulPrices, formatDoubtful } from "../charts/texts/price_text.ts";

/** What some fills add up to. */
export interface FillTotals extends DoubtfulPrices {
  /** Number of fills. */
  readonly fills: number;
  /** Their volume in native atoms; `null` without any. */
  readonly volume: string | null;
  /** Their surplus in native atoms; `null` without any. */
  readonly surplus: string | null;
  /** Number of fills of which a token has no native price, so that prices cannot be compared. */
  readonly uncompared: number;
  /** Volume of the fills whose prices are neither suspect nor absurd, in native atoms. */
  readonly sound_volume: string | null;
  /** Surplus of these fills, in native atoms. */
  readonly sound_surplus: string | null;
  /** When the first of them was, RFC 3339; `null` without a time. */
  readonly first: string | null;
  /** When the last of them was. */
  readonly last: string | null;
}

/** Condition in SQL of rows whose native prices agree, or cannot be compared. */
export const HAS_SOUND_PRICES = "(price_sides IS NULL OR price_sides = 'consistent')";

/**
 * Adds up the table of fills, or those for which a condition in SQL holds.
 *
 * @param ask Runs a query.
 */
export async function sumFillTotals(
  runQuery: (query: string) => Promise<readonly FillTotals[]>,
  condition = "true",
): Promise<FillTotals> {
  const [totals] = await runQuery(
    `SELECT count(*) AS fills, sum(volume_atoms) AS volume, sum(surplus_native_atoms) AS surplus,
      count_if(price_sides = 'absurd') AS absurd, count_if(price_sides = 'suspect') AS suspect,
      count_if(price_sides IS NULL) AS uncompared,
      sum(volume_atoms) FILTER (${HAS_SOUND_PRICES}) AS sound_volume,
      sum(surplus_native_atoms) FILTER (${HAS_SOUND_PRICES}) AS sound_surplus,
      min_by(filled_at, filled_at_utc) AS first, max_by(filled_at, filled_at_utc) AS last
      FROM fills WHERE ${condition}`,
  );
  return totals!;
}

/** Fills that are left out of a total without doubtful prices; `null` where all prices agree. */
export function formatDoubtfulFills(
  doubtful: DoubtfulPrices,
  noun: string,
): string | null {
  const { absurd, suspect } = doubtful;
  return absurd + suspect === 0 ? null : formatDoubtful(doubtful, noun);
}
