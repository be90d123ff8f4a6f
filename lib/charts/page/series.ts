import {
  computeContrast,
  DARK_PAPER,
  listDescendants,
  NEUTRALS,
  readInherited,
  type SvgNode,
  toDark,
} from "./svg_tree.ts";

/** From this width on, in pixels, a line is drawn as a bar. */
const BAR_WIDTH = 6;
const UNCOLORED: ReadonlySet<string> = new Set([
  "none",
  "currentColor",
  ...NEUTRALS.map(({ color }) => color),
]);

/**
 * Matches each mark to the legend entry with its paint. Marks of which the legend
 * says nothing are missing, such as a line at zero.
 */
export function matchSeries(
  marks: readonly SvgMark[],
  entries: readonly DrawnEntry[],
): Map<SvgNode, number> {
  // An outline tells entries apart, as soon as the marks have it.
  const outlined = new Set(
    entries.filter((entry) => marks.some((mark) => isPainted(mark, entry))),
  );
  const entryByNode = new Map<SvgNode, number>();
  for (const mark of marks) {
    const entry = mark.fill === "none"
      ? findByLine(mark, entries)
      : findByFill(mark, entries, outlined);
    if (entry !== undefined) entryByNode.set(mark.node, entries.indexOf(entry));
  }
  return entryByNode;
}

function isPainted({ fill, stroke }: SvgMark, entry: DrawnEntry): boolean {
  return !entry.line && fill === entry.fill && stroke === entry.stroke;
}

function findByFill(
  mark: SvgMark,
  entries: readonly DrawnEntry[],
  outlined: ReadonlySet<DrawnEntry>,
): DrawnEntry | undefined {
  if (isScaffold(mark, "fill", mark.fill)) return undefined;
  const areas = entries.filter(({ line }) => !line);
  const exact = areas.find((entry) => isPainted(mark, entry));
  if (exact !== undefined) return exact;
  if (UNCOLORED.has(mark.fill) && mark.fill !== "none") {
    const grey = areas.find((entry) => entry.fill === mark.fill && entry.stroke === "none");
    return grey ?? (hasOwnPaint(mark, "stroke") ? findByStroke(mark, areas) : undefined);
  }
  return areas.find((entry) =>
    entry.fill === mark.fill && (entry.stroke === "none" || !outlined.has(entry))
  );
}

function findByLine(mark: SvgMark, entries: readonly DrawnEntry[]): DrawnEntry | undefined {
  if (isScaffold(mark, "stroke", mark.stroke)) return undefined;
  const areas = entries.filter(({ line }) => !line);
  const [width, groupWidth] = [mark.node, mark.group].map((node) =>
    node.attributes["stroke-width"]
  );
  if (Number(width ?? groupWidth ?? 1) >= BAR_WIDTH) {
    const bar = areas.find(({ fill }) => fill === mark.stroke);
    if (bar !== undefined) return bar;
  }
  const line = entries.find((entry) => entry.line && entry.stroke === mark.stroke);
  return line ?? (hasOwnPaint(mark, "stroke") ? findByStroke(mark, areas) : undefined);
}

/** Finds the entry whose colour outlines something, or draws its stem. */
function findByStroke({ stroke }: SvgMark, areas: readonly DrawnEntry[]): DrawnEntry | undefined {
  return areas.find((entry) => entry.stroke === stroke) ??
    areas.find((entry) => entry.stroke === "none" && entry.fill === stroke);
}

function hasOwnPaint({ node }: SvgMark, attribute: "fill" | "stroke"): boolean {
  return node.attributes[attribute] !== undefined;
}

/** Whether marks are part of the scaffold: nameless, and all in one neutral colour. */
function isScaffold(mark: SvgMark, attribute: "fill" | "stroke", color: string): boolean {
  return mark.group.attributes["class"] === undefined && !hasOwnPaint(mark, attribute) &&
    UNCOLORED.has(color);
}

export interface DrawnEntry {
  readonly swatch: SvgNode;
  /** Its fill; `none` for a line. */
  readonly fill: string;
  readonly stroke: string;
  /** Whether it stands for lines, by stroke instead of fill. */
  readonly line: boolean;
  readonly labels: readonly SvgNode[];
}

const SWATCHES: ReadonlySet<string> = new Set(["rect", "circle", "path"]);

/** Reads the legend: swatches above the first drawing, each followed by its label. */
export function readLegend(root: SvgNode): DrawnEntry[] {
  const entries: DrawnEntry[] = [];
  const { children } = root;
  for (const [index, swatch] of children.entries()) {
    if (swatch.name === "svg") break;
    const { fill = "none", stroke = "none" } = swatch.attributes;
    if (!SWATCHES.has(swatch.name) || swatch.attributes["stroke-width"] === undefined) continue;
    const labels = readLabels(children, index + 1);
    if (labels.length === 0) continue;
    entries.push({ swatch, fill, stroke, line: swatch.name === "path", labels });
  }
  return entries;
}

