import { html, type Markup, raw } from "../reports/page/html_cell.ts";
import { hashScript } from "./reply.ts";

/**
 * Follows the page of an order that can still be filled: requests it again after 5 seconds, and after up
 * to a minute while nothing changes or it fails; counts down to the end of what the order is doing.
 *
 * A page that is hidden waits, one in which text is selected stays as it is and says so, and the page of
 * a final order is the last. A reader keeps the part in view, the focus, and what is open or scrolled.
 */
const FOLLOW_ORDER = `
const MIN_WAIT = 5_000, MAX_WAIT = 60_000, TIMEOUT = 30_000;
const state = document.getElementById("state");
const focusable = "a[href], summary, button, [tabindex]";
const main = () => document.getElementById("content");
const now = () => main().querySelector(".now");
const say = (text, isProblem = false) => {
  state.className = isProblem ? "tone-warning" : "kind";
  if (state.textContent !== text) state.textContent = text;
};
const summarize = (root) => root.querySelector("h1").textContent + root.querySelectorAll("tr").length;
let wait = MIN_WAIT, timer = null, skew = null;
/** A sandbox may have a clock of its own; a page that the browser kept is as old. */
const readGap = () => {
  const gap = Date.now() - Date.parse(now()?.querySelector("time")?.dateTime);
  return Math.abs(gap) > 60_000 ? gap : 0;
};
/** Milliseconds to the end; NaN without one, or while the clock is not known. */
const readLeft = () => Date.parse(now()?.querySelector(".end time")?.dateTime) - Date.now() + (skew ?? NaN);
const countDown = () => {
  const left = now()?.querySelector(".left");
  const seconds = Math.trunc(readLeft() / 1_000);
  if (!left || isNaN(seconds)) return;
  const units = [[86_400, "d"], [3_600, "h"], [60, "min"], [1, "s"]];
  const index = Math.max(0, units.findIndex(([size]) => Math.abs(seconds) >= size || size === 1));
  const parts = units.slice(index, index + 2).map(([size, name], part) =>
    Math.floor(part === 0 ? Math.abs(seconds) / size : Math.abs(seconds) % units[index][0] / size) + " " + name
  ).join(" ");
  left.textContent = seconds < 0 ? " (" + parts + " ago)" : " (in " + parts + ")";
};
/** Counts in it change. */
const nameSummary = ({ textContent }) => textContent.replaceAll(/[0-9,]+/g, "");
const nameElement = (element) => [
  element.closest("section")?.id,
  element.getAttribute("href") ?? element.getAttribute("aria-label") ??
    element.previousElementSibling?.textContent ?? nameSummary(element),
].join();
/** Elements of the same name: the others are in another page. */
const findTwins = (root, element) =>
  [...root.querySelectorAll(focusable)].filter((each) => nameElement(each) === nameElement(element));
const replace = (next) => {
  const old = main();
  const open = new Set([...old.querySelectorAll("details[open] > summary")].map(nameSummary));
  const copy = document.importNode(next, true);
  for (const script of copy.querySelectorAll("script")) script.remove();
  for (const summary of copy.querySelectorAll("summary")) {
    summary.parentElement.open = open.has(nameSummary(summary));
  }
  const focused = old.contains(document.activeElement) ? document.activeElement : null;
  const index = focused === null ? 0 : findTwins(old, focused).indexOf(focused);
  const scrolled = [...old.querySelectorAll(".scroll")].filter(({ scrollLeft }) => scrollLeft > 0)
    .map((element) => [element, element.scrollLeft]);
  const inView = [...old.querySelectorAll("header, section")].find((part) => part.getBoundingClientRect().bottom > 0);
  const top = inView?.getBoundingClientRect().top;
  const place = copy.querySelector("#state");
  if (place === null) copy.querySelector("header > .kind").after(state);
  else place.replaceWith(state);
  old.replaceWith(copy);
  for (const [element, left] of scrolled) findTwins(copy, element)[0]?.scrollTo(left, 0);
  if (focused !== null) findTwins(copy, focused)[index]?.focus({ preventScroll: true });
  const part = inView?.id ? document.getElementById(inView.id) : null;
  if (part !== null) scrollBy({ top: part.getBoundingClientRect().top - top, behavior: "instant" });
};
const fetchPage = async () => {
  const signal = AbortSignal.timeout(TIMEOUT);
  const response = await fetch(location.href, { headers: { accept: "text/html" }, signal });
  const page = new DOMParser().parseFromString(await response.text(), "text/html");
  const isPage = response.ok && page.getElementById("content") !== null;
  return { page, problem: isPage ? null : page.querySelector("h1")?.textContent ?? "it answers " + response.status };
};
const refresh = async () => {
  timer = null;
  if (document.hidden) return;
  // No timer, and not waiting to be seen either.
  timer = 0;
  if (!getSelection().isCollapsed) {
    say("Not updated while text is selected.", true);
    timer = setTimeout(refresh, MIN_WAIT);
    return;
  }
  const { page, problem } = await fetchPage().catch(() => ({ problem: "the explorer does not answer" }));
  if (problem !== null) {
    wait = Math.min(wait * 2, MAX_WAIT);
    say("Not updated: " + problem + ". Trying again.", true);
  } else {
    const next = page.getElementById("content");
    const isChanged = summarize(next) !== summarize(main());
    wait = isChanged ? MIN_WAIT : Math.min(wait * 1.5, MAX_WAIT);
    replace(next);
    document.title = page.title;
    if (now() === null) return say("This page no longer updates itself.");
    say("This page updates itself.");
    skew = readGap();
    countDown();
  }
  // At the end, the service may say more.
  timer = setTimeout(refresh, readLeft() > 0 ? Math.min(wait, readLeft() + 2_000) : wait);
};
document.addEventListener("visibilitychange", () => {
  if (!document.hidden && timer === null && now() !== null) refresh();
});
if (readGap() === 0) skew = 0;
say("This page updates itself.");
setInterval(countDown, 1_000);
timer = setTimeout(refresh, skew === 0 ? wait : 0);
`;

/** Source of the script in a policy. */
export const FOLLOW_ORDER_SOURCE: string = await hashScript(FOLLOW_ORDER);

/** Below what the order is doing: says whether the page updates itself. */
export function renderFollowState(): Markup {
  return html`
    <p id="state" class="kind" role="status">Reload this page to see what changed.</p>
  `;
}

/** The script, outside of what it replaces. */
export function renderFollowScript(): Markup {
  return html`<script>${raw(FOLLOW_ORDER)}</script>`;
}
