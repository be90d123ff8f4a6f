import * as Plot from "@observablehq/plot";
import { linearAxis } from "../axes/axis_scale.ts";
import { COLORS } from "../figure/colors.ts";
import type { Panel } from "../figure/panel.ts";
import { numberAxis } from "../general/place_axis.ts";
import { dotPlot } from "../marks/dot_plot.ts";
import { extent } from "../numbers/statistics.ts";
import { isNumber, wholeText } from "../rows/row_selection.ts";
import { exactText } from "../texts/axis_text.ts";
import { signedText, withPlus } from "../texts/signed_text.ts";
import type { SolverNames } from "../texts/solver_names.ts";
import type { RunningTotal, TotalSeries } from "./running_totals.ts";

/** Above this number of settlements, dots are small, and from the second on there are none. */
const [SMALL_FROM, NO_DOTS_FROM] = [150, 2_000];
const MARGIN_LEFT = 60;
const HEIGHT = 320;
/** Tokens that a tooltip lists. */
const MOST_TOKENS = 8;

/** How the totals are drawn. */
export interface TotalsSize {
  readonly names: SolverNames;
  readonly native: string;
  readonly height?: number | undefined;
  readonly marginLeft?: number | undefined;
}

/** A panel with a line per series, which steps at each settlement. */
export function totalsPanel(
  series: readonly TotalSeries[],
  { names, native, height = HEIGHT, marginLeft = MARGIN_LEFT }: TotalsSize,
): Panel {
  const blocks = series.flatMap(({ totals }) => totals.map(({ block }) => block));
  const [first = 0, last = 0] = extent(blocks);
  const pad = first === last ? 1 : (last - first) * 0.02;
  const [from, to] = [first - pad, last + pad];
  const values = series.flatMap(({ totals }) => totals.map(({ total }) => total));
  return dotPlot({
    height,
    marginLeft,
    x: numberAxis([from, to], "Block"),
    y: linearAxis(values, {
      label: `Left in the contract since the first block (${native})`,
      towards: "up",
    }),
    marks: [
      Plot.ruleY([0], { stroke: COLORS.ink }),
      ...series.flatMap(({ color, totals, total }) => [
        Plot.line([{ block: from, total: 0 }, ...totals, { block: to, total }], {
          x: "block",
          y: "total",
          curve: "step-after",
          stroke: color,
          strokeWidth: 1.6,
          className: "total",
        }),
        ...(blocks.length > NO_DOTS_FROM ? [] : [
          Plot.dot(totals, {
            x: "block",
            y: "total",
            r: blocks.length > SMALL_FROM ? 1.8 : 2.8,
            fill: color,
            title: (one: RunningTotal) => titleOf(one, { names, native }),
            className: "settlement",
          }),
        ]),
      ]),
    ],
  });
}

function titleOf(
  { block, solver, value, total, rows }: RunningTotal,
  { names, native }: Pick<TotalsSize, "names" | "native">,
): string {
  const moved = rows.filter((row) => row.net_value_native !== 0);
  return [
    names.withHex(solver),
    `block ${wholeText(block)}: ${withPlus(exactText(value), value)} ${native}`,
    ...moved.slice(0, MOST_TOKENS).map(({ symbol, net_value_native: net }) =>
      `  ${symbol ?? "a token"} ${isNumber(net) ? signedText(net) : "of unknown value"}`
    ),
    moved.length > MOST_TOKENS ? `  and ${moved.length - MOST_TOKENS} more tokens` : null,
    `total ${signedText(total)} ${native}`,
  ].filter((line) => line !== null).join("\n");
}
