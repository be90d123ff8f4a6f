import { scale } from "@observablehq/plot";
import { InputError } from "../../errors/input_error.ts";
import { nearestText } from "../../errors/nearest_text.ts";
import { othersOf, quoted } from "../../errors/require_known.ts";
import { legendEntries } from "../page/legend_entries.ts";
import { repaint } from "../page/repaint.ts";
import type { LegendEntry } from "./figure.ts";

/** Colours that a caller chose. */
export interface ChosenColors {
  /** The colours, by name. */
  readonly colors: Readonly<Record<string, string>>;
  /** All that a colour may be chosen for; drawn, or not in this figure. */
  readonly series: readonly LegendEntry[];
  /** Beginning of error messages, such as `Cannot draw timeToFill`. */
  readonly action: string;
}

/**
 * A CSS colour in the one form in which all readers of a drawing know it: `#rrggbb`, or with `rgba`
 * where it is translucent.
 *
 * @returns `null` for what is no colour.
 */
export function cssColor(text: unknown): string | null {
  if (typeof text !== "string") return null;
  // Between a colour and another one, its own end is the same whatever the other is.
  const [one, other] = ["black", "white"].map((end) =>
    String(
      scale({
        color: { type: "linear", domain: [0, 1], range: [text, end], interpolate: "rgb" },
      }).apply(0),
    )
  );
  if (one === undefined || one !== other) return null;
  const [, ...parts] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(one) ?? [];
  return parts.length === 0
    ? one
    : `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** @throws {InputError} If a colour is none, naming it. */
export function requireColors(colors: ChosenColors["colors"], action: string): void {
  for (const [name, color] of Object.entries(colors)) {
    if (cssColor(color) !== null) continue;
    throw new InputError(`${action} with ${quoted(color)} as the color of ${quoted(name)}`, {
      remedy: "Pass a CSS colour, such as #0072b2, rgb(0, 114, 178) or steelblue",
    });
  }
}

/**
 * A drawing with chosen colours instead of its own.
 *
 * @param legend The legend as it is drawn.
 * @throws {InputError} If a name is not that of a series, naming those there are.
 */
export function withChosenColors(
  svg: string,
  legend: readonly LegendEntry[],
  { colors, series, action }: ChosenColors,
): string {
  const known = [...new Set([...legend, ...series].map(nameOf))];
  const unknown = Object.keys(colors).find((name) => !known.includes(name));
  if (unknown !== undefined) throw unknownName(unknown, known, action);
  const colorOf = (entry: LegendEntry) => {
    const color = Object.hasOwn(colors, nameOf(entry)) ? colors[nameOf(entry)] : undefined;
    return cssColor(color) ?? undefined;
  };
  return repaint(svg, (root) => {
    if (legend.length > 0) {
      return legendEntries(root).map((drawn, at) => ({ ...drawn, color: colorOf(legend[at]!) }));
    }
    return series.map((one) => ({
      fill: one.fill,
      stroke: one.stroke ?? "none",
      line: one.shape === "line" || one.shape === "tick",
      color: colorOf(one),
    }));
  });
}

function nameOf({ name, label }: LegendEntry): string {
  return name ?? label;
}

function unknownName(name: string, known: readonly string[], action: string): InputError {
  const nearest = nearestText(name, known);
  return new InputError(`${action} with a color for ${quoted(name)}, which it does not draw`, {
    remedy: known.length === 0
      ? "Leave colors out: nothing in this figure has a name"
      : nearest === undefined
      ? `Pass colors for ${known.map(quoted).join(", ")}`
      : `Pass a color for ${quoted(nearest)}${
        othersOf(known.map(quoted), quoted(nearest), "names")
      }`,
  });
}
