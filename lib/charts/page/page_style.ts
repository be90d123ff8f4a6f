import { DARK_PAPER, LIGHT_PAPER, type Paint, PAINTS } from "./paints.ts";
import { SAYS_DARK, SAYS_LIGHT } from "./themes.ts";

/** What the page itself needs. */
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
export function pageStyle(name: string, svg: string): string {
  const paints = PAINTS.filter(({ color }) => ALWAYS.has(color) || svg.includes(`"${color}"`));
  return paintStyle(name, paints, interaction(`.${name}`));
}

/**
 * The style of the figures of one class, for light and dark pages.
 *
 * @param name The class.
 * @param paints Colours that get rules.
 * @param screenRules More rules, for screens alone.
 */
export function paintStyle(name: string, paints: readonly Paint[], screenRules = ""): string {
  const figure = `.${name}`;
  const light = variables(
    paints,
    (paint) => ({ fill: paint.color, edge: paint.edge }),
    LIGHT_PAPER,
  );
  const dark = variables(paints, ({ dark, color }) => ({ fill: dark ?? color }), DARK_PAPER);
  return [
    `${figure}{${light}margin:0;position:relative;max-width:100%}`,
    `${figure}>svg{display:block;max-width:100%;height:auto}`,
    `${figure}>div{display:none}`,
    `@media screen{`,
    `@media (prefers-color-scheme:dark){${figure}{${dark}}}`,
    `${under(SAYS_LIGHT, figure)}{${light}}`,
    `${under(SAYS_DARK, figure)}{${dark}}`,
    `${figure}{background:var(--paper)}`,
    `${figure} svg{color:var(--ink)!important}`,
    ...paints.map((paint) => paintRules(figure, paint)),
    screenRules,
    `}`,
  ].join("");
}

function under(places: readonly string[], figure: string): string {
  return places.map((place) => `${place} ${figure}`).join();
}

function variables(
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

/** Fills, strokes and outlines in one colour. */
function paintRules(figure: string, { color, name }: Paint): string {
  const fill = `[fill="${color}"]:not([data-stays])`;
  const outlined = [`[data-edge]${fill}`, `[data-edge] ${fill}:not(text)`]
    .map((one) => `${figure} ${one}:is(:not([stroke]),[stroke="none"],[stroke="white"])`).join();
  return `${figure} ${fill}{fill:var(--${name})}` +
    `${figure} [stroke="${color}"]{stroke:var(--${name}-edge)}` +
    (name === "paper"
      ? ""
      : `${outlined}{stroke:var(--${
        name.startsWith("step") ? "grey" : name
      }-edge);stroke-width:.75px}`);
}

function interaction(figure: string): string {
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
