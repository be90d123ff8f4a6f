import * as Plot from "@observablehq/plot";
import { DOMParser } from "linkedom";
import { Chart } from "./chart.ts";
import { COLORS } from "./colors.ts";

const FONT = "DejaVu Sans, Verdana, Geneva, sans-serif";
const MARGIN = 16;
const TITLE_SIZE = 15;
const TEXT_SIZE = 11;
const LINE_HEIGHT = 1.4;
/** Mean width of a character of the font, in ems; rather wide than cut. */
const CHARACTER_EMS = 0.58;

/** One entry of a legend. */
export interface LegendEntry {
  /** What the mark means. */
  label: string;
  /** Fill of the swatch; `none` for a hollow one. */
  fill: string;
  /** Stroke of the swatch. */
  stroke?: string;
}

/** One drawing inside a figure, with its own heading. */
export interface Panel {
  /** What the panel shows. */
  heading?: string;
  /** The plot; its width is the figure's. */
  plot: Plot.PlotOptions;
}

/** A whole figure: title, legend, panels one under the other, caption. */
export interface Figure<Row> {
  /** What is seen, in one sentence. */
  title: string;
  /** What a person who cannot see it should know. */
  description: string;
  /** Meaning of fills and strokes. */
  legend?: readonly LegendEntry[];
  /** The drawings. */
  panels: readonly Panel[];
  /** Number of rows, source, and what was left out. */
  caption: string;
  /** Width of the figure, in pixels. */
  width: number;
  /** The data that is drawn. */
  rows: readonly Row[];
}

/** Escapes text for SVG and HTML. */
function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** How wide a text is at the size of labels, in pixels; rather too wide than too narrow. */
export function labelWidth(text: string): number {
  return text.length * TEXT_SIZE * CHARACTER_EMS;
}

/** Breaks text into lines that fit a width, at spaces; a longer word is cut across lines. */
export function wrapText(text: string, width: number, fontSize: number): string[] {
  const limit = Math.max(8, Math.floor(width / (fontSize * CHARACTER_EMS)));
  const lines: string[] = [];
  let line = "";
  for (const word of text.split(/\s+/)) {
    for (let rest = word; rest !== "";) {
      const piece = rest.slice(0, limit);
      rest = rest.slice(limit);
      if (line !== "" && line.length + 1 + piece.length > limit) {
        lines.push(line);
        line = piece;
      } else line = line === "" ? piece : `${line} ${piece}`;
    }
  }
  if (line !== "") lines.push(line);
  return lines;
}

/** A column of SVG parts; every part says how high it is. */
class Column {
  readonly #parts: string[] = [];
  height = MARGIN;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  text(text: string, style: { size: number; fill: string; weight?: string }): void {
    for (const line of wrapText(text, this.#width - 2 * MARGIN, style.size)) {
      this.height += style.size * LINE_HEIGHT;
      const weight = style.weight === undefined ? "" : ` font-weight="${style.weight}"`;
      this.#parts.push(
        `<text x="${MARGIN}" y="${
          round(this.height - style.size * 0.35)
        }" font-size="${style.size}" ` +
          `fill="${style.fill}"${weight}>${escape(line)}</text>`,
      );
    }
  }

  legend(entries: readonly LegendEntry[]): void {
    let x = MARGIN;
    const rowHeight = TEXT_SIZE * 1.9;
    this.height += rowHeight;
    for (const { label, fill, stroke = "none" } of entries) {
      const width = TEXT_SIZE * (2.2 + label.length * CHARACTER_EMS);
      if (x > MARGIN && x + width > this.#width - MARGIN) {
        x = MARGIN;
        this.height += rowHeight;
      }
      const y = round(this.height - TEXT_SIZE * 1.2);
      this.#parts.push(
        `<rect x="${
          round(x)
        }" y="${y}" width="${TEXT_SIZE}" height="${TEXT_SIZE}" fill="${fill}" ` +
          `stroke="${stroke}" stroke-width="1.5"/>` +
          `<text x="${round(x + TEXT_SIZE * 1.5)}" y="${round(y + TEXT_SIZE * 0.85)}" ` +
          `font-size="${TEXT_SIZE}" fill="${COLORS.ink}">${escape(label)}</text>`,
      );
      x += width;
    }
  }

  gap(pixels: number): void {
    this.height += pixels;
  }

  drawing(svg: SvgElement): void {
    svg.setAttribute("x", "0");
    svg.setAttribute("y", String(round(this.height)));
    this.#parts.push(svg.outerHTML);
    this.height += Number(svg.getAttribute("height"));
  }

  toString(): string {
    return this.#parts.join("");
  }
}

/** What is used of an SVG element. */
interface SvgElement {
  readonly outerHTML: string;
  getAttribute(name: string): string | null;
  setAttribute(name: string, value: string): void;
  querySelector(selector: string): { remove(): void } | null;
}

function round(value: number): number {
  return Math.round(value * 100) / 100;
}

function drawPanel(panel: Panel, width: number): SvgElement {
  const document = new DOMParser().parseFromString(
    "<!doctype html><html><body></body></html>",
    "text/html",
  );
  const options = {
    ...panel.plot,
    width,
    document: document as never,
    style: { fontFamily: FONT, fontSize: `${TEXT_SIZE}px`, color: COLORS.ink },
  };
  const svg = Plot.plot(options) as unknown as SvgElement;
  // Plot's style sheet uses selectors that picture renderers do not know; attributes say the same.
  svg.querySelector("style")?.remove();
  svg.setAttribute("font-family", FONT);
  svg.setAttribute("font-size", String(TEXT_SIZE));
  svg.setAttribute("color", COLORS.ink);
  svg.setAttribute("fill", COLORS.ink);
  return svg;
}

/** Draws a figure into one standalone SVG document: title, legend, panels, caption. */
export function drawFigure<Row>(figure: Figure<Row>): Chart<Row> {
  const { title, description, legend = [], panels, caption, width, rows } = figure;
  const column = new Column(width);
  column.text(title, { size: TITLE_SIZE, fill: COLORS.ink, weight: "bold" });
  if (legend.length > 0) column.legend(legend);
  for (const panel of panels) {
    column.gap(8);
    if (panel.heading !== undefined) {
      column.text(panel.heading, { size: TEXT_SIZE + 1, fill: COLORS.ink, weight: "bold" });
    }
    column.drawing(drawPanel(panel, width));
  }
  column.gap(4);
  column.text(caption, { size: TEXT_SIZE, fill: COLORS.muted });
  const height = Math.ceil(column.height + MARGIN);
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
    `width="${width}" height="${height}" font-family="${FONT}" role="img" ` +
    `aria-label="${escape(title)}"><title>${escape(title)}</title>` +
    `<desc>${escape(description)}</desc>` +
    `<rect width="${width}" height="${height}" fill="white"/>${column}</svg>`;
  return new Chart({ title, svg, rows });
}
