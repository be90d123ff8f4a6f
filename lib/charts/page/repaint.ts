import type { DrawnEntry } from "./legend_entries.ts";
import { marksIn, panelsOf, type SvgMark } from "./marks.ts";
import { contrast, LIGHT_PAPER, NEUTRALS } from "./paints.ts";
import { seriesOf } from "./series.ts";
import { readSvg, type SvgNode, withAttributes } from "./svg_tree.ts";
import { textsOnMarks } from "./texts_on_marks.ts";

/** What is painted anew: an entry of the legend, or a series without one. */
export interface Repainted extends Pick<DrawnEntry, "fill" | "stroke" | "line"> {
  /** What shows the paint in the legend, if something does. */
  readonly swatch?: SvgNode | undefined;
  /** Its colour from now on; `undefined` where it stays. */
  readonly color: string | undefined;
}

/** Colour of texts where a white one can be read less well. */
const INK = "#1f2328";
const NEUTRAL: ReadonlySet<string> = new Set(["none", ...NEUTRALS.map(({ color }) => color)]);

/** A drawing whose marks, and what the legend shows of them, have other colours. */
export function repaint(
  svg: string,
  entriesOf: (root: SvgNode) => readonly Repainted[],
): string {
  const root = readSvg(svg);
  const entries = entriesOf(root);
  const changes = new Map<SvgNode, Record<string, string>>();
  for (const entry of entries) {
    if (entry.swatch !== undefined) change(changes, entry.swatch, entry, entry);
  }
  for (const panel of panelsOf(root)) {
    const marks = marksIn(panel);
    const series = seriesOf(marks, entries.map((one) => ({ ...one, labels: [], swatch: root })));
    const newFills = new Map<SvgMark, string>();
    for (const mark of marks) {
      const entry = entries[series.get(mark.node) ?? -1];
      if (entry === undefined) continue;
      const { fill } = change(changes, mark.node, mark, entry);
      if (fill !== undefined) newFills.set(mark, fill);
    }
    for (const { text, mark } of textsOnMarks(panel, marks)) {
      const under = newFills.get(mark);
      if (under !== undefined) changes.set(text, { fill: readable(under) });
    }
  }
  return withAttributes(svg, changes);
}

/** Notes the new paint of an element, where the old one is that of its entry. */
function change(
  changes: Map<SvgNode, Record<string, string>>,
  node: SvgNode,
  { fill, stroke }: Pick<SvgMark, "fill" | "stroke">,
  entry: Repainted,
): Record<string, string> {
  const { color } = entry;
  const own = ownPaints(entry);
  const changed = color === undefined ? {} : {
    ...(own.has(fill) ? { fill: color } : {}),
    ...(own.has(stroke) ? { stroke: color } : {}),
  };
  if (Object.keys(changed).length > 0) changes.set(node, changed);
  return changed;
}

/** The colours of an entry that tell it from others: hues, or a neutral fill where it has none. */
function ownPaints({ fill, stroke }: Repainted): ReadonlySet<string> {
  const hues = [fill, stroke].filter((paint) => !NEUTRAL.has(paint));
  if (hues.length > 0) return new Set(hues);
  return new Set(
    [fill, stroke].filter((paint) => paint !== "none" && paint !== "white").slice(0, 1),
  );
}

/** White or ink, whichever can be read better on a colour. */
function readable(under: string): string {
  const white = contrast(LIGHT_PAPER, under) ?? 0;
  return white > (contrast(INK, under) ?? 1) ? "white" : INK;
}
