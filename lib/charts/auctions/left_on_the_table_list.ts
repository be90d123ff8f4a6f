import * as Plot from "@observablehq/plot";
import { alikeTexts } from "../texts/alike_texts.ts";
import { COLORS } from "../figure/colors.ts";
import { differenceAxis } from "../axes/difference_axis.ts";
import { type ComparedRow, executionTooltip, leftBps, otherBid } from "./left_on_the_table_row.ts";
import type { ListSize } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { isNumber } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { bpsTexts, withPlus } from "../texts/signed_text.ts";
import type { SolverNames } from "../texts/solver_names.ts";

/** Most left first: in native tokens where that is known of all, else in basis points. */
function mostLeftFirst(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const isPriced = rows.every((row) => isNumber(row.left_native));
  const left = (row: ComparedRow) => isPriced ? row.left_native ?? NaN : leftBps(row);
  return rows.toSorted((a, b) => left(b) - left(a));
}

/** What each execution left: in native tokens where that is known, else in basis points. */
function notesOf(rows: readonly ComparedRow[], native: string): string[] {
  const lefts = rows.map((row) => isNumber(row.left_native) ? row.left_native : null);
  const natives = alikeTexts(lefts.map((left) => left ?? 0));
  const differences = bpsTexts(rows.map(leftBps));
  return lefts.map((left, at) =>
    left === null ? differences[at]! : `${withPlus(natives[at]!, left)} ${native}`
  );
}

/** The executions with the most left: the executed bid, and the better one. */
export function leftOnTheTableList(
  better: readonly ComparedRow[],
  { limit, nativeSymbol, names, ...size }: ListSize & {
    limit: number;
    nativeSymbol: string;
    names: SolverNames;
  },
): Panel {
  const rows = mostLeftFirst(better).slice(0, limit);
  const axis = differenceAxis(
    rows.flatMap((row) => [row.executed_over_limit_bps, row.best_unexecuted_over_limit_bps]),
    "bps",
  );
  const y = (_: unknown, place: number) => place;
  const executed = (row: ComparedRow) => axis.place(row.executed_over_limit_bps);
  const best = (row: ComparedRow) => axis.place(row.best_unexecuted_over_limit_bps);
  const stroke = (row: ComparedRow) => otherBid(row).color;
  const dot = { y, r: 4.5, title: (row: ComparedRow) => executionTooltip(row, names) };
  return rankedList({
    ...size,
    heading: "Executions with the most left: filled dot = executed bid, hollow dot = better bid",
    labels: rows.map((row) => `${shortHex(row.order_uid)} ${row.pair ?? ""}`.trim()),
    axis,
    label: "Bid over the limit (bps), better →",
    marks: () => [
      Plot.ruleX([0], { stroke: COLORS.ink }),
      Plot.ruleY(rows, { x1: executed, x2: best, y, stroke, strokeWidth: 2 }),
      Plot.dot(rows, { ...dot, x: executed, fill: COLORS.blue, className: "executed" }),
      Plot.dot(rows, {
        ...dot,
        x: best,
        fill: "white",
        stroke,
        strokeWidth: 1.8,
        className: "other",
      }),
    ],
    column: notesOf(rows, nativeSymbol),
  });
}
