import {
  checkOptions,
  oneOf,
  type OptionRule,
  type OptionRules,
  required,
  TEXT,
} from "../../errors/option_rules.ts";
import { estimateSample, type Interval } from "../../metrics/intervals.ts";
import { COLORS } from "../looks.ts";
import {
  type Group,
  groupLargest,
  isNumber,
  readRows,
  readText,
  type Rows,
  sortRows,
} from "../rows.ts";
import { quantile, sum } from "../statistics.ts";
import { formatWhole, pluralize } from "../texts/count_text.ts";
import { nameGroup, readSolverNames, shortenHex } from "../texts/short_names.ts";
import {
  type MeasuredFill,
  measureFills,
  pickColumn,
  SLIPPAGE_OPTIONS,
  SLIPPAGE_ROWS,
  type SlippageChartOptions,
  type SlippageRow,
  weighBps,
} from "./measured_fills.ts";

/** Options of {@linkcode slippageGroups}. */
export interface SlippageGroupsOptions extends Pick<SlippageChartOptions, "baseline"> {
  /** Column by whose values fills are grouped: `pair`, `solver`, or any other of the rows. */
  by: string;
}

/** The 95% interval of a median slippage, in basis points. */
export interface MedianInterval {
  /**
   * Lower end of the 95% bootstrap interval of the median, for the group alone; `null` for fewer than 10
   * fills.
   */
  median_low_bps: number | null;
  /** Upper end of that interval; `null` for fewer than 10 fills. */
  median_high_bps: number | null;
}

/** Distance of the fills of one pair or solver from a baseline, in basis points of it. */
export interface SlippageGroup extends MedianInterval {
  /** The pair, the solver, or another value of the column. */
  name: string;
  /** Number of fills. */
  fills: number;
  /** Median slippage: positive where fills were better. */
  median_bps: number;
  /** Median slippage weighted by the fills' size; `null` where no size is known. */
  weighted_median_bps: number | null;
  /** Lower end of the middle 80% of the fills. */
  tenth_bps: number;
  /** Lower end of the middle half. */
  lower_quartile_bps: number;
  /** Upper end of the middle half. */
  upper_quartile_bps: number;
  /** Upper end of the middle 80%. */
  ninetieth_bps: number;
  /** Part of the fills that were better than the baseline, from 0 to 1. */
  better_share: number;
}

/** Estimates a median of one value at least. */
function estimateMedian(values: readonly number[]): MedianInterval & { median_bps: number } {
  const { value, interval } = estimateSample({ values })!;
  const { low, high }: Partial<Interval> = interval ?? {};
  return { median_bps: value, median_low_bps: low ?? null, median_high_bps: high ?? null };
}

export function summarizeFills(name: string, members: readonly MeasuredFill[]): SlippageGroup {
  const ascending = members.map(({ bps }) => bps).toSorted((a, b) => a - b);
  const readQuantile = (share: number) => quantile(ascending, share) ?? NaN;
  return {
    name,
    fills: members.length,
    ...estimateMedian(ascending),
    weighted_median_bps: weighBps(members),
    tenth_bps: readQuantile(0.1),
    lower_quartile_bps: readQuantile(0.25),
    upper_quartile_bps: readQuantile(0.75),
    ninetieth_bps: readQuantile(0.9),
    better_share: ascending.filter((bps) => bps > 0).length / ascending.length,
  };
}

/**
 * Sums up the slippage of the fills of each pair, solver or value of another column: what
 * {@linkcode slippageByPair} and {@linkcode slippageBySolver} draw.
 *
 * Quantiles are interpolated linearly between their neighbours.
 *
 * @param input Rows or a frame. One row per fill; those without a known slippage are in no group.
 * @returns One group per value of the column, most fills first.
 * @throws {InputError} If a baseline, column or option is unknown, or the rows are of another kind.
 *
 * @example The pair with the better median
 * ```ts
 * import { slippageGroups } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const groups = slippageGroups([
 *   { order_uid: "0x01", kind: "sell", pair: "WETH → USDC", slippage_net_bps: -2 },
 *   { order_uid: "0x02", kind: "sell", pair: "DAI → USDC", slippage_net_bps: 1 },
 * ], { by: "pair" });
 *
 * assertEquals(groups.map(({ name, median_bps }) => [name, median_bps]), [
 *   ["DAI → USDC", 1],
 *   ["WETH → USDC", -2],
 * ]);
 * ```
 */
export function slippageGroups(
  input: Rows<SlippageRow>,
  options: SlippageGroupsOptions,
): SlippageGroup[] {
  const fills = selectFills(input, options, TEXT, "Cannot group fills");
  const { by } = options;
  const limits = { limit: Infinity, noun: nameGroup(by) };
  return groupLargest(fills, ({ row }) => readText(row, by), limits).groups
    .map((group) => summarizeFills(group.key, group.rows));
}

