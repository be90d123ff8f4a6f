import {
  BEGINS_FORMULA,
  formatCsvCell,
  IS_DECIMAL,
  NEEDS_QUOTES,
} from "../../tables/columns/csv_cell.ts";
import * as canvas from "./exploration_canvas.ts";
import { draw } from "./exploration_canvas.ts";
import * as code from "./exploration_code.ts";
import * as controls from "./exploration_controls.ts";
import { addControls, update } from "./exploration_controls.ts";
import * as output from "./exploration_output.ts";
import * as pointer from "./exploration_pointer.ts";
import { followPointer } from "./exploration_pointer.ts";
import * as rows from "./exploration_rows.ts";
import { addList } from "./exploration_rows.ts";
import * as view from "./exploration_view.ts";
import { makeElement, openView, type View } from "./exploration_view.ts";
import type { ExploredData } from "./explored_data.ts";
import * as scale from "./explored_scale.ts";

/**
 * The script that turns the figures of explorations on a page into views that answer: filters,
 * brushes, a list of the rows in view with their links.
 *
 * It is the text of all functions that these files export, so they use nothing else. It defines no
 * global, loads nothing, and may run more than once and from any place on the page. Where it cannot
 * run, the figure keeps its picture.
 */
export function createExplorationScript(): string {
  const parts = [
    ...[scale, view, canvas, code, controls, output, pointer, rows].flatMap(Object.values<unknown>),
    ...[formatCsvCell, start, repaint, startAll],
  ];
  const patterns = Object.entries({ BEGINS_FORMULA, IS_DECIMAL, NEEDS_QUOTES })
    .map(([name, pattern]) => `const ${name} = ${pattern};\n`).join("");
  return `(() => {\n${patterns}${parts.join("\n")}\nstartAll();\n})();`.replaceAll(/\n +/g, "\n");
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
  const { output, tools } = view;
  figure.querySelector(":scope > img")?.remove();
  figure.setAttribute("data-lm-suppress-shortcuts", "true");
  const notes = [data.note, data.hint].filter((text) => text !== "").join(" ");
  const note = makeElement("p", { class: "note" }, notes);
  figure.append(status, controls, legend, stage, bars, tools, output, scroll, pages, note);
  addList(view);
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
