import { checkOptions, type OptionRules, rule } from "../../errors/option_rules.ts";
import { chartPage, notebookPage, type PageParts } from "../page/chart_page.ts";
import { initWasm, Resvg } from "@resvg/resvg-wasm";
import { InputError } from "../../errors/input_error.ts";

/** The protocol by which a Jupyter kernel asks a value how it shows itself. */
const jupyterDisplay: unique symbol = Symbol.for("Jupyter.display") as never;

/** Options of {@linkcode Chart.png}. */
export interface PngOptions {
  /** Pixels per unit of the drawing. @default {2} */
  scale?: number;
}

const PNG_OPTIONS: OptionRules<PngOptions> = {
  scale: rule("a number above 0 and at most 10", (scale) => typeof scale === "number"),
};

/** What a chart is made of. */
export interface ChartParts<Row> {
  /** What the chart shows, in one sentence; also its accessible name. */
  title: string;
  /** The drawing, a standalone `<svg>` document. */
  svg: string;
  /** The data it draws. */
  rows: readonly Row[];
  /**
   * Draws the same figure at another width, in pixels, as a standalone `<svg>` document: for phones,
   * and for pages that are wider. Left out where a width was asked for. @default {one drawing}
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
  /** What the chart shows, in one sentence; also its accessible name. */
  readonly title: string;
  /** The drawing, a standalone `<svg>` document. */
  readonly svg: string;
  /** The data it draws. */
  readonly rows: readonly Row[];

  readonly #redraw: ((width: number) => string) | undefined;

  /** Wraps a drawing. */
  constructor(parts: ChartParts<Row>) {
    this.title = parts.title;
    this.svg = parts.svg;
    this.rows = parts.rows;
    this.#redraw = parts.redraw;
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
    return chartPage(this.#page());
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

  /** What the Jupyter kernel asks for. */
  [jupyterDisplay](): Record<string, string> {
    return {
      "text/html": notebookPage(this.#page()),
      "image/svg+xml": this.svg,
      "text/plain": this.title,
    };
  }

  #page(): PageParts {
    return { title: this.title, svg: this.svg, redraw: this.#redraw };
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

/** Starts resvg and gives its fonts. They are large, so they are loaded for the first PNG only. */
async function loadRenderer(): Promise<Uint8Array[]> {
  const [{ RESVG_WASM }, { DEJA_VU_SANS }, { DEJA_VU_SANS_BOLD }] = await Promise.all([
    import("../png/resvg_wasm.ts"),
    import("../png/deja_vu_sans.ts"),
    import("../png/deja_vu_sans_bold.ts"),
  ]);
  await initWasm(await unpackBase64(RESVG_WASM));
  return await Promise.all([DEJA_VU_SANS, DEJA_VU_SANS_BOLD].map(unpackBase64));
}

/** The bytes that stand gzipped in base64 text. */
export async function unpackBase64(text: string): Promise<Uint8Array<ArrayBuffer>> {
  const characters = atob(text);
  const packed = new Uint8Array(characters.length);
  // `Uint8Array.from` with a mapping is 80 times slower, and Node has no `fromBase64` before 25.
  for (let at = 0; at < packed.length; at++) packed[at] = characters.charCodeAt(at);
  const plain = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Uint8Array(await new Response(plain).arrayBuffer());
}
