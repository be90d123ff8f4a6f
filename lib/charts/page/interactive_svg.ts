import { LABEL_SIZE, labelWidth } from "../texts/label_size.ts";
import { type DrawnEntry, legendEntries } from "./legend_entries.ts";
import { marksIn, panelsOf, type SvgMark } from "./marks.ts";
import { paintOf } from "./paints.ts";
import { seriesOf } from "./series.ts";
import { below, inherited, insertInto, type Insertion, readSvg, type SvgNode } from "./svg_tree.ts";
import { textsOnMarks } from "./texts_on_marks.ts";

/** Room around a legend entry that can be clicked, in pixels. */
const HIT_ROOM = 4;

/**
 * A drawing with the attributes that a page's style and script go by; it looks the same without
 * them.
 *
 * - `data-legend`: a group around an entry of the legend, with its number, if it has marks.
 * - `data-series`: marks of that entry, or a group of them.
 * - `data-edge`: marks whose fill may be too pale or too translucent for the page.
 * - `data-stays`: a text on a mark that keeps its colour on a dark page.
 *
 * @param svg A standalone drawing.
 * @param prefix Put before each id, so that two drawings on one page have none in common.
 */
export function interactiveSvg(svg: string, prefix: string): string {
  const root = readSvg(svg);
  const insertions: Insertion[] = [];
  const mark = (node: SvgNode, attribute: string) => {
    insertions.push({ at: node.attributesAt, text: ` ${attribute}` });
  };
  const panels = panelsOf(root);
  const marks = panels.flatMap(marksIn);
  const entries = legendEntries(root);
  const series = seriesOf(marks, entries);
  for (const [node, entry] of byGroup(marks, series)) mark(node, `data-series="${entry}"`);
  const used = new Set(series.values());
  for (const [place, entry] of entries.entries()) {
    if (used.has(place)) insertions.push(...button(svg, entry, place));
    else if (isPale(entry.fill) && !entry.line) mark(entry.swatch, 'data-edge=""');
  }
  for (const group of new Set(marks.filter(needsEdge).map(({ group }) => group))) {
    mark(group, 'data-edge=""');
  }
  for (const panel of panels) {
    for (const on of textsOnMarks(panel, marksIn(panel))) {
      if (on.stays) mark(on.text, 'data-stays=""');
      const entry = series.get(on.mark.node);
      if (entry !== undefined) mark(on.text, `data-series="${entry}"`);
    }
  }
  return withOwnIds(insertInto(svg, insertions), root, prefix);
}

/** The entry of each mark, said once of a group where all of its marks have the same. */
function* byGroup(
  marks: readonly SvgMark[],
  series: ReadonlyMap<SvgNode, number>,
): Generator<[SvgNode, number]> {
  const groups = Map.groupBy(marks, ({ group }) => group);
  for (const [group, members] of groups) {
    const [first] = members.map(({ node }) => series.get(node));
    if (first !== undefined && members.every(({ node }) => series.get(node) === first)) {
      yield [group, first];
      continue;
    }
    for (const { node } of members) {
      const entry = series.get(node);
      if (entry !== undefined) yield [node, entry];
    }
  }
}

/** What makes an entry of the legend one thing that can be hit. */
function button(svg: string, { swatch, labels, fill, line }: DrawnEntry, place: number) {
  const [first] = labels;
  const left = Number(first!.attributes["x"]) - LABEL_SIZE * 1.5 - HIT_ROOM;
  const top = Number(first!.attributes["y"]) - LABEL_SIZE - HIT_ROOM / 2;
  const right = Math.max(
    ...labels.map((label) =>
      Number(label.attributes["x"]) + labelWidth(unescape(svg.slice(label.start, label.end)))
    ),
  );
  const bottom = Number(labels.at(-1)!.attributes["y"]) + HIT_ROOM;
  const hit = `<rect x="${short(left)}" y="${short(top)}" ` +
    `width="${short(right - left + HIT_ROOM)}" height="${short(bottom - top + HIT_ROOM / 2)}" ` +
    `rx="3" fill="none" pointer-events="all"/>`;
  return [
    { at: swatch.start, text: `<g data-legend="${place}">${hit}` },
    ...(isPale(fill) && !line ? [{ at: swatch.attributesAt, text: ' data-edge=""' }] : []),
    { at: labels.at(-1)!.end, text: "</g>" },
  ];
}

function unescape(element: string): string {
  return element.replaceAll(/<[^>]*>/g, "").replaceAll(/&[#\w]+;/g, "x");
}

function short(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Whether a fill says little on a page of its own lightness. */
function isPale(fill: string): boolean {
  const paint = paintOf(fill);
  return paint?.edge !== undefined || paint?.name.startsWith("step") === true;
}

function needsEdge({ node, fill }: SvgMark): boolean {
  if (fill === "none" || paintOf(fill) === undefined || fill === "white") return false;
  return isPale(fill) || Number(inherited(node, "fill-opacity") ?? 1) < 1;
}

function withOwnIds(svg: string, root: SvgNode, prefix: string): string {
  const ids = new Set([...below(root)].flatMap(({ attributes }) => attributes["id"] ?? []));
  if (ids.size === 0) return svg;
  const own = (whole: string, before: string, id: string, after: string) =>
    ids.has(id) ? `${before}${prefix}-${id}${after}` : whole;
  return svg.replaceAll(/<[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g, (tag) =>
    tag
      .replaceAll(/(\sid=")([^"]*)(")/g, own)
      .replaceAll(/(\s(?:xlink:)?href="#)([^"]*)(")/g, own)
      .replaceAll(/(url\(#)([^)]*)(\))/g, own));
}
