import { html, type Markup, raw } from "../reports/page/html_cell.ts";
import { hashScript } from "./reply.ts";

/**
 * Follows the page of an order that can still be filled: requests it again after 5 seconds, and after up
 * to a minute while nothing changes or it fails; counts down to the end of what the order is doing.
 *
 * A page that is hidden waits, one in which text is selected stays as it is, and the page of a final
 * order is the last.
 */
const FOLLOW_ORDER = `
"use strict";
const MIN_WAIT = 5_000, MAX_WAIT = 60_000;
const state = document.getElementById("state");
const focusable = "a[href], summary, button, [tabindex]";
const main = () => document.getElementById("content");
const now = () => main().querySelector(".now");
const say = (text) => { if (state.textContent !== text) state.textContent = text; };
const summarize = (root) => root.querySelector("h1").textContent + root.querySelectorAll("tr").length;
let wait = MIN_WAIT, timer = null, skew = 0;
/** A sandbox may have a clock of its own. */
const readSkew = () => {
  const seen = Date.parse(now()?.querySelector("time")?.dateTime);
  skew = Math.abs(Date.now() - seen) > 60_000 ? Date.now() - seen : 0;
};
const countDown = () => {
  const time = now()?.querySelector(".end time");
  const left = now()?.querySelector(".left");
  if (!time || !left) return;
  const seconds = Math.floor((Date.parse(time.dateTime) - Date.now() + skew) / 1_000);
  const units = [[86_400, "d"], [3_600, "h"], [60, "min"], [1, "s"]];
  const index = Math.max(0, units.findIndex(([size]) => Math.abs(seconds) >= size || size === 1));
  const parts = units.slice(index, index + 2).map(([size, name], part) =>
    Math.floor(part === 0 ? Math.abs(seconds) / size : Math.abs(seconds) % units[index][0] / size) + " " + name
  ).join(" ");
  left.textContent = seconds < 0 ? " (" + parts + " ago)" : " (in " + parts + ")";
};
const replace = (next) => {
  const old = main();
  const open = new Set([...old.querySelectorAll("details[open] > summary")].map(({ textContent }) => textContent));
  const copy = document.importNode(next, true);
  for (const script of copy.querySelectorAll("script")) script.remove();
  for (const summary of copy.querySelectorAll("summary")) {
    summary.parentElement.open = open.has(summary.textContent);
  }
  const focused = [...old.querySelectorAll(focusable)].indexOf(document.activeElement);
  copy.querySelector("#state")?.replaceWith(state);
  old.replaceWith(copy);
  if (focused >= 0) [...main().querySelectorAll(focusable)][focused]?.focus({ preventScroll: true });
};
const refresh = async () => {
  timer = null;
  if (document.hidden) return;
  if (getSelection().isCollapsed) {
    try {
      const response = await fetch(location.href, { headers: { accept: "text/html" } });
      if (!response.ok) throw new Error(response.status);
      const page = new DOMParser().parseFromString(await response.text(), "text/html");
      const next = page.getElementById("content");
      const isChanged = summarize(next) !== summarize(main());
      wait = isChanged ? MIN_WAIT : Math.min(wait * 1.5, MAX_WAIT);
      replace(next);
      document.title = page.title;
      if (now() === null) return;
      say("This page updates itself.");
      readSkew();
      countDown();
    } catch {
      wait = Math.min(wait * 2, MAX_WAIT);
      say("Not updated: the explorer does not answer. Trying again.");
    }
  }
  timer = setTimeout(refresh, wait);
};
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && timer === null && now() !== null) refresh();
});
readSkew();
say("This page updates itself.");
setInterval(countDown, 1_000);
timer = setTimeout(refresh, wait);
`;

/** Source of the script in a policy. */
export const FOLLOW_ORDER_SOURCE: string = await hashScript(FOLLOW_ORDER);

/** Below the head of the page: says whether it updates itself. */
export function renderFollowState(): Markup {
  return html`
    <p id="state" role="status">Reload this page to see what changed.</p>
  `;
}

/** The script, outside of what it replaces. */
export function renderFollowScript(): Markup {
  return html`<script>${raw(FOLLOW_ORDER)}</script>`;
}
