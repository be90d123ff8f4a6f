import { COLORS } from "../figure/colors.ts";
import { type Group, largestGroups } from "../rows/largest_groups.ts";
import { isNumber, sortRows, wholeText } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { solverNames } from "../texts/solver_names.ts";
import { sum } from "../numbers/statistics.ts";
import type { SlippageRow } from "./slippage_row.ts";

/** One of the four parts of the slippage against the gross quote. */
export type SlippagePart = "network" | "protocol" | "partner" | "market";

/** The parts, in the order in which they are piled up. */
export const SLIPPAGE_PARTS: readonly { part: SlippagePart; label: string; color: string }[] = [
  { part: "network", label: "network cost", color: COLORS.grey },
  { part: "protocol", label: "protocol fees", color: COLORS.orange },
  { part: "partner", label: "partner fees", color: COLORS.purple },
  { part: "market", label: "market since the quote", color: COLORS.blue },
];
/** Name of the row of all fills. */
export const ALL_FILLS = "all fills";

/** One row of bars. */
export interface Stack {
  /** What its fills share. */
  name: string;
  /** What stands beside it. @default {its name, cut} */
  label?: string;
  /** How many fills it has. */
  fills: number;
  /** The parts together. */
  slippage: number;
  /** Mean or sum of each part. */
  parts: Readonly<Record<SlippagePart, number>>;
}

/** `bps`: the mean over fills, in basis points of the gross quote; `native`: the sum of amounts. */
export type StackUnit = "bps" | "native";

/** Mean or sum of the parts of some fills. */
export function stackOf(name: string, rows: readonly SlippageRow[], unit: StackUnit): Stack {
  const over = unit === "bps" ? rows.length : 1;
  const of = (part: SlippagePart) => sum(rows, (row) => row[`${part}_${unit}`] ?? NaN) / over;
  const parts = {
    network: of("network"),
    protocol: of("protocol"),
    partner: of("partner"),
    market: of("market"),
  };
  return { name, fills: rows.length, slippage: sum(Object.values(parts)), parts };
}

function fillName(row: SlippageRow): string {
  const block = isNumber(row.block_number) ? `, block ${row.block_number}` : "";
  return `${row.kind} ${row.pair ?? shortHex(row.order_uid)}${block}`;
}

/**
 * How many fills there are whose four parts do not add up to their slippage, which says that their
 * rows are wrong.
 */
export function notAddingUp(rows: readonly SlippageRow[]): number {
  return rows.filter((row) => {
    const { parts, slippage } = stackOf("", [row], "bps");
    const gross = row.slippage_gross_bps;
    if (!isNumber(gross)) return false;
    const scale = Math.abs(gross) + sum(Object.values(parts), Math.abs);
    return Math.abs(slippage - gross) > 0.01 + scale * 1e-6;
  }).length;
}

/** The rows of bars, the fills in them, and what the caption says of the others. */
export function stacksOf(
  rows: readonly SlippageRow[],
  { limit, sort, unit, by }: {
    limit: number;
    sort?: string;
    unit: StackUnit;
    by: "pair" | "solver" | "kind" | "fill";
  },
): { stacks: readonly Stack[]; drawn: readonly SlippageRow[]; note: string | null } {
  if (by === "fill") {
    const each = rows.map((row) => ({ ...stackOf(fillName(row), [row], unit), row }));
    const stacks = (sort === undefined ? each : sortRows(each, sort)).slice(0, limit);
    const more = rows.length - stacks.length;
    return {
      stacks,
      drawn: stacks.map(({ row }) => row),
      note: more === 0 ? null : `The first ${limit} are drawn, ${wholeText(more)} are not`,
    };
  }
  const { groups, rest } = largestGroups(rows, (row) => row[by], { limit, noun: by });
  const names = by === "solver" ? solverNames(rows) : null;
  const stack = ({ key, rows }: Group<SlippageRow>): Stack => ({
    ...stackOf(names?.withAddress(key) ?? key, rows, unit),
    ...(names === null ? {} : { label: names.text(key) }),
  });
  const listed = sortRows(groups.map(stack), sort ?? "-fills", {
    name: ({ name, label }) => label ?? name,
  });
  return {
    stacks: [stackOf(ALL_FILLS, rows, unit), ...listed, ...(rest === null ? [] : [stack(rest)])],
    drawn: rows,
    note: rest === null
      ? null
      : `The ${limit} ${by}s with the most fills are listed; ${rest.key} share one row`,
  };
}
