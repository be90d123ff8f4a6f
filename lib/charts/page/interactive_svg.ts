import { LABEL_SIZE, measureLabel } from "../texts/label_text.ts";
import {
  type DrawnEntry,
  findTextsOnMarks,
  listMarks,
  listPanels,
  matchSeries,
  readLegend,
  type SvgMark,
} from "./series.ts";
import {
  DARK_PAPER,
  findPaint,
  insertInto,
  type Insertion,
  LIGHT_PAPER,
  listDescendants,
  type Paint,
  PAINTS,
  readInherited,
  readSvg,
  type SvgNode,
} from "./svg_tree.ts";

/** Clickable room around a legend entry, in pixels. */
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
export function addInteraction(svg: string, prefix: string): string {
  const root = readSvg(svg);
  const insertions: Insertion[] = [];
  const mark = (node: SvgNode, attribute: string) => {
    insertions.push({ index: node.attributesAt, text: ` ${attribute}` });
  };
  const panels = listPanels(root);
  const marksByPanel = new Map(panels.map((panel) => [panel, listMarks(panel)]));
  const marks = [...marksByPanel.values()].flat();
  const entries = readLegend(root);
  const series = matchSeries(marks, entries);
  for (const [node, entry] of groupEntries(marks, series)) mark(node, `data-series="${entry}"`);
  const usedEntries = new Set(series.values());
  for (const [index, entry] of entries.entries()) {
    if (usedEntries.has(index)) insertions.push(...createButton(svg, entry, index));
    else if (isPale(entry.fill) && !entry.line) mark(entry.swatch, 'data-edge=""');
  }
  for (const group of new Set(marks.filter(needsEdge).map(({ group }) => group))) {
    mark(group, 'data-edge=""');
  }
  for (const [panel, panelMarks] of marksByPanel) {
    for (const label of findTextsOnMarks(panel, panelMarks)) {
      if (label.hasFixedColor) mark(label.text, 'data-stays=""');
      const entry = series.get(label.mark.node);
      if (entry !== undefined) mark(label.text, `data-series="${entry}"`);
    }
  }
  return prefixIds(insertInto(svg, insertions), root, prefix);
}

