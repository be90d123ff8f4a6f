import * as Plot from "@observablehq/plot";
import type { ChartOptions } from "../figure/chart_options.ts";
import { COLORS } from "../figure/colors.ts";
import { labelRoom } from "../texts/label_size.ts";
import { listAxis } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { count, wholeText } from "../rows/row_selection.ts";
import { shortNames } from "../texts/short_names.ts";
import { signedText } from "../texts/signed_text.ts";
import { SLIPPAGE_PARTS, type Stack } from "./slippage_stacks.ts";
import { reachOf } from "./stacks_range.ts";

const NOTE_GAP = 10;

/** How rows of bars are set. */
export interface StacksPanelOptions extends ChartOptions {
  /** From where to where the axis reaches, before it is rounded; longer bars are cut off. */
  domain: readonly [number, number];
  /** Whether each row is one fill. */
  isEach: boolean;
  /** Label of the axis. */
  label: string;
  /** Writes one value. */
  text: ValueText;
  /** Writes the values of all rows, in one form. */
  texts: (values: readonly number[]) => string[];
  /** Width of the panel, in pixels. */
  width: number;
}

interface Segment {
  place: number;
  from: number;
  to: number;
  color: string;
  title: string;
}

/** Costs pile up to the left of zero and gains to the right; what is beyond the axis is cut off. */
function segmentsOf(
  stack: Stack,
  place: number,
  { domain: [low, high], text }: { domain: readonly [number, number]; text: ValueText },
): Segment[] {
  const within = (value: number) => Math.min(high, Math.max(low, value));
  let [left, right] = [0, 0];
  return SLIPPAGE_PARTS.map(({ part, label, color }) => {
    const value = stack.parts[part];
    const from = value < 0 ? left : right;
    if (value < 0) left += value;
    else right += value;
    const title = `${stack.name}\n${label} ${text(value)}`;
    return { place, from: within(from), to: within(from + value), color, title };
  });
}

/** Draws rows of bars: costs left of zero, gains right of it, and where they come together. */
export function stacksPanel(
  stacks: readonly Stack[],
  options: StacksPanelOptions,
): Panel {
  const { isEach, label, text, texts } = options;
  const [low, high] = niceEnds(options.domain);
  const segments = stacks.flatMap((stack, place) =>
    segmentsOf(stack, place, { domain: [low, high], text })
  );
  const slippages = texts(stacks.map(({ slippage }) => slippage));
  const notes = stacks.map(({ fills }, place) =>
    `${slippages[place]}${isEach ? "" : `, n = ${wholeText(fills)}`}`
  );
  const cuts = cutEnds(stacks, [low, high]);
  return {
    plot: {
      ...listAxis(shortNames(stacks.map(({ name }) => name)), options),
      marginRight: labelRoom(notes) + NOTE_GAP,
      x: {
        label,
        labelAnchor: "center",
        grid: true,
        ticks: 6,
        tickFormat: signedText,
        domain: [low, high],
      },
      marks: [
        Plot.barX(segments.filter(({ from, to }) => from !== to), {
          x1: "from",
          x2: "to",
          y: "place",
          fill: "color",
          stroke: "white",
          strokeWidth: 0.5,
          title: "title",
          className: "part",
        }),
        Plot.ruleX([0], { stroke: COLORS.ink }),
        Plot.text(cuts, {
          x: "end",
          y: "place",
          text: ({ end }: { end: number }) => end === low ? "◀" : "▶",
          fill: COLORS.ink,
          stroke: "white",
          strokeWidth: 3,
          className: "cut",
        }),
        Plot.dot(stacks.filter(({ slippage }) => slippage >= low && slippage <= high), {
          x: "slippage",
          y: (stack: Stack) => stacks.indexOf(stack),
          r: 4,
          fill: "white",
          stroke: COLORS.ink,
          strokeWidth: 1.5,
          title: ({ name, slippage, fills }: Stack) =>
            `${name}\n${count(fills, "fill")}\ntogether ${text(slippage)}`,
          className: "together",
        }),
        Plot.text(notes, {
          y: (_: string, place: number) => place,
          text: (note: string) => note,
          frameAnchor: "right",
          textAnchor: "start",
          dx: NOTE_GAP,
        }),
      ],
    },
  };
}

/** Writes a value with its unit. */
export type ValueText = (value: number) => string;

/** The ends of an axis at round numbers. */
export function niceEnds(domain: readonly [number, number]): [number, number] {
  const { domain: ends } = Plot.scale({ x: { type: "linear", domain: [...domain], nice: true } });
  const [low = -1, high = 1] = [...ends ?? []].map(Number);
  return [low, high];
}

/** Ends of the axis at which a row of bars is cut off. */
export function cutEnds(
  stacks: readonly Stack[],
  [low, high]: readonly [number, number],
): { place: number; end: number }[] {
  return stacks.flatMap((stack, place) => {
    const [left, right] = reachOf(stack);
    return [...(left < low ? [low] : []), ...(right > high ? [high] : [])]
      .map((end) => ({ place, end }));
  });
}
