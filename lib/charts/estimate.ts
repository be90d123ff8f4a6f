import { checkOptions, defineRule, type OptionRules, required } from "../errors/option_rules.ts";
import { InputError } from "../errors/orderlens_error.ts";
import {
  ESTIMATE_OPTIONS,
  type EstimateOptions,
  estimateSample,
  type IntervalReason,
  type SampleEstimate,
  type Statistic,
} from "../metrics/intervals.ts";
import type { Sample } from "../metrics/resampling.ts";
import { readNumber, readOpenRows } from "./general/column_text.ts";
import type { Rows } from "./rows.ts";

/** Columns and statistic of {@linkcode estimate}. */
export interface EstimateQuery<By extends string | readonly string[] = string>
  extends EstimateOptions {
  /** Column whose values are the groups, or a list of columns. @default {all rows are one group} */
  readonly by?: By;
  /** Column of numbers; for a share one of true and false, or of 1 and 0. */
  readonly value: string;
  /** Column of weights from 0; for a ratio what the values are divided by. @default {none} */
  readonly weight?: string;
}

/** Value of a column that rows are grouped by; `null` for rows without one. */
export type GroupValue = string | number | boolean | null;

/**
 * Reason why a group has no interval, or no value at all: `no_values` where no row has a value and a weight,
 * `zero_weight` where the weights that divide add up to 0, and what {@linkcode IntervalReason} says.
 */
export type EstimateReason = "no_values" | IntervalReason;

/** The estimate of one group of rows, with its confidence interval. */
export interface Estimate<Group = GroupValue> {
  /** The group's value, or its values by several columns; `null` where all rows are one group. */
  readonly group: Group;
  /** The statistic; `null` with a `reason`. */
  readonly value: number | null;
  /** Lower end of the interval; `null` with a `reason`. */
  readonly low: number | null;
  /** Upper end of the interval; `null` with a `reason`. */
  readonly high: number | null;
  /** Reason for what is missing; `null` if nothing is. */
  readonly reason: EstimateReason | null;
  /** Rows with a value, and with a weight above 0 where one is requested (of a ratio with any). */
  readonly n: number;
  /** The other rows, which are left out. */
  readonly left_out: number;
}

const ACTION = "Cannot estimate";

const isColumns = (by: unknown) =>
  typeof by === "string" ||
  (Array.isArray(by) && by.length > 0 && by.every((name) => typeof name === "string"));

const QUERY: OptionRules<EstimateQuery<string | readonly string[]>> = {
  ...ESTIMATE_OPTIONS,
  by: defineRule('the name of a column, or a list as ["kind", "pair"],', isColumns),
  value: required(String),
  weight: String,
};

/**
 * Estimates a statistic of each group of rows, with its confidence interval and the number of rows.
 *
 * The interval of a share without weights is Wilson's, others are percentile bootstraps of `n`
 * resamples, whose random numbers follow from `seed`. Rows count as independent of each other. With
 * weights, the median is the value at which half of the weight is reached, the mean is weighted, and a
 * share is one of the weight; a ratio is the sum of the values, divided by the sum of the weights.
 * Bootstraps are drawn of 10 rows at least, those of means and ratios of 30: of fewer, they miss the
 * true value too often.
 *
 * @param input Rows of any kind, or a frame, in any order.
 * @param query Columns, and the statistic: `"median"`, `"mean"`, `"share"` or `"ratio"`.
 * @returns One per group, in ascending order, groups without a name last. A group without a value or an
 * interval has the reason.
 * @throws {InputError} If an option is unknown or out of range, a column is missing, or its cells are no
 * such numbers.
 *
 * @example Which kind of order did better
 * ```ts
 * import { estimate } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const fills = [
 *   ...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map((bps) => ({ kind: "sell", slippage_net_bps: bps })),
 *   { kind: "buy", slippage_net_bps: 4 },
 *   { kind: "buy", slippage_net_bps: null },
 * ];
 * const medians = estimate(fills, { by: "kind", value: "slippage_net_bps", stat: "median" });
 *
 * assertEquals(medians, [
 *   { group: "buy", value: 4, low: null, high: null, reason: "too_few", n: 1, left_out: 1 },
 *   { group: "sell", value: 5.5, low: 3, high: 8, reason: null, n: 10, left_out: 0 },
 * ]);
 * ```
 * @example Groups by two columns
 * ```ts
 * import { estimate } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const wins = [
 *   { solver: "A", pair: "WETH → USDC", in_time: true },
 *   { solver: "A", pair: "WETH → USDC", in_time: false },
 *   { solver: "B", pair: "WETH → USDC", in_time: true },
 * ];
 * const shares = estimate(wins, { by: ["pair", "solver"], value: "in_time", stat: "share" });
 *
 * assertEquals(shares.map(({ group, value, n }) => [...group, value, n]), [
 *   ["WETH → USDC", "A", 0.5, 2],
 *   ["WETH → USDC", "B", 1, 1],
 * ]);
 * ```
 */
