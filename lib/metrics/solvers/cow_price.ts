import { defineRule, isLine, type OptionRule } from "../../errors/option_rules.ts";
import { hideSecrets, redactUrls } from "../../errors/secrets.ts";
import { type AccountingPeriod, isFirstDay } from "./reward_times.ts";

/**
 * The price of COW in an accounting week, and where it is from: the accounting uses the average of
 * the last 24 hours of the week.
 */
export interface CowPrice {
  /** First day of the week, a Tuesday such as `2026-11-17`. @default {every week} */
  readonly week?: string | undefined;
  /** Native atoms for one COW, above 0: a bigint, or decimal text as in files. */
  readonly nativeAtoms: bigint | string;
  /** The publisher of the price, or how it was computed, in one line. @default {not stated} */
  readonly source?: string | undefined;
}

/** Prices of COW: native atoms for one COW in every week, or one record for each week. */
export type CowPrices = bigint | readonly CowPrice[];

const RECORDS = "an array of { week, nativeAtoms, source }, each with atoms above 0 and another " +
  "week, a Tuesday such as 2026-11-17,";

/** Allows an array of prices, each of another week. */
export const COW_PRICE_RECORDS: OptionRule<readonly CowPrice[]> = defineRule(
  RECORDS,
  areCowPrices,
);

/** Allows the price of every week, or an array of prices. */
export const COW_PRICES: OptionRule<CowPrices> = defineRule(
  `native atoms for one COW as a bigint above 0, or ${RECORDS}`,
  (value) => typeof value === "bigint" ? isCowPriceAtoms(value) : areCowPrices(value),
);

function areCowPrices(value: unknown): boolean {
  return Array.isArray(value) && value.length > 0 && value.every(isCowPrice) &&
    (value.length === 1 || value.every(({ week }) => week !== undefined)) &&
    new Set(value.map(({ week }) => week)).size === value.length;
}

function isCowPrice(price: unknown): boolean {
  const { week, nativeAtoms, source }: Record<string, unknown> = Object(price);
  return isCowPriceAtoms(nativeAtoms) && (week === undefined || isFirstDay(week)) &&
    (source === undefined || isLine(source));
}

/** Whether a value is a price of COW in native atoms above 0: a bigint, or decimal text. */
export function isCowPriceAtoms(atoms: unknown): boolean {
  const isAtoms = typeof atoms === "bigint" ||
    typeof atoms === "string" && /^\d{1,78}$/.test(atoms);
  return isAtoms && BigInt(atoms) > 0n;
}

/** Formats the source of a price without the secrets of its URLs, as files and pages have it. */
export function formatPriceSource(source: string): string {
  return redactUrls(hideSecrets(source.trim()));
}

/** The price of COW in a week, its source without secrets; `null` if none was passed for it. */
export function findCowPrice(
  prices: CowPrices | undefined,
  week: AccountingPeriod | null,
): CowPrice & { readonly nativeAtoms: bigint } | null {
  if (prices === undefined) return null;
  if (typeof prices === "bigint") return { nativeAtoms: prices };
  const price = prices.find((price) => price.week === undefined || price.week === week?.firstDay);
  if (price === undefined) return null;
  const { nativeAtoms, source } = price;
  return {
    ...price,
    nativeAtoms: BigInt(nativeAtoms),
    ...source !== undefined && { source: formatPriceSource(source) },
  };
}
