import { scale } from "@observablehq/plot";
import { describeValue, formatAlternatives } from "../../errors/option_rules.ts";
import { findNearestText, InputError } from "../../errors/orderlens_error.ts";
import { COLORS, type LegendEntry } from "../looks.ts";
import {
  type DrawnEntry,
  findTextsOnMarks,
  listMarks,
  listPanels,
  matchSeries,
  readLegend,
  type SvgMark,
} from "../page/series.ts";
import {
  computeContrast,
  LIGHT_PAPER,
  NEUTRALS,
  readSvg,
  setAttributes,
  type SvgNode,
} from "../page/svg_tree.ts";

export interface ChosenColors {
  readonly colors: Readonly<Record<string, string>>;
  /** Everything that a colour may be chosen for, drawn or not. */
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
export function parseColor(text: unknown): string | null {
  if (typeof text !== "string") return null;
  // Between a colour and another one, its own end is the same whatever the other is.
  const [color, colorToWhite] = ["black", "white"].map((end) =>
    String(
      scale({
        color: { type: "linear", domain: [0, 1], range: [text, end], interpolate: "rgb" },
      }).apply(0),
    )
  );
  if (color === undefined || color !== colorToWhite) return null;
  const [, ...parts] = /^rgb\((\d+), (\d+), (\d+)\)$/.exec(color) ?? [];
  return parts.length === 0
    ? color
    : `#${parts.map((part) => Number(part).toString(16).padStart(2, "0")).join("")}`;
}

/** @throws {InputError} If a value is not a CSS colour; the message names it. */
export function requireColors(colors: ChosenColors["colors"], action: string): void {
  for (const [name, color] of Object.entries(colors)) {
    if (parseColor(color) !== null) continue;
    throw new InputError(
      `${action} with ${describeValue(color)} as the color of ${describeValue(name)}`,
      { remedy: "Pass a CSS color, such as #0072b2, rgb(0, 114, 178) or steelblue" },
    );
  }
}

/**
 * A drawing with chosen colours instead of its own.
 *
 * @param legend The legend as it is drawn.
 * @throws {InputError} If a name is not that of a series, naming those there are.
 */
export function applyColors(
  svg: string,
  legend: readonly LegendEntry[],
  { colors, series, action }: ChosenColors,
): string {
  const names = [...new Set([...legend, ...series].map(readName))];
  const unknownName = Object.keys(colors).find((name) => !names.includes(name));
  if (unknownName !== undefined) throw createUnknownNameError(unknownName, names, action);
  const findColor = (entry: LegendEntry) => {
    const color = Object.hasOwn(colors, readName(entry)) ? colors[readName(entry)] : undefined;
    return parseColor(color) ?? undefined;
  };
  return repaint(svg, (root) => {
    if (legend.length > 0) {
      return readLegend(root).map((entry, index) => ({
        ...entry,
        color: findColor(legend[index]!),
      }));
    }
    return series.map((entry) => ({
      fill: entry.fill,
      stroke: entry.stroke ?? "none",
      line: entry.shape === "line" || entry.shape === "tick",
      color: findColor(entry),
    }));
  });
}

function readName({ name, label }: LegendEntry): string {
  return name ?? label;
}

function createUnknownNameError(
  name: string,
  names: readonly string[],
  action: string,
): InputError {
  const nearest = findNearestText(name, names);
  return new InputError(
    `${action} with a color for ${describeValue(name)}, which it does not draw`,
    {
      remedy: names.length === 0
        ? "Leave colors out: nothing in this figure has a name"
        : nearest === undefined
        ? `Pass colors for ${names.map(describeValue).join(", ")}`
        : `Pass a color for ${describeValue(nearest)}` +
          formatAlternatives(names.map(describeValue), describeValue(nearest), "names"),
    },
  );
}

/** A legend entry or unlabelled series whose colour is overridden. */
interface RecolorTarget extends Pick<DrawnEntry, "fill" | "stroke" | "line"> {
  /** Swatch in the legend, if it has one. */
  readonly swatch?: SvgNode | undefined;
  /** Its new colour; `undefined` if it stays. */
  readonly color: string | undefined;
}

const NEUTRAL: ReadonlySet<string> = new Set(["none", ...NEUTRALS.map(({ color }) => color)]);

/** Recolours marks, and their swatches in the legend. */
function repaint(svg: string, listEntries: (root: SvgNode) => readonly RecolorTarget[]): string {
  const root = readSvg(svg);
  const entries = listEntries(root);
  const changes = new Map<SvgNode, Record<string, string>>();
  for (const entry of entries) {
    if (entry.swatch !== undefined) changePaint(changes, entry.swatch, entry, entry);
  }
  for (const panel of listPanels(root)) {
    const marks = listMarks(panel);
    const series = matchSeries(
      marks,
      entries.map((target) => ({ ...target, labels: [], swatch: root })),
    );
    const newFills = new Map<SvgMark, string>();
    for (const mark of marks) {
      const entry = entries[series.get(mark.node) ?? -1];
      if (entry === undefined) continue;
      const { fill } = changePaint(changes, mark.node, mark, entry);
      if (fill !== undefined) newFills.set(mark, fill);
    }
    for (const { text, mark } of findTextsOnMarks(panel, marks)) {
      const background = newFills.get(mark);
      if (background !== undefined) changes.set(text, { fill: pickReadable(background) });
    }
  }
  return setAttributes(svg, changes);
}

/** Notes the new paint of an element whose old paint is that of its entry. */
function changePaint(
  changes: Map<SvgNode, Record<string, string>>,
  node: SvgNode,
  { fill, stroke }: Pick<SvgMark, "fill" | "stroke">,
  entry: RecolorTarget,
): Record<string, string> {
  const { color } = entry;
  const ownPaints = listOwnPaints(entry);
  const newPaints = color === undefined ? {} : {
    ...(ownPaints.has(fill) ? { fill: color } : {}),
    ...(ownPaints.has(stroke) ? { stroke: color } : {}),
  };
  if (Object.keys(newPaints).length > 0) changes.set(node, newPaints);
  return newPaints;
}

/** Lists the colours that tell an entry from others: hues, or a neutral fill if it has none. */
function listOwnPaints({ fill, stroke }: RecolorTarget): ReadonlySet<string> {
  const hues = [fill, stroke].filter((paint) => !NEUTRAL.has(paint));
  if (hues.length > 0) return new Set(hues);
  return new Set(
    [fill, stroke].filter((paint) => paint !== "none" && paint !== "white").slice(0, 1),
  );
}

/** Picks white or ink, whichever reads better on a colour. */
function pickReadable(background: string): string {
  const white = computeContrast(LIGHT_PAPER, background) ?? 0;
  return white > (computeContrast(COLORS.ink, background) ?? 1) ? "white" : COLORS.ink;
}
