import {
  createPaintStyle,
  DARK_SELECTORS,
  LIGHT_SELECTORS,
} from "../../charts/page/interactive_svg.ts";
import { PAINTS } from "../../charts/page/svg_tree.ts";

/** Class of the one element that a report is in, under which all of its style is. */
export const ROOT_CLASS = "orderlens-report";

/** Class of the pictures in it, which turn light and dark with it. */
export const PICTURE_CLASS = "orderlens-picture";

const ROOT = `.${ROOT_CLASS}`;
const scopeTo = (selectors: readonly string[]) =>
  selectors.map((selector) => `${selector} ${ROOT}`).join();

const COLORS = `
  color-scheme: light dark;
  --ink: light-dark(#1a1d21, #e7e9ec);
  --soft: light-dark(#555c66, #a9b0ba);
  --line: light-dark(#d9dde3, #3a4049);
  --paper: light-dark(#ffffff, #15181c);
  --panel: light-dark(#f5f6f8, #1f242a);
  --link: light-dark(#0b57b8, #8ab8ff);
  --good: light-dark(#17663a, #7fd6a2);
  --warning: light-dark(#8a5300, #f0b866);
  --bad: light-dark(#a3231f, #ff9c93);`;

const TEXT = `
  & *, & { box-sizing: border-box; }
  & main { max-width: 76rem; margin: 0 auto; padding: 1rem; }
  & header { border-left: .3rem solid var(--line); padding: .2rem 0 .2rem 1rem; }
  & header.tone-good { border-color: var(--good); }
  & header.tone-warning { border-color: var(--warning); }
  & header.tone-bad { border-color: var(--bad); }
  & .kind { margin: 0; color: var(--soft); }
  & .lead { margin: .3rem 0; font-size: 1.1rem; }
  & .now { margin: .4rem 0; padding: .5rem 1rem; max-width: 60rem; border: 1px solid var(--line); border-radius: .4rem; }
  & .left { font-variant-numeric: tabular-nums; }
  & .next { margin: 0 0 1rem; padding: .6rem 1rem; max-width: 60rem; border-radius: .4rem; background: var(--panel); }
  & .next .kind { font-weight: 600; }
  & .next ul { margin: 0; padding-left: 1.2rem; }
  & h1, & h3 { font-size: 1.5rem; line-height: 1.3; margin: .2rem 0 1rem; }
  & h2, & h4 { font-size: 1.15rem; line-height: 1.3; margin: 2.2rem 0 .5rem; }
  & p { margin: .4rem 0; }
  & section > p { max-width: 60rem; color: var(--soft); }
  & .tone-good { color: var(--good); }
  & .tone-warning { color: var(--warning); }
  & .tone-bad { color: var(--bad); }
  & header[class] { color: var(--ink); }
  & .pill { border: 1px solid; border-radius: 1rem; padding: 0 .6em; font-size: .85em; font-weight: 600; white-space: nowrap; }
  & meter { width: 7rem; height: .9em; vertical-align: middle; }
  & .copy { display: none; font: inherit; font-size: .75rem; height: auto; padding: 0 .5em; color: var(--link); background: none; border: 1px solid var(--line); border-radius: .3rem; cursor: pointer; }
  .can-copy & .copy { display: inline; }
  & a { color: var(--link); }
  & a .hex > span { text-decoration: underline; }
  & :is(a, summary, button, .scroll, pre):focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
  & nav ul { display: flex; flex-wrap: wrap; gap: .3rem 1.2rem; margin: 1.2rem 0 0; padding: 0; list-style: none; }
  & nav a { white-space: nowrap; display: inline-block; padding: .15rem 0; }
  & dl { margin: 0; display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 34rem), 1fr)); gap: .3rem 2rem; }
  & dl div { display: grid; grid-template-columns: 11rem minmax(0, 1fr); gap: .8rem; }
  & header dl { grid-auto-flow: dense; }
  & .terms dl { grid-template-columns: repeat(auto-fill, minmax(min(100%, 24rem), 1fr)); }
  & .terms { margin-top: .6rem; padding-top: .6rem; border-top: 1px solid var(--line); font-size: .875rem; }
  & dl .wide { grid-column: 1 / -1; }
  & dt { color: var(--soft); font-weight: 400; margin: 0; }
  & dd { margin: 0; min-width: 0; }
  & time, & .unbroken { display: inline-block; }
  & .hex, & .whole { font-family: ui-monospace, monospace; font-size: .9em; user-select: all; -webkit-user-select: all; }
  & .whole { font-size: .85em; }
  & .hex { white-space: nowrap; }
  & .hex > span { display: inline-block; max-width: 11.2ch; overflow: clip; text-overflow: ellipsis; }
  & .whole { overflow-wrap: anywhere; }
  & summary { cursor: pointer; color: var(--link); padding: .2rem 0; }
  & pre, & code { font-family: ui-monospace, monospace; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; color: inherit; background: var(--panel); }
  & code { padding: .1rem .3rem; border-radius: .2rem; }
  & pre { padding: .7rem; border-radius: .4rem; margin: .3rem 0; }
  & footer { margin-top: 3rem; padding-top: .5rem; color: var(--soft); border-top: 1px solid var(--line); }`;

