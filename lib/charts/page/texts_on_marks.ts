import type { SvgMark } from "./marks.ts";
import { contrast, DARK_PAPER, onDark } from "./paints.ts";
import { below, inherited, type SvgNode } from "./svg_tree.ts";

/** A text that stands on a mark. */
export interface TextOnMark {
  /** The text. */
  readonly text: SvgNode;
  /** The uppermost mark under it. */
  readonly mark: SvgMark;
  /** Whether its colour stays on a dark page, because the mark's does. */
  readonly stays: boolean;
}

interface Box {
  readonly mark: SvgMark;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Distance of a point inside a text from where it is anchored, in pixels. */
const INSIDE = 3;
/** From this opacity on, a mark is what a text stands on. */
const SOLID = 0.5;

/** The texts of a drawing that stand on bars or cells of it. */
export function textsOnMarks(panel: SvgNode, marks: readonly SvgMark[]): TextOnMark[] {
  const boxes = marks.flatMap(boxOf);
  const found: TextOnMark[] = [];
  for (const text of below(panel)) {
    if (text.name !== "text" || inherited(text, "paint-order") === "stroke") continue;
    const { x, y } = pointOf(text);
    const box = boxes.findLast((box) =>
      x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
    );
    if (box !== undefined) found.push({ text, mark: box.mark, stays: stays(text, box.mark) });
  }
  return found;
}

function boxOf(mark: SvgMark): Box[] {
  const { node, fill } = mark;
  if (node.name !== "rect" || fill === "none" || fill === "white") return [];
  if (Number(inherited(node, "fill-opacity") ?? 1) < SOLID) return [];
  const [x = NaN, y = NaN, width = NaN, height = NaN] = ["x", "y", "width", "height"]
    .map((name) => Number(node.attributes[name]));
  const [dx, dy] = shiftOf(node);
  return [{ mark, left: x + dx, top: y + dy, right: x + dx + width, bottom: y + dy + height }];
}

function pointOf(text: SvgNode): { x: number; y: number } {
  const [dx, dy] = shiftOf(text);
  const [x, y] = ["x", "y"].map((name) => parseFloat(text.attributes[name] ?? "0"));
  const inEm = text.attributes["y"]?.endsWith("em") === true;
  const anchor = inherited(text, "text-anchor");
  const inside = anchor === "middle" ? 0 : anchor === "end" ? -INSIDE : INSIDE;
  return { x: dx + x! + inside, y: dy + (inEm ? 0 : y!) };
}

/** How far an element and those around it are moved inside their drawing. */
function shiftOf(node: SvgNode): [number, number] {
  let [x, y] = [0, 0];
  for (let at: SvgNode | undefined = node; at !== undefined && at.name !== "svg"; at = at.parent) {
    const [, dx, dy] = /translate\(([-\d.e]+)[ ,]+([-\d.e]+)\)/.exec(
      at.attributes["transform"] ?? "",
    ) ?? [];
    x += Number(dx ?? 0);
    y += Number(dy ?? 0);
  }
  return [x, y];
}

function stays(text: SvgNode, mark: SvgMark): boolean {
  const color = inherited(text, "fill") ?? "#000000";
  const under = onDark(mark.fill);
  const asIs = contrast(color, under) ?? 0;
  const turned = contrast(color === "white" ? DARK_PAPER : onDark(color), under) ?? 0;
  return asIs > turned;
}