/** Selects the fills with a known slippage, of rows with the requested column. */
function selectFills<By extends string>(
  input: Rows<SlippageRow>,
  options: Pick<SlippageChartOptions, "baseline"> & { by: By },
  byRule: OptionRule<By>,
  action: string,
): readonly MeasuredFill[] {
  const rules = { by: required(byRule), baseline: SLIPPAGE_OPTIONS.baseline };
  checkOptions(options, rules as OptionRules<typeof options>, action);
  const frameColumns = [pickColumn(options.baseline), options.by];
  return measureFills(readRows(input, SLIPPAGE_ROWS, { action, frameColumns }), options).fills;
}

/** By what {@linkcode slippageSlices} sorts fills: their size, or the age of their quote. */
export type SliceColumn = "volume_native" | "quote_age_seconds";

/** Options of {@linkcode slippageSlices}. */
export interface SlippageSlicesOptions extends Pick<SlippageChartOptions, "baseline"> {
  /** Column that fills are sorted and divided by. */
  by: SliceColumn;
}

/** Fills of about the same size, or of quotes of about the same age. */
export interface SlippageSlice extends MedianInterval {
  /** The smallest value of the column among them. */
  from: number;
  /** The largest. */
  to: number;
  /**
   * Median slippage against the baseline, in basis points of it: positive where fills were better.
   */
  median_bps: number;
  /** The fills, from the smallest value of the column to the largest. */
  rows: readonly SlippageRow[];
}

const MAX_SLICES = 8;
const SLICE_SIZE = 15;

/**
 * Divides fills into up to eight groups of equally many, from the smallest to the largest or from
 * the youngest quotes to the oldest, of at least 15 fills each: those whose medians
 * {@linkcode slippageBySize} and {@linkcode slippageByQuoteAge} draw and name in their titles. The
 * first groups have one fill more where they cannot all be equal, as `ntile` of SQL has it; fills of
 * one size or age go by block and log.
 *
 * @param input Rows or a frame. One row per fill; those without a value above zero in the column,
 * and those without a known slippage, are in no group.
 * @returns The groups in ascending order; none for fewer than 30 fills.
 * @throws {InputError} If a baseline, column or option is unknown, or the rows are of another kind.
 *
 * @example The median of small fills and of large ones
 * ```ts
 * import { slippageSlices, type SlippageRow } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const rows: SlippageRow[] = Array.from({ length: 30 }, (_, place) => ({
 *   order_uid: `0x${place}`,
 *   kind: "sell",
 *   volume_native: place + 1,
 *   slippage_net_bps: place < 15 ? -9 : 2,
 * }));
 * const slices = slippageSlices(rows, { by: "volume_native" });
 *
 * assertEquals(slices.map(({ to, median_bps }) => [to, median_bps]), [[15, -9], [30, 2]]);
 * ```
 */
export function slippageSlices(
  input: Rows<SlippageRow>,
  options: SlippageSlicesOptions,
): SlippageSlice[] {
  const rule = oneOf("volume_native", "quote_age_seconds");
  const fills = selectFills(input, options, rule, "Cannot divide fills");
  const ascending = fills.flatMap(({ row, bps }) => {
    const x = row[options.by];
    return isNumber(x) && x > 0 ? [{ row, bps, x }] : [];
  }).toSorted((a, b) => a.x - b.x || compareFills(a.row, b.row));
  const slices = Math.min(MAX_SLICES, Math.floor(ascending.length / SLICE_SIZE));
  if (slices < 2) return [];
  const [size, larger] = [Math.floor(ascending.length / slices), ascending.length % slices];
  return Array.from({ length: slices }, (_, index) => {
    const start = index * size + Math.min(index, larger);
    const members = ascending.slice(start, start + size + (index < larger ? 1 : 0));
    return {
      from: members[0]!.x,
      to: members.at(-1)!.x,
      ...estimateMedian(members.map(({ bps }) => bps)),
      rows: members.map(({ row }) => row),
    };
  });
}

/**
 * Compares fills of one size or age by their position on the chain, so that the order of rows changes
 * nothing.
 */
function compareFills(a: SlippageRow, b: SlippageRow): number {
  return (a.block_number ?? 0) - (b.block_number ?? 0) || (a.log_index ?? 0) - (b.log_index ?? 0) ||
    (a.order_uid < b.order_uid ? -1 : 1);
}

type SlippagePart = "network" | "protocol" | "partner" | "market";

/** Parts of the slippage against the gross quote, in stacking order. */
export const SLIPPAGE_PARTS: readonly {
  part: SlippagePart;
  label: string;
  noun: string;
  color: string;
}[] = [
  { part: "network", label: "network cost", noun: "the network", color: COLORS.grey },
  { part: "protocol", label: "protocol fees", noun: "the protocol", color: COLORS.orange },
  { part: "partner", label: "partner fees", noun: "partners", color: COLORS.purple },
  { part: "market", label: "market since the quote", noun: "the market", color: COLORS.blue },
];
export const ALL_FILLS = "all fills";

