import { COLORS, type LegendEntry } from "../looks.ts";
import { singularize } from "../texts/count_text.ts";
import { LABEL_SIZE, measureLabel, wrapText } from "../texts/label_text.ts";
import { Chart, type ChartParts } from "./chart.ts";
import { applyColors, type ChosenColors } from "./chosen_colors.ts";
import { drawPanel, FONT, type Panel, round, roundCoordinates } from "./panel.ts";
import { escapeXml } from "./svg_document.ts";

const MARGIN = 16;
const TITLE_SIZE = 15;
const HEADING_SIZE = 12;
const LINE_HEIGHT = 1.4;
const EMPTY_HEIGHT = 96;

interface Figure<Row> {
  title: string;
  subtitle?: string | undefined;
  description: string;
  legend?: readonly LegendEntry[];
  /** The drawings, from top to bottom, those in a list side by side; or the reason why there is none. */
  panels: readonly (Panel | readonly Panel[])[] | string;
  caption: string;
  finding: string;
  /** Width of the figure, in pixels. */
  width: number;
  rows: readonly Row[];
  /** Colours chosen by the caller. @default {none} */
  chosen?: ChosenColors | undefined;
  redraw?: ChartParts<Row>["redraw"];
}

/** Replaces characters that no XML document may hold. */
function replaceInvalid(svg: string): string {
  return svg.toWellFormed().replaceAll(/(?![\t\n\r])[\p{Cc}\p{Noncharacter_Code_Point}]/gu, "?");
}

class Column {
  readonly #parts: string[] = [];
  height = MARGIN;
  readonly #width: number;

  constructor(width: number) {
    this.#width = width;
  }

  addText(addText: string, style: { size: number; fill: string; bold?: boolean }): void {
    this.height = this.#addLines(addText, {
      ...style,
      x: MARGIN,
      y: this.height,
      end: this.#width,
    });
  }

  /** Sets text into a part of the column and returns its lower end. */
  #addLines(addText: string, style: {
    size: number;
    fill: string;
    bold?: boolean;
    x: number;
    y: number;
    end: number;
  }): number {
    const { size, fill, bold = false, x } = style;
    let { y } = style;
    for (const line of wrapText(addText, style.end - MARGIN - x, { size, bold })) {
      y += size * LINE_HEIGHT;
      this.#parts.push(
        `<text x="${x}" y="${round(y - size * 0.35)}" font-size="${size}" fill="${fill}"` +
          `${bold ? ' font-weight="bold"' : ""}>${escapeXml(line)}</text>`,
      );
    }
    return y;
  }

  addLegend(entries: readonly LegendEntry[]): void {
    let x = MARGIN;
    const rowHeight = LABEL_SIZE * 1.9;
    this.height += rowHeight;
    for (const entry of entries) {
      const room = this.#width - 2 * MARGIN - LABEL_SIZE * 1.5;
      const lines = wrapText(singularize(entry.label), room, { size: LABEL_SIZE });
      const width = LABEL_SIZE * 2.7 + measureLabel(entry.label);
      if (x > MARGIN && x + width > this.#width - MARGIN) {
        x = MARGIN;
        this.height += rowHeight;
      }
      const y = round(this.height - LABEL_SIZE * 1.2);
      this.#parts.push(
        drawSwatch(entry, round(x), y),
        ...lines.map((line, index) =>
          `<text x="${round(x + LABEL_SIZE * 1.5)}" ` +
          `y="${round(y + LABEL_SIZE * (0.85 + LINE_HEIGHT * index))}" ` +
          `font-size="${LABEL_SIZE}" fill="${COLORS.ink}">${escapeXml(line)}</text>`
        ),
      );
      this.height += Math.max(0, lines.length - 1) * LABEL_SIZE * LINE_HEIGHT;
      x += width;
    }
  }

  addGap(pixels: number): void {
    this.height += pixels;
  }

  addPanels(row: readonly Panel[]): void {
    const shares = row.map((panel) => panel.share ?? 1);
    const total = shares.reduce((sum, share) => sum + share, 0);
    const ends: number[] = [];
    for (const share of shares) {
      ends.push((ends.at(-1) ?? 0) + Math.round(this.#width * share / total));
    }
    const starts = ends.map((_, index) => ends[index - 1] ?? 0);
    const top = this.height;
    for (const [index, { heading }] of row.entries()) {
      if (heading === undefined) continue;
      const style = { size: HEADING_SIZE, fill: COLORS.ink, bold: true };
      const x = starts[index]! + MARGIN;
      const bottom = this.#addLines(heading, {
        ...style,
        x,
        y: top,
        end: ends[index]! + MARGIN / 2,
      });
      this.height = Math.max(this.height, bottom);
    }
    const y = this.height;
    for (const [index, panel] of row.entries()) {
      const svg = drawPanel(panel, ends[index]! - starts[index]!);
      svg.setAttribute("x", String(starts[index]));
      svg.setAttribute("y", String(round(y)));
      this.#parts.push(singularize(roundCoordinates(svg.outerHTML)));
      this.height = Math.max(this.height, y + Number(svg.getAttribute("height")));
    }
  }

  addMessage(addText: string): void {
    const middle = this.#width / 2;
    const width = this.#width - 2 * MARGIN;
    const lines = wrapText(addText, width - 2 * MARGIN, { size: LABEL_SIZE + 2 });
    const height = EMPTY_HEIGHT + (lines.length - 1) * LABEL_SIZE * 1.6;
    this.#parts.push(
      `<rect x="${MARGIN}" y="${round(this.height)}" width="${width}" height="${round(height)}" ` +
        `fill="none" stroke="${COLORS.grey}" stroke-dasharray="4 4"/>`,
    );
    for (const [index, line] of lines.entries()) {
      const y = this.height + EMPTY_HEIGHT / 2 + 4 + index * LABEL_SIZE * 1.6;
      this.#parts.push(
        `<text x="${round(middle)}" y="${round(y)}" font-size="${LABEL_SIZE + 2}" ` +
          `text-anchor="middle" fill="${COLORS.muted}">${escapeXml(line)}</text>`,
      );
    }
    this.height += height;
  }

  toString(): string {
    return this.#parts.join("");
  }
}

