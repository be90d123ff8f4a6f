import { pluralize } from "../../units/format.ts";
import { sum } from "../statistics.ts";
import { formatAmount } from "./label_text.ts";

/** Numbers of rows at prices that do not agree. */
export interface DoubtfulPrices {
  /** Rows whose sides are more than 1,000 times apart at native prices. */
  readonly absurd: number;
  /** Rows whose sides are more than 2 times apart, but not as far as these. */
  readonly suspect: number;
}

/** Formats rows at prices that do not agree, such as `1 fee at absurd and 2 at suspect native prices`. */
export function formatDoubtful(
  { absurd, suspect }: DoubtfulPrices,
  noun: string,
  many = `${noun}s`,
): string {
  const first = absurd > 0 ? `${pluralize(absurd, noun, many)} at absurd` : "";
  if (suspect === 0) return `${first} native prices`;
  return first === ""
    ? `${pluralize(suspect, noun, many)} at suspect native prices`
    : `${first} and ${suspect} at suspect native prices`;
}

/**
 * A sentence of a finding: the total without rows at prices that do not agree; `false` where all
 * prices agree.
 *
 * @param rows Rows of a table with the column `price_sides`; those of older tables lack it.
 */
export function describeDoubtful<Row extends { readonly price_sides?: string | null }>(
  rows: readonly Row[],
  { noun, many, value, native }: {
    readonly noun: string;
    readonly many?: string;
    readonly value: (row: Row) => number;
    readonly native: string;
  },
): string | false {
  const countRows = (verdict: string) =>
    rows.filter(({ price_sides: sides }) => sides === verdict).length;
  const doubtful = { absurd: countRows("absurd"), suspect: countRows("suspect") };
  if (doubtful.absurd + doubtful.suspect === 0) return false;
  const agreeing = rows.filter(({ price_sides: sides }) =>
    sides !== "absurd" && sides !== "suspect"
  );
  return `Without ${formatDoubtful(doubtful, noun, many)}: ` +
    `${formatAmount(sum(agreeing, value))} ${native}`;
}
