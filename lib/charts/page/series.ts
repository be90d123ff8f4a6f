import type { DrawnEntry } from "./legend_entries.ts";
import type { SvgMark } from "./marks.ts";
import { NEUTRALS } from "./paints.ts";
import type { SvgNode } from "./svg_tree.ts";

/** From this width on, in pixels, a line is drawn as a bar. */
const BAR_WIDTH = 6;
const UNCOLORED: ReadonlySet<string> = new Set([
  "none",
  "currentColor",
  ...NEUTRALS.map(({ color }) => color),
]);

/**
 * Which entry of the legend tells of each mark: the one with its paint. Marks of which the legend
 * says nothing are missing, such as a line at zero.
 */
export function seriesOf(
  marks: readonly SvgMark[],
  entries: readonly DrawnEntry[],
): Map<SvgNode, number> {
  // An outline tells entries apart, as soon as the marks have it.
  const outlined = new Set(
    entries.filter((entry) => marks.some((mark) => isPainted(mark, entry))),
  );
  const found = new Map<SvgNode, number>();
  for (const mark of marks) {
    const entry = mark.fill === "none" ? ofLine(mark, entries) : ofFill(mark, entries, outlined);
    if (entry !== undefined) found.set(mark.node, entries.indexOf(entry));
  }
  return found;
}

function isPainted({ fill, stroke }: SvgMark, entry: DrawnEntry): boolean {
  return !entry.line && fill === entry.fill && stroke === entry.stroke;
}

function ofFill(
  mark: SvgMark,
  entries: readonly DrawnEntry[],
  outlined: ReadonlySet<DrawnEntry>,
): DrawnEntry | undefined {
  if (isReference(mark, "fill", mark.fill)) return undefined;
  const areas = entries.filter(({ line }) => !line);
  const exact = areas.find((entry) => isPainted(mark, entry));
  if (exact !== undefined) return exact;
  if (UNCOLORED.has(mark.fill) && mark.fill !== "none") {
    const grey = areas.find((entry) => entry.fill === mark.fill && entry.stroke === "none");
    return grey ?? (ownPaint(mark, "stroke") ? ofStroke(mark, areas) : undefined);
  }
  return areas.find((entry) =>
    entry.fill === mark.fill && (entry.stroke === "none" || !outlined.has(entry))
  );
}

function ofLine(mark: SvgMark, entries: readonly DrawnEntry[]): DrawnEntry | undefined {
  if (isReference(mark, "stroke", mark.stroke)) return undefined;
  const areas = entries.filter(({ line }) => !line);
  if (widthOf(mark) >= BAR_WIDTH) {
    const bar = areas.find(({ fill }) => fill === mark.stroke);
    if (bar !== undefined) return bar;
  }
  const line = entries.find((entry) => entry.line && entry.stroke === mark.stroke);
  return line ?? (ownPaint(mark, "stroke") ? ofStroke(mark, areas) : undefined);
}

/** The entry in whose colour something is outlined, or stands on its stem. */
function ofStroke({ stroke }: SvgMark, areas: readonly DrawnEntry[]): DrawnEntry | undefined {
  return areas.find((entry) => entry.stroke === stroke) ??
    areas.find((entry) => entry.stroke === "none" && entry.fill === stroke);
}

function ownPaint({ node }: SvgMark, attribute: "fill" | "stroke"): boolean {
  return node.attributes[attribute] !== undefined;
}

/** Whether marks are part of the scaffold: nameless, and all in one colour that is none. */
function isReference(mark: SvgMark, attribute: "fill" | "stroke", color: string): boolean {
  return mark.group.attributes["class"] === undefined && !ownPaint(mark, attribute) &&
    UNCOLORED.has(color);
}

function widthOf({ node, group }: SvgMark): number {
  return Number(node.attributes["stroke-width"] ?? group.attributes["stroke-width"] ?? 1);
}
