import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { checkOptions, defineRule, type OptionRules } from "../../errors/option_rules.ts";
import { InputError } from "../../errors/orderlens_error.ts";
import { addInteraction, createPageStyle } from "../page/interactive_svg.ts";
import { createPageScript } from "../page/page_script.ts";

/** Protocol by which a Jupyter kernel gets a value's representations. */
const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display") as never;

/** Options of {@linkcode Chart.png}. */
export interface PngOptions {
  /** Pixels per unit of the drawing. @default {2} */
  scale?: number;
}

const PNG_OPTIONS: OptionRules<PngOptions> = {
  scale: defineRule("a number above 0 and at most 10", (scale) => typeof scale === "number"),
};

/** Parts of a chart. */
export interface ChartParts<Row> {
  /** Title of the chart, in one sentence; also its accessible name. */
  title: string;
  /** The drawing, a standalone `<svg>` document. */
  svg: string;
  /** The data it draws. */
  rows: readonly Row[];
  /** Finding, in one to three sentences with its numbers. @default {""} */
  finding?: string;
  /**
   * Draws the same figure at another width, in pixels, as a standalone `<svg>` document: for phones,
   * and for pages that are wider. Left out where a width was requested. @default {one drawing}
   */
  redraw?: ((width: number) => string) | undefined;
}

/**
 * A drawn chart. It displays itself in Jupyter, and is available as SVG, HTML or PNG elsewhere.
 *
 * @example Save a chart as a picture
 * ```ts
 * import { auctionRanking } from "orderlens/charts";
 * import { assertEquals } from "@std/assert";
 *
 * const chart = auctionRanking([]);
 * const png = await chart.png({ scale: 1 });
 *
 * assertEquals([...png.slice(1, 4)], [0x50, 0x4e, 0x47]);
 * ```
 * @example Put a chart on a page
 * ```ts
 * import { auctionRanking } from "orderlens/charts";
 * import { assertStringIncludes } from "@std/assert";
 *
 * const { html, title } = auctionRanking([]);
 * const page = `<!doctype html><title>${title}</title>${html}`;
 *
 * assertStringIncludes(page, "<figure");
 * ```
 */
export class Chart<Row = unknown> {
  /** Title of the chart, in one sentence; also its accessible name. */
  readonly title: string;
  /** The drawing, a standalone `<svg>` document. */
  readonly svg: string;
  /** The data it draws. */
  readonly rows: readonly Row[];
  /**
   * Finding, in one to three sentences with the numbers that it draws, or why there is nothing
   * to draw. A notebook says it below the picture.
   */
  readonly finding: string;

  readonly #parts: ChartParts<Row>;

  /** Wraps a drawing. */
  constructor(parts: ChartParts<Row>) {
    this.title = parts.title;
    this.svg = parts.svg;
    this.rows = parts.rows;
    this.finding = parts.finding ?? "";
    this.#parts = parts;
  }

