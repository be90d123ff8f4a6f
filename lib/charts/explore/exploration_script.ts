import {
  draw,
  drawAxes,
  drawBars,
  formatAcross,
  layOut,
  preparePen,
} from "./exploration_canvas.ts";
import {
  addControls,
  addLegend,
  addSelect,
  addUnit,
  formatRange,
  makeEnds,
  update,
  updateStatus,
  writeEnds,
} from "./exploration_controls.ts";
import {
  clamp,
  findNearest,
  followBrush,
  followPointer,
  showTip,
  sortEnds,
} from "./exploration_pointer.ts";
import { listRows, makeCell, pickCellClass } from "./exploration_rows.ts";
import {
  decodeBytes,
  filterRows,
  findMedian,
  formatNumber,
  formatShort,
  makeElement,
  openColumn,
  openView,
  selectY,
  type View,
  weigh,
} from "./exploration_view.ts";
import {
  createScale,
  type ExploredData,
  invertValue,
  listEvenTicks,
  listPowerTicks,
  projectValue,
} from "./explored_data.ts";

/**
 * The script that turns the figures of explorations on a page into views that answer: filters,
 * brushes, a list of the rows in view with their links.
 *
 * It is the text of these functions, so they use nothing else. It defines no global, loads nothing, and
 * may run more than once and from any place on the page. Where it cannot run, the figure keeps its
 * picture.
 */
export function createExplorationScript(): string {
  const parts = [
    ...[projectValue, invertValue, listEvenTicks, listPowerTicks, createScale],
    ...[makeElement, decodeBytes, openColumn, formatNumber, formatShort, openView, selectY, weigh],
    ...[filterRows, findMedian, draw, layOut, preparePen, formatAcross, drawAxes, drawBars],
    ...[listRows, pickCellClass, makeCell, update, updateStatus, addUnit, formatRange, addControls],
    ...[
      addSelect,
      makeEnds,
      writeEnds,
      addLegend,
      followPointer,
      followBrush,
      findNearest,
      showTip,
    ],
    ...[sortEnds, clamp, start, repaint, startAll],
  ];
  return `(() => {\n${parts.join("\n")}\nstartAll();\n})();`.replaceAll(/\n +/g, "\n");
}

function startAll(): void {
  const current = document.currentScript;
  const root = current?.isConnected ? current.getRootNode() as Document : document;
  for (const figure of root.querySelectorAll<HTMLElement>("figure.orderlens-explore")) {
    const data = figure.querySelector(":scope > script[type='application/json']");
    if (data === null || figure.dataset["ready"] !== undefined) continue;
    figure.dataset["ready"] = "";
    try {
      start(figure, JSON.parse(data.textContent ?? ""));
    } catch (error) {
      reportError(error);
    }
  }
}

/** Replaces the picture by a view, which follows the page's width and colours. */
function start(figure: HTMLElement, data: ExploredData): void {
  const view = openView(figure, data);
  const { bars, box, controls, drawing, legend, pages, scroll, stage, status, tip } = view;
  figure.querySelector(":scope > img")?.remove();
  figure.setAttribute("data-lm-suppress-shortcuts", "true");
  const note = makeElement("p", { class: "note" }, data.note);
  figure.append(status, controls, legend, stage, bars, scroll, pages, note);
  const syncControls = addControls(view);
  const refresh = () => update(view, syncControls);
  followPointer(view, refresh);
  tip.hidden = box.hidden = true;
  refresh();
  repaint(view);
  new ResizeObserver(() => {
    const width = Math.max(240, stage.clientWidth);
    if (stage.clientWidth > 0 && width !== drawing.width) repaint(view);
  }).observe(stage);
  matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => repaint(view));
  const theme = new MutationObserver(() => repaint(view));
  for (const element of [document.documentElement, document.body]) {
    theme.observe(element, { attributes: true });
  }
}

function repaint(view: View): void {
  const style = getComputedStyle(view.figure);
  const colors = view.data.colors.map((_, index) => `color${index}`);
  view.drawing.paint = Object.fromEntries(
    ["ink", "muted", "range", "bar", ...colors]
      .map((name) => [name, style.getPropertyValue(`--${name}`).trim()]),
  );
  view.drawing.width = Math.max(240, view.stage.clientWidth);
  draw(view);
}
