import { type DoubtfulPrices, formatDoubtful } from "../charts/texts/price_text.ts";
import { type Cell, cell } from "../reports/page/page_content.ts";
import { writeMinus } from "../units/format.ts";
import { formatAtoms } from "../units/mod.ts";

/** Totals of fills. */
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
  /** Time of the first of them, RFC 3339; `null` without a time. */
  readonly first: string | null;
  /** Time of the last of them. */
  readonly last: string | null;
}

/** Condition in SQL of rows whose native prices agree, or cannot be compared. */
export const HAS_SOUND_PRICES = "(price_sides IS NULL OR price_sides = 'consistent')";

/**
 * Sums the table of fills, or those that match a condition in SQL.
 *
 * @param runQuery Runs a query.
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

/** Formats the fills that a total without doubtful prices omits; `null` where all prices agree. */
export function formatOmitted(
  doubtful: DoubtfulPrices,
  noun: string,
): string | null {
  const { absurd, suspect } = doubtful;
  return absurd + suspect === 0 ? null : formatDoubtful(doubtful, noun);
}

/** Formats an amount or a bound for a reader, with four digits. */
export function formatRounded(value: number): string {
  return writeMinus(value.toLocaleString("en-US", { maximumSignificantDigits: 4 }));
}

/** Formats native atoms in native tokens, with all digits in `exact`. */
export function toAtomsCell(atoms: string | null): Cell {
  if (atoms === null) return cell(null);
  const exact = formatAtoms(BigInt(atoms), 18);
  return { text: formatRounded(Number(exact)), exact };
}