const TABLES = `
  & .scroll { overflow-x: auto; margin: .5rem 0; }
  & table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; min-width: 100%; margin: 0; color: inherit; border: 0; }
  & caption { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
  & tbody tr:nth-child(n) { background: none; }
  & :is(th, td) { text-align: left; padding: .3rem 1.2rem .3rem 0; border: 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: break-word; max-width: 34rem; white-space: normal; font-weight: 400; }
  & thead :is(th, td) { color: var(--soft); font-weight: 600; white-space: nowrap; }
  & :is(td, th).number { text-align: right; white-space: nowrap; }
  & :is(td, th).long { white-space: normal; }
  & td.wide { overflow-wrap: anywhere; min-width: 11rem; }
  & td:not(.minor) time { white-space: nowrap; }
  & tr > :last-child { padding-right: 0; }
  & .none { color: var(--soft); }`;

const PICTURES = `
  & figure { margin: .7rem 0; padding: .4rem; border-radius: .4rem; width: fit-content; max-width: 100%; }
  & figure svg { display: block; max-width: 100%; height: auto; }
  & .at-narrow { display: none; }`;

/** Rows become cards: no cell is beyond the edge of a phone. */
const NARROW = `
  & .at-wide { display: none; }
  & .at-narrow { display: block; }
  & h1, & h3 { font-size: 1.25rem; }
  & dl div { grid-template-columns: 7rem minmax(0, 1fr); gap: .5rem; }
  & dl .wide { grid-template-columns: minmax(0, 1fr); gap: 0; }
  & table, & tbody { display: block; }
  & thead { display: none; }
  & tbody tr { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 11.5rem), 1fr)); gap: .1rem 1rem; padding: .5rem 0; border-bottom: 1px solid var(--line); }
  & tbody :is(td, th) { padding: 0; border: 0; min-width: 0; max-width: none; white-space: normal; }
  & tbody :is(td, th).number { text-align: left; }
  & tbody td:not(.minor) time { white-space: normal; }
  & tbody :is(td, th).long { white-space: normal; }
  & tbody :is(.wide, .long), & .folded > td { grid-column: 1 / -1; }
  & tbody th.wide { font-weight: 600; }
  & tbody .minor, & tbody .none { display: none; }
  & td:not(.wide)[data-name]::before { content: attr(data-name) " "; color: var(--soft); white-space: normal; }`;

const PRINT = `
  color-scheme: light;
  & :is(nav, .copy) { display: none; }
  & .scroll { overflow: visible; }
  & :is(tr, figure, dl div, header) { break-inside: avoid; }
  & :is(h2, h4) { break-after: avoid; }
  & details::details-content { content-visibility: visible; display: block; block-size: auto; }
  font-size: 12px;
  & :is(table, pre, code) { font-size: 11px; }
  & dl .hex { white-space: normal; overflow-wrap: anywhere; }
  & dl .hex > span { display: inline; }
  & a, & a .hex > span { color: inherit; text-decoration: none; }
  & main { max-width: none; padding: 0; }`;

/**
 * The style of reports: readable from 320 pixels on, light, dark and printed. All of it is under
 * {@linkcode ROOT_CLASS}, so that a report in a notebook leaves the notebook as it is.
 */
export const PAGE_STYLE = `
${ROOT} {${COLORS}
  container: ${ROOT_CLASS} / inline-size;
  background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: break-word;
  ${TEXT}${TABLES}${PICTURES}
}
body${ROOT} { margin: 0; }
${ROOT}.is-part { font-size: 14px; padding: .8rem; }
${ROOT}.is-part .whole { font-size: .8em; }
${scopeTo(LIGHT_SELECTORS)} { color-scheme: light; }
${scopeTo(DARK_SELECTORS)} { color-scheme: dark; }
@container ${ROOT_CLASS} (width < 40rem) { ${ROOT} {${NARROW} } }
@media print { ${ROOT} {${PRINT} } }
${createPaintStyle(PICTURE_CLASS, PAINTS)}
`.replaceAll(/\s*\n\s*/g, "\n").trim();
