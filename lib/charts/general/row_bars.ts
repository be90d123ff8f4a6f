import * as Plot from "@observablehq/plot";
import { lowerFirst } from "../../units/format.ts";
import type { Chart } from "../figure/chart.ts";
import { COLORS } from "../looks.ts";
import { fitText, formatNumber } from "../texts/label_text.ts";
import { readText } from "../rows.ts";
import { describeColumn, formatColumnLabel, formatValue, readNumber } from "./column_text.ts";
import { figure } from "./figure.ts";

const MAX_BARS = 30;
const BAR_HEIGHT = 24;
/** Part of the width for labels. */
const LABELS = 0.32;

/** Draws a column of numbers as one bar per row, in their order, named by a column of texts. */
export function drawRowBars(
  rows: readonly object[],
  { x, y, width }: { readonly x: string; readonly y: string; readonly width: number },
): Chart {
  const bars = rows.slice(0, MAX_BARS).map((row, index) => ({
    index,
    name: fitText(readText(row, x) ?? "–", width * LABELS - 16),
    value: readNumber(row, y),
  }));
  const [across, up] = [describeColumn(x), describeColumn(y)];
  const title = (bar: (typeof bars)[number]) =>
    `${bar.name}: ${bar.value === null ? "–" : formatValue(bar.value, up)}`;
  const channels = { x: "value", y: "index", fill: COLORS.blue };
  const label = `${formatColumnLabel(up)} →`;
  return figure({
    marks: [
      Plot.barX(bars.filter(({ value }) => value !== null), { ...channels, title }),
      Plot.ruleX([0]),
    ],
    x: { label, grid: true, nice: true, tickFormat: formatNumber, ticks: 5 },
    y: {
      label: null,
      type: "band",
      padding: 0.25,
      domain: bars.map(({ index }) => index),
      tickFormat: (index: number) => bars[index]!.name,
    },
    height: 90 + bars.length * BAR_HEIGHT,
  }, {
    width,
    title: `${up.name} by ${lowerFirst(across.name)}`,
    ...rows.length > MAX_BARS && { caption: `The first ${MAX_BARS} of ${rows.length} rows.` },
  });
}
