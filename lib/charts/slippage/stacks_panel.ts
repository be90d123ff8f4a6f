import * as Plot from "@observablehq/plot";
import { COLORS } from "../figure/colors.ts";
import { fixedAxis } from "../axes/value_axis.ts";
import type { ListSize } from "../axes/list_axis.ts";
import type { Panel } from "../figure/panel.ts";
import { rankedList } from "../marks/ranked_list.ts";
import { count, wholeText } from "../rows/row_selection.ts";
import { shortNames } from "../texts/short_names.ts";
import { signedText } from "../texts/signed_text.ts";
import { SLIPPAGE_PARTS, type Stack } from "./slippage_stacks.ts";
import { stackedBars } from "../marks/stacked_bars.ts";
import { sum } from "../numbers/statistics.ts";
import { reachOf } from "./stacks_range.ts";

/** How rows of bars are set. */
export interface StacksPanelOptions extends ListSize {
  /** From where to where the axis reaches; longer bars are cut off. */
  domain: readonly [number, number];
  /** Whether each row is one fill. */
  isEach: boolean;
  /** Label of the axis. */
  label: string;
  /** Writes one value with its unit. */
  text: (value: number) => string;
  /** Writes the values of all rows, in one form. */
  texts: (values: readonly number[]) => string[];
}

/** Draws rows of bars: costs left of zero, gains right of it, and where they come together. */
export function stacksPanel(
  stacks: readonly Stack[],
  { domain: [low, high], isEach, label, text, texts, ...size }: StacksPanelOptions,
): Panel {
  const parts = stacks.flatMap(({ name, parts }, place) =>
    SLIPPAGE_PARTS.filter((_, at) => isWithin(parts, at, [low, high])).map((one) => {
      const value = parts[one.part];
      return { place, value, fill: one.color, title: `${name}\n${one.label} ${text(value)}` };
    })
  );
  const slippages = texts(stacks.map(({ slippage }) => slippage));
  const grid = { grid: true, ticks: 6, tickFormat: signedText };
  return rankedList({
    ...size,
    labels: shortNames(stacks.map(({ name, label = name }) => label)),
    axis: fixedAxis({ type: "linear", domain: [low, high], clamp: true, ...grid }),
    label,
    marks: () => [
      stackedBars(parts, { stroke: "white", strokeWidth: 0.5, className: "part" }),
      Plot.ruleX([0], { stroke: COLORS.ink }),
      Plot.text(cutEnds(stacks, [low, high]), {
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
    ],
    column: stacks.map(({ fills }, at) =>
      isEach ? slippages[at]! : `${slippages[at]}, n = ${wholeText(fills)}`
    ),
  });
}

/** Whether a part has a length and begins within the axis: where those before it on its side end. */
function isWithin(parts: Stack["parts"], at: number, [low, high]: readonly [number, number]) {
  const values = SLIPPAGE_PARTS.slice(0, at + 1).map(({ part }) => parts[part]);
  const own = values.pop()!;
  const from = sum(values.filter((value) => value * own > 0));
  return own > 0 ? from < high : own < 0 && from > low;
}

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