/** Reads the texts from an index on that stand one under the other. */
function readLabels(children: readonly SvgNode[], index: number): SvgNode[] {
  const labels: SvgNode[] = [];
  const x = children[index]?.attributes["x"];
  for (const node of children.slice(index)) {
    if (node.name !== "text" || node.attributes["x"] !== x) break;
    labels.push(node);
  }
  return labels;
}

/** Distance of a point inside a text from where it is anchored, in pixels. */
const INSIDE = 3;
/** Minimum opacity of a mark under a text. */
const SOLID = 0.2;

/** Finds the texts of a drawing that stand on its bars or cells. */
export function findTextsOnMarks(panel: SvgNode, marks: readonly SvgMark[]) {
  const boxes = marks.flatMap(measureBox);
  const texts = listDescendants(panel)
    .filter((node) => node.name === "text" && readInherited(node, "paint-order") !== "stroke");
  return texts.flatMap((text) => {
    const { x, y } = locateText(text);
    const box = boxes.findLast((box) =>
      x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
    );
    return box === undefined
      ? []
      : [{ text, mark: box.mark, hasFixedColor: hasBetterContrast(text, box.mark) }];
  });
}

function measureBox(mark: SvgMark) {
  const { node, fill } = mark;
  if (node.name !== "rect" || fill === "none" || fill === "white") return [];
  if (Number(readInherited(node, "fill-opacity") ?? 1) < SOLID) return [];
  const [x = NaN, y = NaN, width = NaN, height = NaN] = ["x", "y", "width", "height"]
    .map((name) => Number(node.attributes[name]));
  const [dx, dy] = sumTranslations(node);
  return [{ mark, left: x + dx, top: y + dy, right: x + dx + width, bottom: y + dy + height }];
}

function locateText(text: SvgNode): { x: number; y: number } {
  const [dx, dy] = sumTranslations(text);
  const [x, y] = ["x", "y"].map((name) => parseFloat(text.attributes[name] ?? "0"));
  const inEm = text.attributes["y"]?.endsWith("em") === true;
  const anchor = readInherited(text, "text-anchor");
  const inside = anchor === "middle" ? 0 : anchor === "end" ? -INSIDE : INSIDE;
  return { x: dx + x! + inside, y: dy + (inEm ? 0 : y!) };
}

/** Sums the translations of an element and those around it inside their drawing. */
function sumTranslations(node: SvgNode): [number, number] {
  let [x, y] = [0, 0];
  for (
    let element: SvgNode | undefined = node;
    element !== undefined && element.name !== "svg";
    element = element.parent
  ) {
    const [, dx, dy] = /translate\(([-\d.e]+)[ ,]+([-\d.e]+)\)/.exec(
      element.attributes["transform"] ?? "",
    ) ?? [];
    x += Number(dx ?? 0);
    y += Number(dy ?? 0);
  }
  return [x, y];
}

function hasBetterContrast(text: SvgNode, mark: SvgMark): boolean {
  const color = readInherited(text, "fill") ?? "#000000";
  const background = toDark(mark.fill);
  const asIs = computeContrast(color, background) ?? 0;
  const turned = computeContrast(color === "white" ? DARK_PAPER : toDark(color), background) ?? 0;
  return asIs > turned;
}

const SHAPES: ReadonlySet<string> = new Set(["rect", "circle", "path", "line"]);
const SCAFFOLD = /axis|grid/;

/** A drawn mark of the data, with its own paint or that of its group. */
export interface SvgMark {
  readonly node: SvgNode;
  /** Its group: the element with the kind of mark in `aria-label`. */
  readonly group: SvgNode;
  /** Its fill; `none` for a line. */
  readonly fill: string;
  readonly stroke: string;
}

export function listPanels(root: SvgNode): SvgNode[] {
  return root.children.filter(({ name }) => name === "svg");
}

/** Lists the marks inside a drawing, in drawing order, without axes and grids. */
export function listMarks(panel: SvgNode): SvgMark[] {
  return listDescendants(panel).filter(({ name }) => SHAPES.has(name)).flatMap((node) => {
    const group = findGroup(node);
    if (group === undefined || SCAFFOLD.test(group.attributes["aria-label"]!)) return [];
    const fill = node.name === "line" ? "none" : readInherited(node, "fill") ?? "none";
    return [{ node, group, fill, stroke: readInherited(node, "stroke") ?? "none" }];
  });
}

function findGroup(node: SvgNode): SvgNode | undefined {
  for (
    let element = node.parent;
    element !== undefined && element.name === "g";
    element = element.parent
  ) {
    if (element.attributes["aria-label"] !== undefined) return element;
  }
  return undefined;
}
