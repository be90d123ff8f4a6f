import { SERIES_COLORS } from "../looks.ts";
import { DARK_SELECTORS, LIGHT_SELECTORS } from "../page/interactive_svg.ts";
import { DARK_PAPER, LIGHT_PAPER, NEUTRALS } from "../page/svg_tree.ts";

/** The series colours, light enough for dots and swatches on a dark page: 4.5 : 1 at least. */
const ON_DARK = ["#4ea3dd", "#f0803c", "#2fc39a", "#dd9cc0", "#e6ad2e", "#7fc8f0"];

const createNeutrals = (isDark: boolean) =>
  NEUTRALS.map(({ name, color, dark }) =>
    `--${name}:${name === "paper" ? (isDark ? DARK_PAPER : LIGHT_PAPER) : isDark ? dark : color};`
  ).join("");
const createSeriesColors = (colors: readonly string[]) =>
  [...colors, "var(--muted)"].map((color, index) => `--color${index}:${color};`).join("");
const LIGHT = `${createNeutrals(false)}${createSeriesColors(SERIES_COLORS)}--bar:` +
  `${SERIES_COLORS[0]};`;
const DARK = `${createNeutrals(true)}${createSeriesColors(ON_DARK)}--bar:${ON_DARK[0]};`;

const F = ".orderlens-explore";
const nestUnder = (selectors: readonly string[]) =>
  selectors.map((selector) => `${selector} ${F}`).join();

/** Style of all explorations, for pages of any width, light and dark. */
export const EXPLORATION_STYLE: string = [
  `${F}{${LIGHT}margin:0;max-width:1080px;background:var(--paper);color:var(--ink);` +
  `font:13px/1.45 DejaVu Sans,Verdana,Geneva,sans-serif}`,
  `@media screen{@media (prefers-color-scheme:dark){${F}{${DARK}color-scheme:dark}}` +
  `${nestUnder(LIGHT_SELECTORS)}{${LIGHT}color-scheme:light}` +
  `${nestUnder(DARK_SELECTORS)}{${DARK}color-scheme:dark}}`,
  `${F}>img{max-width:100%;height:auto}`,
  `${F} [hidden]{display:none!important}`,
  `${F}>p{margin:6px 0;max-width:none}`,
  `${F}>p[role=status]{font-weight:bold;min-height:1.45em}`,
  `${F} .note{color:var(--muted)}`,
  `${F} .controls{display:flex;flex-wrap:wrap;gap:6px 12px;align-items:end}`,
  `${F} .controls label,${F} .controls [role=group]{display:grid;grid-template-columns:minmax(0,auto) minmax(0,auto);gap:2px 4px;max-width:100%}`,
  `${F} .controls :is(span,label>*){grid-column:1/-1}`,
  `${F} .controls span{color:var(--muted);font-size:11px}`,
  `${F} :is(select,input,button,textarea){font:inherit;color:var(--ink);background:var(--paper);border:1px solid var(--muted);` +
  `border-radius:4px;padding:3px 6px;min-height:28px;box-sizing:border-box}`,
  `${F} select{max-width:min(220px,100%)}`,
  `${F} input{min-width:0;max-width:100%}`,
  `${F} input[type=number]{width:8em}`,
  `${F} button{cursor:pointer}`,
  `${F} button:disabled{cursor:default;opacity:.6}`,
  `${F} :focus-visible{outline:2px solid var(--color0);outline-offset:1px}`,
  `${F} .legend{margin:8px 0;display:flex;flex-wrap:wrap;gap:4px 6px;align-items:center;color:var(--muted)}`,
  `${F} .legend:empty{display:none}`,
  `${F} .legend button{padding:2px 8px;min-height:24px;font-size:11px}`,
  `${F} .legend button[aria-pressed=true]{border-color:var(--ink);border-width:2px}`,
  `${F} .legend button:disabled{opacity:1;border-color:transparent}`,
  `${F} .legend i{display:inline-block;width:10px;height:10px;margin-right:5px}`,
  `${F} .stage{position:relative}`,
  `${F} canvas{display:block;width:100%;cursor:crosshair;touch-action:pan-y}`,
  `${F} .brush{position:absolute;border:1px solid var(--ink);background:var(--muted);opacity:.2;pointer-events:none}`,
  `${F} .tip{position:absolute;z-index:2;max-width:min(28em,96%);padding:5px 8px;border-radius:4px;` +
  `background:var(--ink);color:var(--paper);font-size:12px;white-space:pre-line;overflow-wrap:anywhere;pointer-events:none}`,
  `${F} .tools{display:flex;flex-wrap:wrap;gap:6px 8px;align-items:center;margin:8px 0 4px}`,
  `${F} textarea{width:100%;font-family:DejaVu Sans Mono,ui-monospace,monospace;resize:vertical}`,
  `${F} :is(td,.tip,.legend button){unicode-bidi:isolate}`,
  `${F} .rows{overflow-x:auto;margin-top:8px}`,
  `${F} table{border-collapse:collapse;width:100%;margin:0;font-size:12px;color:inherit}`,
  `${F} caption{text-align:left;color:var(--muted);padding:2px 0}`,
  `${F} :is(th,td){text-align:left;padding:3px 10px 3px 0;white-space:nowrap;border-bottom:1px solid var(--range);background:none}`,
  `${F} :is(th,td).number{text-align:right;font-variant-numeric:tabular-nums}`,
  `${F} th button{padding:0;min-height:24px;border:0;font-weight:bold;text-align:inherit;white-space:nowrap;background:none}`,
  `${F} th.number button::before,${F} th.text button::after{content:"";display:inline-block;width:1.2em;text-align:center}`,
  ...[["ascending", "▲"], ["descending", "▼"]].map(([order, arrow]) =>
    `${F} th.number[aria-sort=${order}] button::before,${F} th.text[aria-sort=${order}] button::after{content:"${arrow}"}`
  ),
  `${F} .copies{padding:0 6px;min-height:24px;font-size:11px}`,
  `${F} tr[aria-current] td{border-bottom:2px solid var(--ink)}`,
  `${F} a{color:var(--color0)}`,
  `${F} .pages{margin:6px 0}`,
  `@media print{${F} :is(.controls,.tools,.pages,.copies){display:none}}`,
].join("");
