import * as Plot from "@observablehq/plot";
import type { Chart } from "../figure/chart.ts";
import { COLORS } from "../looks.ts";
import { axisText, fitText } from "../texts/label_text.ts";
import { columnLabel, columnText, inSentence, numberIn, textIn, valueText } from "./column_text.ts";
import { figure } from "./figure.ts";

/** Rows that are drawn, and pixels of each. */
const MOST_BARS = 30;
const BAR_HEIGHT = 24;
/** Pixels of the labels, of the width. */
const LABELS = 0.32;

/** Draws a column of numbers as a bar for each row, in their order, named by a column of texts. */
export function rowBars(
  rows: readonly object[],
  { x, y, width }: { readonly x: string; readonly y: string; readonly width: number },
): Chart {
  const bars = rows.slice(0, MOST_BARS).map((row, place) => ({
    place,
    name: fitText(textIn(row, x) ?? "–", width * LABELS - 16),
    value: numberIn(row, y),
  }));
  const [across, up] = [columnText(x), columnText(y)];
  const title = (bar: (typeof bars)[number]) =>
    `${bar.name}: ${bar.value === null ? "–" : valueText(bar.value, up)}`;
  return figure({
    marks: [
      Plot.barX(bars.filter(({ value }) => value !== null), {
        x: "value",
        y: "place",
        fill: COLORS.blue,
        title,
      }),
      Plot.ruleX([0]),
    ],
    x: { label: `${columnLabel(up)} →`, grid: true, nice: true, tickFormat: axisText, ticks: 5 },
    y: {
      label: null,
      type: "band",
      padding: 0.25,
      domain: bars.map(({ place }) => place),
      tickFormat: (place: number) => bars[place]!.name,
    },
    height: 90 + bars.length * BAR_HEIGHT,
  }, {
    width,
    title: `${up.name} by ${inSentence(across.name)}`,
    ...rows.length > MOST_BARS && { caption: `The first ${MOST_BARS} of ${rows.length} rows.` },
  });
}