export interface Stack {
  name: string;
  /** Shorter name beside it. @default {its name, cut} */
  label?: string;
  fills: number;
  slippage: number;
  /** Mean or sum of each part. */
  parts: Readonly<Record<SlippagePart, number>>;
  /** 95% interval of the mean of `slippage`. @default {none, as of sums and of fewer than 30 fills} */
  interval?: Interval | null;
}

/** `bps`: the mean over fills, in basis points of the gross quote; `native`: the sum of amounts. */
export type StackUnit = "bps" | "native";

/** Computes the mean or sum of the parts of some fills. */
export function createStack(name: string, rows: readonly SlippageRow[], unit: StackUnit): Stack {
  const divisor = unit === "bps" ? rows.length : 1;
  const aggregate = (part: SlippagePart) =>
    sum(rows, (row) => row[`${part}_${unit}`] ?? NaN) / divisor;
  const parts = Object.fromEntries(
    SLIPPAGE_PARTS.map(({ part }) => [part, aggregate(part)]),
  ) as Stack["parts"];
  return { name, fills: rows.length, slippage: sum(Object.values(parts)), parts };
}

/** Estimates the interval of the mean slippage of some fills; `null` for fewer than 30. */
function estimateMean(rows: readonly SlippageRow[]): Interval | null {
  const values = rows.map((row) => sum(SLIPPAGE_PARTS, ({ part }) => row[`${part}_bps`] ?? NaN));
  return estimateSample({ values }, { stat: "mean" })?.interval ?? null;
}

/**
 * Counts fills whose four parts do not add up to their slippage, which says that their
 * rows are wrong.
 */
export function countMismatches(rows: readonly SlippageRow[]): number {
  return rows.filter((row) => {
    const { parts, slippage } = createStack("", [row], "bps");
    const gross = row.slippage_gross_bps;
    if (!isNumber(gross)) return false;
    const scale = Math.abs(gross) + sum(Object.values(parts), Math.abs);
    return Math.abs(slippage - gross) > 0.01 + scale * 1e-6;
  }).length;
}

export function createStacks(
  rows: readonly SlippageRow[],
  { limit, sort, unit, by }: {
    limit: number;
    sort?: string;
    unit: StackUnit;
    by: string;
  },
): { stacks: readonly Stack[]; drawnRows: readonly SlippageRow[]; note: string | null } {
  if (by === "fill") {
    const isOneOrder = new Set(rows.map((row) => row.order_uid)).size === 1;
    const fillStacks = rows.map((row) => {
      const block = isNumber(row.block_number) ? `block ${row.block_number}` : "";
      const order = `${row.kind} ${row.pair ?? shortenHex(row.order_uid)}`;
      const name = block === "" ? order : `${order}, ${block}`;
      const label = isOneOrder && block !== "" ? block : name;
      return { ...createStack(name, [row], unit), label, row };
    });
    const stacks = (sort === undefined ? fillStacks : sortRows(fillStacks, sort)).slice(0, limit);
    const more = rows.length - stacks.length;
    return {
      stacks,
      drawnRows: stacks.map(({ row }) => row),
      note: more === 0
        ? null
        : `${limit === 1 ? "The first is" : `The first ${limit} are`} shown, ` +
          `${formatWhole(more)} ${more === 1 ? "is" : "are"} not`,
    };
  }
  const noun = nameGroup(by);
  const { groups, restGroup } = groupLargest(rows, (row) => readText(row, by), { limit, noun });
  const names = by === "solver" ? readSolverNames(rows) : null;
  const createWithInterval = (name: string, members: readonly SlippageRow[]): Stack => ({
    ...createStack(name, members, unit),
    interval: unit === "bps" ? estimateMean(members) : null,
  });
  const toStack = ({ key, rows }: Group<SlippageRow>): Stack => ({
    ...createWithInterval(names?.formatWithAddress(key) ?? key, rows),
    ...(names === null ? {} : { label: names.format(key) }),
  });
  const sortedStacks = sortRows(groups.map(toStack), sort ?? "-fills", {
    name: ({ name, label }) => label ?? name,
  });
  return {
    stacks: [
      createWithInterval(ALL_FILLS, rows),
      ...sortedStacks,
      ...(restGroup === null ? [] : [toStack(restGroup)]),
    ],
    drawnRows: rows,
    note: restGroup === null ? null : describeSharedRow(limit, noun, restGroup.key),
  };
}

/** Describes groups that share a row, for a caption; `restText` counts them, as `12 other pairs`. */
export function describeSharedRow(limit: number, noun: string, restText: string): string {
  const listedText = limit === 1
    ? `The ${noun} with the most fills is listed`
    : `The ${limit} ${pluralize(noun)} with the most fills are listed`;
  return `${listedText}; ${restText} share one row`;
}
