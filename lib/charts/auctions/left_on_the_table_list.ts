import * as Plot from "@observablehq/plot";
import { alikeTexts } from "../texts/alike_texts.ts";
import type { ChartOptions } from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { differenceAxis } from "../axes/difference_axis.ts";
import { labelRoom } from "../texts/label_size.ts";
import { type ComparedRow, executionTooltip, leftBps, otherBid } from "./left_on_the_table_row.ts";
import { listAxis } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { isNumber } from "../rows/row_selection.ts";
import { shortHex } from "../texts/short_hex.ts";
import { bpsTexts, withPlus } from "../texts/signed_text.ts";

const NOTE_GAP = 10;

/** Most left first: in native tokens where that is known of all, else in basis points. */
function mostLeftFirst(rows: readonly ComparedRow[]): readonly ComparedRow[] {
  const isPriced = rows.every((row) => isNumber(row.left_native));
  const left = (row: ComparedRow) => isPriced ? row.left_native ?? NaN : leftBps(row);
  return rows.toSorted((a, b) => left(b) - left(a));
}

/** The executions with the most left: the executed bid, and the better one. */
export function leftOnTheTableList(
  better: readonly ComparedRow[],
  options: ChartOptions & { limit: number; native: string; width: number },
): Panel | null {
  const rows = mostLeftFirst(better).slice(0, options.limit);
  if (rows.length === 0) return null;
  const axis = differenceAxis(
    rows.flatMap((row) => [row.executed_over_limit_bps, row.best_unexecuted_over_limit_bps]),
    "bps",
  );
  const labels = rows.map((row) => `${shortHex(row.order_uid)} ${row.pair ?? ""}`.trim());
  const natives = alikeTexts(
    rows.map((row) => isNumber(row.left_native) ? row.left_native : 0),
  );
  const differences = bpsTexts(rows.map(leftBps));
  const notes = rows.map((row, at) =>
    isNumber(row.left_native)
      ? `${withPlus(natives[at] ?? "", row.left_native)} ${options.native}`
      : differences[at] ?? ""
  );
  const y = (_: unknown, place: number) => place;
  const executed = (row: ComparedRow) => axis.place(row.executed_over_limit_bps);
  const best = (row: ComparedRow) => axis.place(row.best_unexecuted_over_limit_bps);
  const { width } = options;
  return {
    heading: "Executions with the most left: filled dot = executed bid, hollow dot = better bid",
    plot: {
      ...listAxis(labels, { width, marginLeft: options.marginLeft }),
      marginRight: labelRoom(notes) + NOTE_GAP,
      x: { ...axis.scale, label: "Bid over the limit (bps), better →", labelAnchor: "center" },
      marks: [
        Plot.ruleX([0], { stroke: COLORS.ink }),
        Plot.ruleY(rows, {
          x1: executed,
          x2: best,
          y,
          stroke: (row: ComparedRow) => otherBid(row).color,
          strokeWidth: 2,
        }),
        Plot.dot(rows, {
          x: executed,
          y,
          r: 4.5,
          fill: COLORS.blue,
          title: executionTooltip,
          className: "executed",
        }),
        Plot.dot(rows, {
          x: best,
          y,
          r: 4.5,
          fill: "white",
          stroke: (row: ComparedRow) => otherBid(row).color,
          strokeWidth: 1.8,
          title: executionTooltip,
          className: "other",
        }),
        Plot.text(notes, {
          y,
          text: (note: string) => note,
          frameAnchor: "right",
          textAnchor: "start",
          dx: NOTE_GAP,
        }),
      ],
    },
  };
}