function drawSwatch(
  { fill, stroke = "none", shape = "square" }: LegendEntry,
  x: number,
  y: number,
) {
  const middle = round(y + LABEL_SIZE / 2);
  const paint = `fill="${fill}" stroke="${stroke}" stroke-width="1.5"`;
  switch (shape) {
    case "square":
      return `<rect x="${x}" y="${y}" width="${LABEL_SIZE}" height="${LABEL_SIZE}" ${paint}/>`;
    case "dot":
      return `<circle cx="${x + LABEL_SIZE / 2}" cy="${middle}" r="4.5" ${paint}/>`;
    case "line":
      return `<path d="M${x},${middle}h${LABEL_SIZE}" ${paint}/>`;
    case "tick":
      return `<path d="M${x + LABEL_SIZE / 2},${y}v${LABEL_SIZE}" ${paint}/>`;
  }
}

function createDocument(
  { title, description, caption, width }: Pick<
    Figure<unknown>,
    "title" | "description" | "caption" | "width"
  >,
  drawing: Column,
): string {
  drawing.addGap(10);
  drawing.addText(caption, { size: LABEL_SIZE, fill: COLORS.muted });
  const height = Math.ceil(drawing.height + MARGIN);
  return replaceInvalid(
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" font-family="${FONT}" role="img" ` +
      `aria-label="${escapeXml(title)}"><title>${escapeXml(title)}</title>` +
      `<desc>${escapeXml(description)}</desc>` +
      `<rect width="${width}" height="${height}" fill="white"/>${drawing}</svg>`,
  );
}

/** Draws a figure into one standalone SVG document: title, legend, panels or why there is none, caption. */
export function drawFigure<Row>(figure: Figure<Row>): Chart<Row> {
  const { title, subtitle, legend = [], panels, width, rows, finding, chosen, redraw } = figure;
  const column = new Column(width);
  column.addText(title, { size: TITLE_SIZE, fill: COLORS.ink, bold: true });
  if (subtitle !== undefined) column.addText(subtitle, { size: HEADING_SIZE, fill: COLORS.muted });
  if (legend.length > 0) column.addLegend(legend);
  if (typeof panels === "string") {
    column.addGap(8);
    column.addMessage(panels);
  } else {
    for (const panel of panels) {
      column.addGap(8);
      column.addPanels(Array.isArray(panel) ? panel : [panel as Panel]);
    }
  }
  const svg = createDocument(figure, column);
  return new Chart({
    title,
    svg: chosen === undefined ? svg : applyColors(svg, legend, chosen),
    rows,
    finding,
    redraw,
  });
}