export function estimate<Row extends object, By extends string | readonly string[] = string>(
  input: Rows<Row>,
  query: EstimateQuery<By>,
): Estimate<By extends string ? GroupValue : readonly GroupValue[]>[] {
  checkOptions(query, QUERY as OptionRules<EstimateQuery<By>>, ACTION);
  const { by, value, weight, ...options } = query;
  const stat = options.stat ?? "median";
  const columns = by === undefined ? [] : [by].flat() as string[];
  const rows = readOpenRows(input, {
    required: {
      ...Object.fromEntries(columns.map((column) => [column, "text" as const])),
      ...listSampleColumns({ value, weight, stat }, ACTION),
    },
  }, ACTION);
  const keyedRows = rows.map((row) => ({
    row,
    keys: columns.map((column) => readGroup(row, column)),
  }));
  // As JSON, infinite numbers are null.
  const toKey = (key: GroupValue) => typeof key === "number" ? String(key) : JSON.stringify(key);
  const groups = [...Map.groupBy(keyedRows, ({ keys }) => keys.map(toKey).join()).values()];
  return groups.sort(([a], [b]) => compareKeys(a!.keys, b!.keys)).map((members) => {
    const sample = readSample(
      members.map(({ row }) => row),
      { value, weight, stat },
      ACTION,
    ).sample;
    const { keys } = members[0]!;
    return {
      group: (typeof by === "object" ? keys : keys[0] ?? null) as never,
      ...describeEstimate(estimateSample(sample, options), { sample, stat, rows: members.length }),
    };
  });
}

function describeEstimate(
  estimated: SampleEstimate | null,
  { sample: { values }, stat, rows }: {
    readonly sample: Sample;
    readonly stat: Statistic;
    readonly rows: number;
  },
): Omit<Estimate, "group"> {
  if (estimated === null) {
    const reason = values.length === 0 ? "no_values" : "zero_weight";
    // Of other statistics, rows without weight do not count.
    const n = stat === "ratio" ? values.length : 0;
    return { value: null, low: null, high: null, reason, n, left_out: rows - n };
  }
  const { value, interval, reason, n } = estimated;
  const [low, high] = [interval?.low ?? null, interval?.high ?? null];
  return { value, low, high, reason, n, left_out: rows - n };
}

interface SampleQuery {
  /** Column of numbers; for a share one of true and false, or of 1 and 0. */
  readonly value: string;
  readonly weight: string | undefined;
  readonly stat: Statistic;
}

/**
 * The columns that a sample is read from.
 *
 * @param action Beginning of error messages, such as `Cannot estimate`.
 * @throws {InputError} If a ratio has no weight.
 */
export function listSampleColumns(
  { value, weight, stat }: SampleQuery,
  action: string,
): Record<string, "number" | "text"> {
  if (stat === "ratio" && weight === undefined) {
    throw new InputError(`${action}: a ratio without weight`, {
      remedy: "Pass the column that the values are divided by as weight",
    });
  }
  return {
    [value]: stat === "share" ? "text" : "number",
    ...(weight === undefined ? {} : { [weight]: "number" }),
  };
}

/**
 * Reads a sample from some rows: those with a value, and a weight where there is one.
 *
 * @throws {InputError} If a cell is no such number.
 */
export function readSample<Row extends object>(
  rows: readonly Row[],
  { value, weight, stat }: SampleQuery,
  action: string,
): { readonly rows: readonly Row[]; readonly sample: Sample } {
  const cells = rows.flatMap((row) => {
    const number = stat === "share" ? readFlag(row, value, action) : readNumber(row, value);
    const share = weight === undefined ? 1 : readNumber(row, weight);
    if (number === null || share === null) return [];
    if (share >= 0 || stat === "ratio") return [{ row, number, share }];
    throw new InputError(`${action}: the column ${weight} has the weight ${share}`, {
      remedy: "Take a column of weights from 0",
    });
  });
  return {
    rows: cells.map(({ row }) => row),
    sample: {
      values: cells.map(({ number }) => number),
      ...(weight === undefined ? {} : { weights: cells.map(({ share }) => share) }),
    },
  };
}

export function readGroup(row: object, column: string): GroupValue {
  const cell: unknown = Reflect.get(row, column);
  if (typeof cell === "bigint" && Number.isSafeInteger(Number(cell))) return Number(cell);
  if (typeof cell === "boolean") return cell;
  if (typeof cell === "number") return Number.isNaN(cell) ? null : cell;
  return cell === null || cell === undefined || cell === "" ? null : String(cell);
}

/**
 * Compares the values of groups, column by column: numbers and flags before texts, each ascending, and
 * rows without a group last.
 */
function compareKeys(a: readonly GroupValue[], b: readonly GroupValue[]): number {
  const rank = (key: GroupValue) => key === null ? 2 : Number(typeof key === "string");
  for (const [index, key] of a.entries()) {
    const otherKey = b[index] ?? null;
    const order = rank(key) - rank(otherKey) || Number(key! > otherKey!) - Number(key! < otherKey!);
    if (order !== 0) return order;
  }
  return 0;
}

/** Reads 1 for true and 0 for false; `null` if a row has neither. */
function readFlag(row: object, column: string, action: string): number | null {
  const cell: unknown = Reflect.get(row, column);
  if (cell === null || cell === undefined) return null;
  const flag = Number(cell);
  if (typeof cell !== "string" && (flag === 0 || flag === 1)) return flag;
  throw new InputError(`${action}: the column ${column} has ${String(cell).slice(0, 80)}`, {
    remedy: "Take a column of true and false, or of 1 and 0",
  });
}
