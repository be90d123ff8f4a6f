import type { SvgNode } from "./svg_tree.ts";

/** One entry of the legend of a drawn figure. */
export interface DrawnEntry {
  /** What shows the paint. */
  readonly swatch: SvgNode;
  /** Its fill; `none` for a line. */
  readonly fill: string;
  /** Its stroke; `none` where it has none. */
  readonly stroke: string;
  /** Whether it stands for lines: for their stroke, not for a fill. */
  readonly line: boolean;
  /** The lines of its label. */
  readonly labels: readonly SvgNode[];
}

const SWATCHES: ReadonlySet<string> = new Set(["rect", "circle", "path"]);

/** The entries of the legend: swatches above the first drawing, each followed by its label. */
export function legendEntries(root: SvgNode): DrawnEntry[] {
  const entries: DrawnEntry[] = [];
  const { children } = root;
  for (const [place, swatch] of children.entries()) {
    if (swatch.name === "svg") break;
    const { fill = "none", stroke = "none" } = swatch.attributes;
    if (!SWATCHES.has(swatch.name) || swatch.attributes["stroke-width"] === undefined) continue;
    const labels = labelsAt(children, place + 1);
    if (labels.length === 0) continue;
    entries.push({ swatch, fill, stroke, line: swatch.name === "path", labels });
  }
  return entries;
}

/** The texts from a place on that stand one under the other. */
function labelsAt(children: readonly SvgNode[], place: number): SvgNode[] {
  const labels: SvgNode[] = [];
  const x = children[place]?.attributes["x"];
  for (const node of children.slice(place)) {
    if (node.name !== "text" || node.attributes["x"] !== x) break;
    labels.push(node);
  }
  return labels;
}
