import { checkOptions, type OptionRules, required } from "../errors/option_rules.ts";
import { InputError } from "../errors/orderlens_error.ts";
import {
  ESTIMATE_OPTIONS,
  type EstimateOptions,
  estimateSample,
  type Statistic,
} from "../metrics/intervals.ts";
import type { Sample } from "../metrics/resampling.ts";
import { readNumber, readOpenRows } from "./general/column_text.ts";
import type { Rows } from "./rows.ts";

/** Columns and statistic of {@linkcode estimate}. */
export interface EstimateQuery extends EstimateOptions {
  /** Column whose values are the groups. @default {all rows are one group} */
  readonly by?: string;
  /** Column of numbers; for a share one of true and false, or of 1 and 0. */
  readonly value: string;
  /** Column of weights from 0; for a ratio what the values are divided by. @default {none} */
  readonly weight?: string;
}

/** The estimate of one group of rows, with its confidence interval. */
export interface Estimate {
  /** The group's value; `null` for rows without one, or where all rows are one group. */
  readonly group: string | number | boolean | null;
  /** The statistic. */
  readonly value: number;
  /** Lower end of the interval; `null` for one row. */
  readonly low: number | null;
  /** Upper end of the interval; `null` for one row. */
  readonly high: number | null;
  /** Rows with a value, and a weight where one is requested. */
  readonly n: number;
  /** Rows without one of them, which are left out. */
  readonly left_out: number;
}

const ACTION = "Cannot estimate";

const QUERY: OptionRules<EstimateQuery> = {
  ...ESTIMATE_OPTIONS,
  by: String,
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
 *
 * @param input Rows of any kind, or a frame, in any order.
 * @param query Columns, and the statistic: `"median"`, `"mean"`, `"share"` or `"ratio"`.
 * @returns One per group with a value, in ascending order, the group without a name last.
 * @throws {InputError} If an option is unknown or out of range, a column is missing, or its cells are no
 * such numbers.
 *
 * @example Which kind of order did better
 * ```ts
 * import { estimate } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const fills = [
 *   { kind: "buy", slippage_net_bps: 4 },
 *   { kind: "sell", slippage_net_bps: -3 },
 *   { kind: "sell", slippage_net_bps: 1 },
 *   { kind: "sell", slippage_net_bps: 2 },
 * ];
 * const medians = estimate(fills, { by: "kind", value: "slippage_net_bps", stat: "median" });
 *
 * assertEquals(medians, [
 *   { group: "buy", value: 4, low: null, high: null, n: 1, left_out: 0 },
 *   { group: "sell", value: 1, low: -3, high: 2, n: 3, left_out: 0 },
 * ]);
 * ```
 */
export function estimate<Row extends object>(input: Rows<Row>, query: EstimateQuery): Estimate[] {
  checkOptions(query, QUERY, ACTION);
  const { by: groupBy, value, weight, ...options } = query;
  const stat = options.stat ?? "median";
  const rows = readOpenRows(input, {
    required: {
      ...(groupBy === undefined ? {} : { [groupBy]: "text" }),
      ...listSampleColumns({ value, weight, stat }, ACTION),
    },
  }, ACTION);
  const groups = Map.groupBy(rows, (row) => groupBy === undefined ? null : readGroup(row, groupBy));
  return [...groups].sort(([a], [b]) => compareKeys(a, b)).flatMap(([group, members]) => {
    const { sample } = readSample(members, { value, weight, stat }, ACTION);
    const estimated = estimateSample(sample, options);
    if (estimated === null) return [];
    const { value: middle, interval, n } = estimated;
    const [low, high] = [interval?.low ?? null, interval?.high ?? null];
    return [{ group, value: middle, low, high, n, left_out: members.length - n }];
  });
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

export function readGroup(row: object, column: string): Estimate["group"] {
  const cell: unknown = Reflect.get(row, column);
  if (typeof cell === "number" || typeof cell === "boolean") return cell;
  return cell === null || cell === undefined || cell === "" ? null : String(cell);
}

/** Compares numbers and flags before texts, each ascending; rows without a group last. */
function compareKeys(a: Estimate["group"], b: Estimate["group"]): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  const isText = (key: unknown) => typeof key === "string";
  if (isText(a) !== isText(b)) return Number(isText(a)) - Number(isText(b));
  return a < b ? -1 : a > b ? 1 : 0;
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