/** Yields the entry of each mark, or of a group whose marks all have the same. */
function* groupEntries(
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

/** Makes an entry of the legend one clickable target. */
function createButton(svg: string, { swatch, labels, fill, line }: DrawnEntry, index: number) {
  const [first] = labels;
  const start = Number(first!.attributes["x"]) - LABEL_SIZE * 1.5 - HIT_ROOM;
  const top = Number(first!.attributes["y"]) - LABEL_SIZE - HIT_ROOM / 2;
  const right = Math.max(
    ...labels.map((label) => {
      const text = svg.slice(label.start, label.end).replaceAll(/<[^>]*>/g, "");
      return Number(label.attributes["x"]) + measureLabel(text.replaceAll(/&[#\w]+;/g, "x"));
    }),
  );
  const bottom = Number(labels.at(-1)!.attributes["y"]) + HIT_ROOM;
  const hit = `<rect x="${round(start)}" y="${round(top)}" ` +
    `width="${round(right - start + HIT_ROOM)}" height="${round(bottom - top + HIT_ROOM / 2)}" ` +
    `rx="3" fill="none" pointer-events="all"/>`;
  return [
    { index: swatch.start, text: `<g data-legend="${index}">${hit}` },
    ...(isPale(fill) && !line ? [{ index: swatch.attributesAt, text: ' data-edge=""' }] : []),
    { index: labels.at(-1)!.end, text: "</g>" },
  ];
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

/** Whether a fill is hard to see on a page of its own lightness. */
function isPale(fill: string): boolean {
  const paint = findPaint(fill);
  return paint?.edge !== undefined || paint?.name.startsWith("step") === true;
}

function needsEdge({ node, fill }: SvgMark): boolean {
  if (fill === "none" || findPaint(fill) === undefined || fill === "white") return false;
  return isPale(fill) || Number(readInherited(node, "fill-opacity") ?? 1) < 1;
}

function prefixIds(svg: string, root: SvgNode, prefix: string): string {
  const ids = new Set(
    listDescendants(root).flatMap(({ attributes }) => attributes["id"] ?? []),
  );
  if (ids.size === 0) return svg;
  const prefixId = (match: string, start: string, id: string, end: string) =>
    ids.has(id) ? `${start}${prefix}-${id}${end}` : match;
  return svg.replaceAll(/<[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g, (tag) =>
    tag
      .replaceAll(/(\sid=")([^"]*)(")/g, prefixId)
      .replaceAll(/(\s(?:xlink:)?href="#)([^"]*)(")/g, prefixId)
      .replaceAll(/(url\(#)([^)]*)(\))/g, prefixId));
}

/** Colours that the page itself needs. */
const ALWAYS: ReadonlySet<string> = new Set(["white", "#1f2328"]);

/**
 * The style of the figures of one class, for light and dark pages.
 *
 * Colours stay in the drawing as attributes, which a rule of any style sheet goes before: without
 * the style, the drawing is what it was. Printed, it is that too.
 *
 * @param name The class.
 * @param svg A drawing in it; colours that it does not have get no rules.
 */
export function createPageStyle(name: string, svg: string): string {
  const paints = PAINTS.filter(({ color }) => ALWAYS.has(color) || svg.includes(`"${color}"`));
  return createPaintStyle(name, paints, createInteractionRules(`.${name}`));
}

/**
 * The style of the figures of one class, for light and dark pages.
 *
 * @param name The class.
 * @param paints Colours that get rules.
 * @param screenRules More rules, for screens alone.
 */
export function createPaintStyle(name: string, paints: readonly Paint[], screenRules = ""): string {
  const figure = `.${name}`;
  const light = createVariables(
    paints,
    (paint) => ({ fill: paint.color, edge: paint.edge }),
    LIGHT_PAPER,
  );
  const dark = createVariables(
    paints,
    ({ dark, darkEdge, color }) => ({ fill: dark ?? color, edge: darkEdge }),
    DARK_PAPER,
  );
  return [
    `${figure}{${light}margin:0;position:relative;max-width:100%}`,
    `${figure}>svg{display:block;max-width:100%;height:auto}`,
    `${figure}>div{display:none}`,
    `@media screen{`,
    `@media (prefers-color-scheme:dark){${figure}{${dark}}}`,
    `${nestUnder(LIGHT_SELECTORS, figure)}{${light}}`,
    `${nestUnder(DARK_SELECTORS, figure)}{${dark}}`,
    `${figure}{background:var(--paper)}`,
    `${figure} svg{color:var(--ink)!important}`,
    ...paints.map((paint) => createPaintRules(figure, paint)),
    screenRules,
    `}`,
  ].join("");
}

function nestUnder(selectors: readonly string[], figure: string): string {
  return selectors.map((selector) => `${selector} ${figure}`).join();
}

function createVariables(
  paints: readonly Paint[],
  colors: (paint: Paint) => { fill: string; edge?: string | undefined },
  paper: string,
): string {
  return paints.map((paint) => {
    const { fill, edge = fill } = colors(paint);
    const value = (color: string) => color === "white" ? paper : color;
    return `--${paint.name}:${value(fill)};--${paint.name}-edge:${value(edge)};`;
  }).join("");
}

function createPaintRules(figure: string, { color, name }: Paint): string {
  const fill = `[fill="${color}"]:not([data-stays])`;
  const outlined = [`[data-edge]${fill}`, `[data-edge] ${fill}:not(text)`]
    .map((selector) => `${figure} ${selector}:is(:not([stroke]),[stroke="none"],[stroke="white"])`)
    .join();
  return `${figure} ${fill}{fill:var(--${name})}` +
    `${figure} [stroke="${color}"]{stroke:var(--${name}-edge)}` +
    (name === "paper" ? "" : `${outlined}{stroke:var(--` +
      `${name.startsWith("step") ? "grey" : name}-edge);stroke-width:.75px}`);
}

function createInteractionRules(figure: string): string {
  return [
    `${figure} [data-legend][role]{cursor:pointer}`,
    `${figure} [data-legend][aria-pressed="false"]{text-decoration:line-through}`,
    `${figure} [data-legend][aria-pressed="false"]>:nth-child(2){opacity:.25}`,
    `${figure} [data-legend][role]:hover text{text-decoration:underline}`,
    `${figure} [data-legend][aria-pressed="false"]:hover text{text-decoration:line-through}`,
    `${figure} [data-series][data-off]{display:none}`,
    `${figure} :is(g,rect,circle,path,line,text):focus{outline:none}`,
    `${figure} :is(g,rect,circle,path,line,text):focus-visible{outline:2px solid var(--ink);outline-offset:1px}`,
    `${figure} [data-at]:not(text){stroke:var(--ink)!important;stroke-width:2px!important;stroke-opacity:1}`,
    `${figure}>div{position:absolute;z-index:2;box-sizing:border-box;max-width:min(28em,96%);` +
    `padding:5px 8px;border-radius:4px;background:var(--ink);color:var(--paper);` +
    `font:12px/1.4 DejaVu Sans,Verdana,Geneva,sans-serif;text-align:left;white-space:pre-line;` +
    `overflow-wrap:anywhere;pointer-events:none;width:max-content}`,
    `${figure}>div[data-shown]{display:block}`,
  ].join("");
}

/** Selectors of dark pages: Jupyter's themes, VS Code's, Colab's, and documentation tools'. */
export const DARK_SELECTORS: readonly string[] = [
  'body[data-jp-theme-light="false"]',
  "body.vscode-dark",
  "body.vscode-high-contrast:not(.vscode-high-contrast-light)",
  'html[theme="dark"]',
  '[data-theme="dark"]',
];

/** Selectors of pages that are light whatever the reader's system prefers. */
export const LIGHT_SELECTORS: readonly string[] = [
  'body[data-jp-theme-light="true"]',
  "body.vscode-light",
  "body.vscode-high-contrast-light",
  'html[theme="light"]',
  '[data-theme="light"]',
];
