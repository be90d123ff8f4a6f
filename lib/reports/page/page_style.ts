/** The style of report pages: readable from 320 pixels on, light, dark and printed. */
export const PAGE_STYLE = `
:root {
  color-scheme: light dark;
  --ink: light-dark(#1a1d21, #e7e9ec);
  --soft: light-dark(#555c66, #a9b0ba);
  --line: light-dark(#d9dde3, #3a4049);
  --paper: light-dark(#ffffff, #15181c);
  --panel: light-dark(#f5f6f8, #1f242a);
  --link: light-dark(#0b57b8, #8ab8ff);
  --good: light-dark(#17663a, #7fd6a2);
  --warning: light-dark(#8a5300, #f0b866);
  --bad: light-dark(#a3231f, #ff9c93);
}
* { box-sizing: border-box; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere;
}
main { max-width: 68rem; margin: 0 auto; padding: 1rem; }
h1 { font-size: 1.5rem; line-height: 1.3; margin: .2rem 0 1rem; }
h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
.kind { margin: 0; color: var(--soft); }
header { border-left: .3rem solid var(--line); padding: .2rem 0 .2rem 1rem; }
header.tone-good { border-color: var(--good); }
header.tone-warning { border-color: var(--warning); }
header.tone-bad { border-color: var(--bad); }
a { color: var(--link); }
a:focus-visible, .scroll:focus-visible, summary:focus-visible {
  outline: 2px solid var(--link); outline-offset: 2px;
}
nav { display: flex; flex-wrap: wrap; gap: .2rem 1rem; margin: 1rem 0; }
dl { margin: 0; display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr)); gap: .3rem 1.5rem; }
dl div { display: flex; gap: .6rem; }
dt { color: var(--soft); flex: 0 0 7rem; }
dd { margin: 0; min-width: 0; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; min-width: 100%; }
th, td { text-align: left; padding: .25rem .7rem .25rem 0; border-bottom: 1px solid var(--line); vertical-align: top; overflow-wrap: normal; }
th { color: var(--soft); font-weight: 600; }
td.number, th.number { text-align: right; white-space: nowrap; }
.tone-good { color: var(--good); } .tone-warning { color: var(--warning); } .tone-bad { color: var(--bad); }
header.tone-good, header.tone-warning, header.tone-bad { color: inherit; }
.hex { font-family: ui-monospace, monospace; white-space: nowrap; user-select: all; -webkit-user-select: all; }
.hex > span { display: inline-block; max-width: 6em; overflow: hidden; text-overflow: ellipsis; vertical-align: bottom; }
figure { margin: .5rem 0; background: #fff; border-radius: .4rem; padding: .3rem; overflow-x: auto; }
figure svg { max-width: 100%; height: auto; }
pre, code { font-family: ui-monospace, monospace; font-size: .85rem; white-space: pre-wrap; overflow-wrap: anywhere; }
pre { background: var(--panel); padding: .7rem; border-radius: .4rem; }
footer { margin-top: 3rem; color: var(--soft); border-top: 1px solid var(--line); }
@media (max-width: 30rem) { dl div { flex-direction: column; gap: 0; } dt { flex-basis: auto; } }
@media print {
  :root { color-scheme: light; }
  nav { display: none; }
  .scroll { overflow: visible; }
  section { break-inside: avoid; }
  .hex > span { max-width: none; }
}
`;