  /**
   * The drawing as a self-contained HTML fragment, for a page of any width, light or dark.
   *
   * Marks show their exact value at once under the pointer, the finger and the keyboard's focus
   * (arrow keys go from one to the next), and entries of the legend switch their marks off and on.
   * It loads nothing. Where scripts do not run, the drawing keeps the browser's own tooltips; printed,
   * it is the drawing alone.
   */
  get html(): string {
    return renderPage(this.#parts);
  }

  /**
   * The drawing as a PNG file, with its fonts embedded.
   *
   * @returns The bytes of the file.
   * @throws {InputError} If `scale` is not above 0 and at most 10.
   */
  png(options: PngOptions = {}): Promise<Uint8Array> {
    checkOptions(options, PNG_OPTIONS, "Cannot make a picture");
    return renderPng(this.svg, options.scale ?? 2);
  }

  /** Returns the representations that the Jupyter kernel displays. */
  [jupyterDisplay](): Record<string, string> {
    const findingHtml = this.finding === "" ? "" : `<p>${escapeText(this.finding)}</p>`;
    return {
      "text/html": renderNotebookPage(this.#parts) + findingHtml,
      "image/svg+xml": this.svg,
      "text/plain": [this.title, this.finding].filter((text) => text !== "").join("\n"),
    };
  }
}

const MAX_SCALE = 10;

let loadedFonts: Promise<Uint8Array[]> | undefined;

/**
 * Renders an SVG document as a PNG file. resvg draws no text without a font, so it is given one.
 *
 * @throws {InputError} If `scale` is not above 0 and at most 10.
 */
async function renderPng(svg: string, scale: number): Promise<Uint8Array> {
  if (!(scale > 0 && scale <= MAX_SCALE)) {
    throw new InputError(`Cannot render a PNG at scale ${scale}`, {
      remedy: `Pass a scale above 0 and at most ${MAX_SCALE}; 2 suits most screens`,
    });
  }
  const fontBuffers = await (loadedFonts ??= loadRenderer());
  const resvg = new Resvg(svg, {
    fitTo: { mode: "zoom", value: scale },
    font: { fontBuffers, defaultFontFamily: "DejaVu Sans" },
    background: "white",
  });
  const image = resvg.render();
  try {
    return image.asPng();
  } finally {
    image.free();
    resvg.free();
  }
}

/** Starts resvg and loads its fonts; large, so for the first PNG only. */
async function loadRenderer(): Promise<Uint8Array[]> {
  const [{ RESVG_WASM }, { DEJA_VU_SANS }, { DEJA_VU_SANS_BOLD }] = await Promise.all([
    import("../png/resvg_wasm.ts"),
    import("../png/deja_vu_sans.ts"),
    import("../png/deja_vu_sans_bold.ts"),
  ]);
  await initWasm(await unpackBase64(RESVG_WASM));
  return await Promise.all([DEJA_VU_SANS, DEJA_VU_SANS_BOLD].map(unpackBase64));
}

/** Decodes gzipped bytes from base64 text. */
export async function unpackBase64(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const characters = atob(text);
  const packed = new Uint8Array(characters.length);
  // `Uint8Array.from` with a mapping is 80 times slower, and Node has no `fromBase64` before 25.
  for (let index = 0; index < packed.length; index++) packed[index] = characters.charCodeAt(index);
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}

/** Width of the drawing for phones, and the maximum width of pages that get it, in pixels. */
const NARROW = { width: 360, below: 540 };
/** Width of the drawing for wide pages, and the minimum width of pages that get it. */
const WIDE = { width: 1080, from: 960 };
/** Minimum ratio of the widths of two drawings. */
const MIN_WIDTH_RATIO = 1.25;
/** Maximum number of characters of all drawings of a page; beyond it, there are fewer drawings. */
const MAX_CHARACTERS = 900_000;
/** Maximum number of characters in a notebook, which stores its outputs. */
const MAX_NOTEBOOK_CHARACTERS = 320_000;

/** Renders the figure with its drawing: tips, a legend that switches, light and dark, print. */
function renderPage(parts: ChartParts<unknown>): string {
  const { name, drawings, style, script } = prepareDrawings(parts, MAX_CHARACTERS);
  const svgs = drawings.map(({ svg }) => svg).join("");
  return `<figure class="${name}">${style}${svgs}${script}</figure>`;
}

/**
 * Renders the figure for a notebook, whose front end may not trust it. JupyterLab then takes SVG and
 * scripts out and would leave the texts of the drawing behind; so the drawing comes as an image,
 * which stays, and the script puts it in place.
 */
function renderNotebookPage(parts: ChartParts<unknown>): string {
  const { name, drawings: [first, ...otherDrawings], style, script } = prepareDrawings(
    parts,
    MAX_NOTEBOOK_CHARACTERS,
  );
  const { svg, width } = first;
  const image =
    `<img alt="${escapeText(parts.title)}" width="${width}" style="max-width:100%;height:auto" ` +
    `src="${toDataUri(svg)}">`;
  const more = otherDrawings.map(({ svg }) =>
    `<script type="image/svg+xml">${svg.replaceAll(/<(?=\/script)/gi, "&lt;")}</script>`
  ).join("");
  return `<figure class="${name}">${style}${image}${more}${script}</figure>`;
}

function prepareDrawings({ svg, redraw }: ChartParts<unknown>, maxCharacters: number) {
  const name = `orderlens-${hashContent(svg)}`;
  const first = prepareDrawing(svg, name);
  const drawings: [typeof first, ...(typeof first)[]] = [first];
  let size = first.svg.length;
  for (const { width } of [NARROW, WIDE]) {
    if (redraw === undefined || size + first.svg.length > maxCharacters) break;
    if (Math.max(width / first.width, first.width / width) < MIN_WIDTH_RATIO) continue;
    const alternative = prepareDrawing(redraw(width), name);
    size += alternative.svg.length;
    drawings.push(alternative);
  }
  const style = `<style>${createPageStyle(name, svg)}${createSwitchRules(name, drawings)}</style>`;
  const script = `<script>${createPageScript(name)}</script>`;
  return { name, drawings, style, script };
}

function prepareDrawing(svg: string, name: string) {
  const width = Number(/^<svg [^>]*?\swidth="([\d.]+)"/.exec(svg)?.[1]);
  const text = addInteraction(svg, `${name}-${width}`);
  return { width, svg: text.replace("<svg ", `<svg data-width="${width}" `) };
}

/** Shows one drawing: the first unless the width of the page suits another. */
function createSwitchRules(
  name: string,
  [first, ...alternatives]: ReturnType<typeof prepareDrawing>[],
): string {
  if (alternatives.length === 0) return "";
  const showOnly = (width: number) =>
    `.${name}>svg{display:none}.${name}>svg[data-width="${width}"]{display:block;width:100%}`;
  return [
    `.${name}{container-type:inline-size;width:100%;min-width:min(100%,${NARROW.width / 2}px)}`,
    ...alternatives.map(({ width }) => `.${name}>svg[data-width="${width}"]{display:none}`),
    ...alternatives.map(({ width }) =>
      width < first!.width
        ? `@container (max-width:${NARROW.below - 0.02}px){${showOnly(width)}}`
        : `@container (min-width:${WIDE.from}px){${showOnly(width)}` +
          `.${name}>svg[data-width="${width}"]{max-width:${width}px}}`
    ),
  ].join("");
}

/** Encodes an image as an address for a quoted attribute of HTML. */
export function toDataUri(svg: string): string {
  const single = svg.replaceAll(
    /<[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g,
    (tag) => tag.replaceAll(/"([^"']*)"/g, "'$1'"),
  );
  const uri = single.replaceAll(/[%#\t\n\r]/g, (character) => encodeURIComponent(character));
  return `data:image/svg+xml;charset=utf-8,${escapeQuotes(uri)}`;
}

/** Escapes text for HTML and its quoted attributes. */
export function escapeText(text: string): string {
  return escapeQuotes(text).replaceAll("<", "&lt;");
}

function escapeQuotes(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

/** Hashes a drawing to twelve letters and digits. */
function hashContent(text: string): string {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 15);
  }
  return [high, low].map((half) => (half >>> 0).toString(36).padStart(7, "0")).join("").slice(-12);
}
