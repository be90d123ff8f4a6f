import pl from "nodejs-polars";
import { InputError } from "../../errors/mod.ts";
import { describeValue } from "../../errors/option_rules.ts";
import { localFiles } from "../../http/local_files.ts";
import type { CowPrice } from "../../metrics/mod.ts";
import { COW_PRICE_RECORDS } from "../../metrics/solvers/cow_price.ts";
import { Decimal, divideDown } from "../../units/mod.ts";
import { NATIVE_DECIMALS } from "../../units/parse_atoms.ts";

/**
 * Reads prices of COW by accounting week from a CSV file, or from a JSON file with an array.
 *
 * A row has `week`, its first day; `native_atoms`, whole native atoms for one COW, or `native_tokens`,
 * native tokens for one COW as a decimal number, rounded down to atoms; and `source`, where the price
 * is from. A file with one row may leave out `week`, and has no other fields then: its price is that of
 * every week. The accounting uses the average of the last 24 hours of a week, of COW and of the native
 * token in US dollars.
 *
 * @param file Path of a file that ends in `.csv` or `.json`.
 * @returns The prices, for the option `cowPrice` of exports, markets and rewards.
 * @throws {InputError} If the file cannot be read, or a row has no price above 0, a day that begins no
 * week, the week of another row, or other fields without a week; names the row.
 * @see {@link https://github.com/cowprotocol/docs/blob/02bf4f9539a3131bd08a68b53d37e2bee25e851c/docs/cow-protocol/reference/core/auctions/accounting.md | the accounting process}
 *
 * @example The price of a week
 * ```ts
 * import { readCowPrices } from "orderlens/tables";
 * import { assertEquals } from "@std/assert";
 *
 * const file = await Deno.makeTempFile({ suffix: ".csv" });
 * await Deno.writeTextFile(
 *   file,
 *   "week,native_tokens,source\n2026-11-17,0.0000631,mean of 24 hours\n",
 * );
 * const prices = await readCowPrices(file);
 * await Deno.remove(file);
 *
 * assertEquals(prices, [
 *   { week: "2026-11-17", nativeAtoms: 63_100_000_000_000n, source: "mean of 24 hours" },
 * ]);
 * ```
 */
export async function readCowPrices(file: string): Promise<CowPrice[]> {
  const action = `Cannot read prices of COW from ${file.slice(0, 200)}`;
  const rows = await readRows(file, action);
  if (rows.length === 0) {
    throw new InputError(`${action}: it has no rows`, {
      remedy: "Write a row with week, native_atoms or native_tokens, and source",
    });
  }
  const prices = rows.map((row, index) => parseRow(row, `${action}: row ${index + 1}`));
  for (const [index, { week }] of prices.entries()) {
    const earlier = prices.findIndex((price) => price.week === week);
    if (earlier === index) continue;
    throw new InputError(
      `${action}: row ${index + 1} has the week of row ${earlier + 1}, ${week ?? "every week"}`,
      { remedy: "Keep one price for each week" },
    );
  }
  if (!COW_PRICE_RECORDS.accepts(prices)) {
    throw new InputError(`${action}: a row without a week stands beside others`, {
      remedy: "Write the first day of its week, a Tuesday such as 2026-11-17, into every row",
    });
  }
  return prices;
}

async function readRows(
  file: string,
  action: string,
): Promise<readonly Readonly<Record<string, unknown>>[]> {
  const isCsv = /\.csv$/i.test(file);
  if (!isCsv && !/\.json$/i.test(file)) {
    throw new InputError(`${action}: it is neither .csv nor .json`, {
      remedy: "Pass the path of a CSV or JSON file",
    });
  }
  let rows: unknown;
  try {
    rows = isCsv
      ? pl.readCSV(file, { inferSchemaLength: 0 }).toRecords()
      : JSON.parse(await localFiles().readFile(file, "utf8"));
  } catch (cause) {
    throw new InputError(`${action}: ${cause instanceof Error ? cause.message : String(cause)}`, {
      cause,
      remedy: "Pass the path of a complete CSV or JSON file",
    });
  }
  if (Array.isArray(rows)) return rows.map((row) => Object(row));
  throw new InputError(`${action}: it has ${describeValue(rows)}`, {
    remedy: "Write an array of rows with week, native_atoms or native_tokens, and source",
  });
}

