import { InputError } from "../../errors/orderlens_error.ts";
import { isNumber } from "../rows.ts";
import { count } from "../texts/count_text.ts";

/** Currency of values: the native token, or US dollars. */
export type Currency = "native" | "usd";

/** A row with the rate of its auction, which charts in US dollars need. */
export interface RatedRow {
  /** US dollars for one native token; `null` if unknown. */
  native_usd?: number | null;
}

/** Column with the US dollars for one native token in the auction of a row. */
export const DOLLAR_RATE = "native_usd";

/** Unit of values in US dollars, in place of the symbol of the native token. */
export const DOLLARS = "USD";

/** Names a currency as the unit of a value in a sentence. */
export function nameCurrency(currency: Currency | undefined): string {
  return currency === "usd" ? "US dollars" : "native tokens";
}

/**
 * Converts the native values of rows, which are all columns that end in `_native`, to US dollars by the
 * rate of each row. A value of a row without a rate becomes `null`.
 *
 * @returns The rows, and a note for the caption.
 * @throws {InputError} If no row has a column of rates.
 */
export function convertToDollars<Row extends object>(
  rows: readonly Row[],
  action: string,
): { readonly rows: readonly Row[]; readonly note: string } {
  if (rows.length > 0 && !rows.some((row) => DOLLAR_RATE in row)) {
    throw new InputError(`${action} in US dollars without ${DOLLAR_RATE}`, {
      remedy: "Pass rows of a table with this column, such as fills, or omit `currency`",
    });
  }
  let unrated = 0;
  const converted = rows.map((row) => {
    const values = Object.entries(row).filter(([name, value]) =>
      name.endsWith("_native") && isNumber(value)
    );
    const rate: unknown = Reflect.get(row, DOLLAR_RATE);
    if (!isNumber(rate) && values.length > 0) unrated++;
    const dollars = values.map(([name, value]) => [name, isNumber(rate) ? value * rate : null]);
    return { ...row, ...Object.fromEntries(dollars) };
  });
  const gap = unrated === 0 ? "" : `; ${count(unrated, "row")} without a dollar rate`;
  return {
    rows: converted,
    note: `Values in US dollars by the native prices of dollar tokens in each auction${gap}`,
  };
}
