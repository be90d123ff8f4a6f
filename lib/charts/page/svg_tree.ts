/** One element of a drawing, with its position in the text. */
export interface SvgNode {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly parent: SvgNode | undefined;
  readonly children: SvgNode[];
  /** Start in the text. */
  readonly start: number;
  /** Position for another attribute: behind its name. */
  readonly attributesAt: number;
  /** End in the text. */
  end: number;
}

export interface Insertion {
  /** Position, in characters of the original drawing. */
  readonly index: number;
  readonly text: string;
  /** End of the replaced text. @default {nothing is replaced} */
  readonly to?: number;
}

const TAG = /<(\/?)([a-zA-Z][\w:-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads a drawing, which is one well-formed `<svg>`, and returns its outermost element. */
export function readSvg(svg: string): SvgNode {
  let root: SvgNode | undefined;
  let open: SvgNode | undefined;
  for (const tag of svg.matchAll(TAG)) {
    const [tagText, closing, name = "", attributeText = ""] = tag;
    const end = tag.index + tagText.length;
    if (closing === "/") {
      if (open !== undefined) open.end = end;
      open = open?.parent;
      continue;
    }
    const node: SvgNode = {
      name,
      attributes: parseAttributes(attributeText),
      parent: open,
      children: [],
      start: tag.index,
      attributesAt: tag.index + 1 + name.length,
      end,
    };
    open?.children.push(node);
    root ??= node;
    if (!attributeText.endsWith("/")) open = node;
  }
  if (root === undefined) throw new TypeError("A drawing has no <svg>");
  return root;
}

function parseAttributes(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    attributes[name] = double ?? single ?? "";
  }
  return attributes;
}

/** Reads an attribute of an element: its own, or that of the next element around it. */
export function readInherited(node: SvgNode | undefined, attribute: string): string | undefined {
  for (let element = node; element !== undefined; element = element.parent) {
    const value = element.attributes[attribute];
    if (value !== undefined) return value;
  }
  return undefined;
}

/** Lists every element below `node`, in the order of the text. */
export function listDescendants(node: SvgNode, listed: SvgNode[] = []): SvgNode[] {
  for (const child of node.children) {
    listed.push(child);
    listDescendants(child, listed);
  }
  return listed;
}

/** Inserts texts into a drawing; those at one position keep their order. */
export function insertInto(svg: string, insertions: readonly Insertion[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { index, text, to = index } of insertions.toSorted((a, b) => a.index - b.index)) {
    parts.push(svg.slice(from, index), text);
    from = to;
  }
  parts.push(svg.slice(from));
  return parts.join("");
}

/** Sets attributes of elements of a drawing. */
export function setAttributes(
  svg: string,
  changes: ReadonlyMap<SvgNode, Readonly<Record<string, string>>>,
): string {
  return insertInto(
    svg,
    [...changes].map(([{ start, attributesAt: index }, values]) => {
      const to = findTagEnd(svg, start);
      const unchanged = svg.slice(index, to).replaceAll(
        /\s([\w:-]+)\s*=\s*(?:"[^"]*"|'[^']*')/g,
        (match, name) => Object.hasOwn(values, name) ? "" : match,
      );
      const newAttributes = Object.entries(values).map(([name, value]) => ` ${name}="${value}"`)
        .join("");
      return { index, to, text: newAttributes + unchanged };
    }),
  );
}

function findTagEnd(svg: string, start: number): number {
  const tag = new RegExp(TAG.source, "y");
  tag.lastIndex = start;
  return start + (tag.exec(svg)?.[0].length ?? 0);
}

/** Variants of one colour on a page. */
export interface Paint {
  readonly color: string;
  readonly name: string;
  /** Colour on a dark page. @default {as in the drawing} */
  readonly dark?: string;
  /** Colour of lines and outlines on a light page, if it is too pale for one. @default {as in the drawing} */
  readonly edge?: string;
  /** Colour of lines and outlines on a dark page, if it is too dark for one. @default {as on a dark page} */
  readonly darkEdge?: string;
}

export const LIGHT_PAPER = "#ffffff";
export const DARK_PAPER = "#14171a";

/** Colours that are neither data nor meant to be distinguished: they turn with the page. */
export const NEUTRALS: readonly Paint[] = [
  { name: "paper", color: "white", dark: DARK_PAPER },
  { name: "ink", color: "#1f2328", dark: "#e6edf3" },
  { name: "muted", color: "#57606a", dark: "#9aa4af" },
  { name: "grey", color: "#b8bec5", dark: "#6e7681", edge: "#6e7681" },
  { name: "range", color: "#e6e9ec", dark: "#2b3138" },
  { name: "band", color: "#f3f5f7", dark: "#1e2328" },
];

/** Palette, with equal fills on every page; pale and dark ones have other outlines. */
export const HUES: readonly Paint[] = [
  { name: "blue", color: "#0072b2", darkEdge: "#4a8ff5" },
  { name: "sky", color: "#56b4e9", edge: "#369adc" },
  { name: "vermilion", color: "#d55e00" },
  { name: "orange", color: "#e69f00", edge: "#6b4a00" },
  { name: "green", color: "#009e73" },
  { name: "purple", color: "#cc79a7" },
];

export const PAINTS: readonly Paint[] = [...NEUTRALS, ...HUES];

const BY_COLOR = new Map(PAINTS.map((paint) => [paint.color, paint]));

/** Finds the variants of a colour; `undefined` for one that a reader chose, which stays. */
export function findPaint(color: string | undefined): Paint | undefined {
  return color === undefined ? undefined : BY_COLOR.get(color);
}

export function toDark(color: string): string {
  const paint = findPaint(color);
  return paint?.dark ?? paint?.color ?? color;
}

/**
 * Computes WCAG's contrast of two colours `#rrggbb` or `rgb(…)`, from 1 to 21; `undefined` if one is
 * none.
 */
export function computeContrast(color: string, background: string): number | undefined {
  const [a, b] = [computeLuminance(color), computeLuminance(background)];
  if (a === undefined || b === undefined) return undefined;
  return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}

const HEX = /^#([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i;
const RGB = /^rgb\((\d+), (\d+), (\d+)\)$/;

function computeLuminance(color: string): number | undefined {
  const hex = HEX.exec(color === "white" ? LIGHT_PAPER : color)?.slice(1);
  const parts = hex?.map((part) => parseInt(part, 16)) ?? RGB.exec(color)?.slice(1).map(Number);
  if (parts === undefined) return undefined;
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const share = part / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
