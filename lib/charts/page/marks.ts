import { below, inherited, type SvgNode } from "./svg_tree.ts";

const SHAPES: ReadonlySet<string> = new Set(["rect", "circle", "path", "line"]);
const SCAFFOLD = /axis|grid/;

/** A drawn mark of the data, with the paint that it has of its own or of its group. */
export interface SvgMark {
  /** Its element. */
  readonly node: SvgNode;
  /** The group of marks that it belongs to: the element with the kind of mark in `aria-label`. */
  readonly group: SvgNode;
  /** Its fill; `none` for a line. */
  readonly fill: string;
  /** Its stroke; `none` where it has none. */
  readonly stroke: string;
}

/** The drawings inside a figure. */
export function panelsOf(root: SvgNode): SvgNode[] {
  return root.children.filter(({ name }) => name === "svg");
}

/** The marks inside a drawing, in drawing order; axes and grids are none. */
export function marksIn(panel: SvgNode): SvgMark[] {
  const marks: SvgMark[] = [];
  for (const node of below(panel)) {
    if (!SHAPES.has(node.name)) continue;
    const group = groupOf(node);
    if (group === undefined || SCAFFOLD.test(group.attributes["aria-label"]!)) continue;
    const fill = node.name === "line" ? "none" : inherited(node, "fill") ?? "none";
    marks.push({ node, group, fill, stroke: inherited(node, "stroke") ?? "none" });
  }
  return marks;
}

function groupOf(node: SvgNode): SvgNode | undefined {
  for (let at = node.parent; at !== undefined && at.name === "g"; at = at.parent) {
    if (at.attributes["aria-label"] !== undefined) return at;
  }
  return undefined;
}
