import { interactiveSvg } from "./interactive_svg.ts";
import { pageScript } from "./page_script.ts";
import { pageStyle } from "./page_style.ts";

/** A figure as it goes onto a page. */
export interface PageParts {
  /** What it shows, in one sentence. */
  readonly title: string;
  /** The drawing, a standalone `<svg>` document. */
  readonly svg: string;
  /** The same figure drawn at another width, in pixels, if it can be. */
  readonly redraw?: ((width: number) => string) | undefined;
}

/** Width of the drawing for phones, and the widest place that gets it, in pixels. */
const NARROW = { width: 360, below: 540 };
/** Width of the drawing for wide pages, and the narrowest place that gets it. */
const WIDE = { width: 1080, from: 960 };
/** Drawings are as different as this, at least. */
const APART = 1.25;
/** As many characters may the drawings of a page have together; beyond that, fewer have to do. */
const MOST = 900_000;
/** The same in a notebook, which keeps what it shows. */
const MOST_IN_NOTEBOOK = 320_000;

interface Drawing {
  readonly width: number;
  readonly svg: string;
}

/** The figure with its drawing in it: tips, a legend that switches, light and dark, print. */
export function chartPage(parts: PageParts): string {
  const { name, drawings, style, script } = prepare(parts, MOST);
  const svgs = drawings.map(({ svg }) => svg).join("");
  return `<figure class="${name}">${style}${svgs}${script}</figure>`;
}

/**
 * The same figure for a notebook, whose front end may not trust it. JupyterLab then takes SVG and
 * scripts out and would leave the texts of the drawing behind; so the drawing comes as an image,
 * which stays, and the script puts it in place.
 */
export function notebookPage(parts: PageParts): string {
  const { name, drawings: [first, ...others], style, script } = prepare(
    parts,
    MOST_IN_NOTEBOOK,
  );
  const { svg, width } = first;
  const image =
    `<img alt="${
      escape(parts.title).replaceAll("<", "&lt;")
    }" width="${width}" style="max-width:100%;height:auto" ` +
    `src="${dataUri(svg)}">`;
  const more = others.map(({ svg }) =>
    `<script type="image/svg+xml">${svg.replaceAll(/<(?=\/script)/gi, "&lt;")}</script>`
  ).join("");
  return `<figure class="${name}">${style}${image}${more}${script}</figure>`;
}

function prepare({ svg, redraw }: PageParts, most: number) {
  const name = `orderlens-${contentId(svg)}`;
  const first = drawing(svg, name);
  const drawings: [Drawing, ...Drawing[]] = [first];
  let size = first.svg.length;
  for (const { width } of [NARROW, WIDE]) {
    if (redraw === undefined || size + first.svg.length > most) break;
    if (Math.max(width / first.width, first.width / width) < APART) continue;
    const other = drawing(redraw(width), name);
    size += other.svg.length;
    drawings.push(other);
  }
  const style = `<style>${pageStyle(name, svg)}${switches(name, drawings)}</style>`;
  const script = `<script>${pageScript(name)}</script>`;
  return { name, drawings, style, script };
}

function drawing(svg: string, name: string): Drawing {
  const width = Number(/^<svg [^>]*?\swidth="([\d.]+)"/.exec(svg)?.[1]);
  const text = interactiveSvg(svg, `${name}-${width}`);
  return { width, svg: text.replace("<svg ", `<svg data-width="${width}" `) };
}

/** Which drawing is seen: the first unless the place suits another. */
function switches(name: string, [first, ...others]: readonly Drawing[]): string {
  if (others.length === 0) return "";
  const only = (width: number) =>
    `.${name}>svg{display:none}.${name}>svg[data-width="${width}"]{display:block;width:100%}`;
  return [
    `.${name}{container-type:inline-size;width:100%;min-width:min(100%,${NARROW.width / 2}px)}`,
    ...others.map(({ width }) => `.${name}>svg[data-width="${width}"]{display:none}`),
    ...others.map(({ width }) =>
      width < first!.width
        ? `@container (max-width:${NARROW.below - 0.02}px){${only(width)}}`
        : `@container (min-width:${WIDE.from}px){${only(width)}` +
          `.${name}>svg[data-width="${width}"]{max-width:${width}px}}`
    ),
  ].join("");
}

/** An image as an address, in a quoted attribute of HTML. */
function dataUri(svg: string): string {
  const single = svg.replaceAll(
    /<[a-zA-Z](?:[^"'>]|"[^"]*"|'[^']*')*>/g,
    (tag) => tag.replaceAll(/"([^"']*)"/g, "'$1'"),
  );
  const uri = single.replaceAll(/[%#\t\n\r]/g, (character) => encodeURIComponent(character));
  return `data:image/svg+xml;charset=utf-8,${escape(uri)}`;
}

function escape(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;");
}

/** Eight letters and digits that are the same for the same drawing, and hardly for another. */
function contentId(text: string): string {
  let [high, low] = [0x811c9dc5, 0x1b873593];
  for (let at = 0; at < text.length; at++) {
    const unit = text.charCodeAt(at);
    high = Math.imul(high ^ unit, 0x01000193);
    low = Math.imul(low ^ unit, 0x85ebca6b) ^ (low >>> 15);
  }
  return [high, low].map((half) => (half >>> 0).toString(36).padStart(7, "0")).join("").slice(-12);
}