/** Fields of a row without a week. */
const FIELDS = ["native_atoms", "native_tokens", "source"];

function parseRow(row: Readonly<Record<string, unknown>>, rowName: string): CowPrice {
  // A week of another name would be ignored, and its price be that of every week.
  const otherName = "week" in row
    ? undefined
    : Object.keys(row).find((key) => !FIELDS.includes(key));
  if (otherName !== undefined) {
    throw new InputError(`${rowName} has no week, but ${describeValue(otherName)}`, {
      remedy:
        "Name the first day of the week `week`, or for a price of every week leave out all but " +
        "native_atoms or native_tokens, and source",
    });
  }
  const [week, source] = [row.week, row.source].map((value) => isEmpty(value) ? null : `${value}`);
  const nativeAtoms = parsePrice(row, rowName);
  const price = {
    ...week !== null && { week },
    nativeAtoms,
    ...source !== null && { source },
  };
  if (COW_PRICE_RECORDS.accepts([price])) return price;
  throw nativeAtoms > 0n && COW_PRICE_RECORDS.accepts([{ ...price, week: undefined }])
    ? new InputError(`${rowName} has the week ${describeValue(week)}, which begins on no Tuesday`, {
      remedy: "Write the first day of an accounting week, a Tuesday such as 2026-11-17",
    })
    : new InputError(`${rowName} has a source that is not one line of at most 200 characters`, {
      remedy: "Say where the price is from in one line, without braces and backquotes",
    });
}

/** Parses the price of a row, in native atoms above 0. */
function parsePrice(row: Readonly<Record<string, unknown>>, rowName: string): bigint {
  const { native_atoms: atoms, native_tokens: tokens } = row;
  const isOfTokens = isEmpty(atoms);
  if (isOfTokens === isEmpty(tokens)) {
    const has = isOfTokens ? "neither native_atoms nor" : "both native_atoms and";
    throw new InputError(`${rowName} has ${has} native_tokens`, {
      remedy: "Write one of them: native atoms, or native tokens, for one COW",
    });
  }
  const name = isOfTokens ? "native_tokens" : "native_atoms";
  const price = isOfTokens ? parseTokens(`${tokens}`) : parseAtoms(atoms);
  if (price !== null && price > 0n) return price;
  throw new InputError(`${rowName} has ${name} ${describeValue(row[name])}`, {
    remedy: isOfTokens
      ? "Write native tokens for one COW as a decimal number of at least one atom, such as 0.0000631"
      : "Write native atoms for one COW as a whole number above 0, in quotes in JSON",
  });
}

/** Parses atoms; a number of JSON that has lost digits is none. */
function parseAtoms(atoms: unknown): bigint | null {
  if (typeof atoms === "number" && !Number.isSafeInteger(atoms)) return null;
  return /^\d{1,78}$/.test(`${atoms}`) ? BigInt(`${atoms}`) : null;
}

/** Whether a row leaves a cell empty. */
function isEmpty(value: unknown): boolean {
  return value === undefined || value === null || value === "";
}

function parseTokens(text: string): bigint | null {
  const decimal = Decimal.tryParse(text);
  if (decimal === undefined) return null;
  const { coefficient, scale } = decimal;
  return divideDown(coefficient * 10n ** BigInt(NATIVE_DECIMALS), 10n ** BigInt(scale));
}

/**
 * Parses a price in every week: native atoms for one COW, or native tokens with a decimal point, then
 * `@` and its source, if that is stated; `null` if the text is none.
 */
export function parseCowPrice(text: string): CowPrice | null {
  const [, number = "", source] = /^([\d.]+)(?:@(.*))?$/.exec(text) ?? [];
  const nativeAtoms = number.includes(".") ? parseTokens(number) : parseAtoms(number);
  if (nativeAtoms === null) return null;
  const price = { nativeAtoms, ...source !== undefined && { source } };
  return COW_PRICE_RECORDS.accepts([price]) ? price : null;
}
