/** One element of a drawing, by its place in the text. */
export interface SvgNode {
  /** Name of the element, such as `rect`. */
  readonly name: string;
  /** Its attributes, as they are written. */
  readonly attributes: Readonly<Record<string, string>>;
  /** The element it stands in. */
  readonly parent: SvgNode | undefined;
  /** The elements in it, in order. */
  readonly children: SvgNode[];
  /** Where it begins in the text. */
  readonly start: number;
  /** Where another attribute can be put: behind its name. */
  readonly attributesAt: number;
  /** Where it ends in the text. */
  end: number;
}

/** A text to put into a drawing. */
export interface Insertion {
  /** Where, in characters of the drawing as it was. */
  readonly at: number;
  /** What. */
  readonly text: string;
}

const TAG = /<(\/?)([a-zA-Z][\w:-]*)((?:[^"'>]|"[^"]*"|'[^']*')*)>/g;
const ATTRIBUTE = /([\w:-]+)\s*=\s*(?:"([^"]*)"|'([^']*)')/g;

/** Reads a drawing, which is one well-formed `<svg>`; gives its outermost element. */
export function readSvg(svg: string): SvgNode {
  let root: SvgNode | undefined;
  let open: SvgNode | undefined;
  for (const tag of svg.matchAll(TAG)) {
    const [whole, closing, name = "", rest = ""] = tag;
    const end = tag.index + whole.length;
    if (closing === "/") {
      if (open !== undefined) open.end = end;
      open = open?.parent;
      continue;
    }
    const node: SvgNode = {
      name,
      attributes: attributesOf(rest),
      parent: open,
      children: [],
      start: tag.index,
      attributesAt: tag.index + 1 + name.length,
      end,
    };
    open?.children.push(node);
    root ??= node;
    if (!rest.endsWith("/")) open = node;
  }
  if (root === undefined) throw new TypeError("A drawing has no <svg>");
  return root;
}

function attributesOf(text: string): Record<string, string> {
  const attributes: Record<string, string> = {};
  for (const [, name = "", double, single] of text.matchAll(ATTRIBUTE)) {
    attributes[name] = double ?? single ?? "";
  }
  return attributes;
}

/** What an attribute says of an element: its own, or that of the next element around it. */
export function inherited(node: SvgNode | undefined, attribute: string): string | undefined {
  for (let at = node; at !== undefined; at = at.parent) {
    const own = at.attributes[attribute];
    if (own !== undefined) return own;
  }
  return undefined;
}

/** Every element of a drawing below `node`, in the order of the text. */
export function* below(node: SvgNode): Generator<SvgNode> {
  for (const child of node.children) {
    yield child;
    yield* below(child);
  }
}

/** A drawing with the insertions in it; those for one place stand in the order in which they come. */
export function insertInto(svg: string, insertions: readonly Insertion[]): string {
  const parts: string[] = [];
  let from = 0;
  for (const { at, text } of insertions.toSorted((a, b) => a.at - b.at)) {
    parts.push(svg.slice(from, at), text);
    from = at;
  }
  parts.push(svg.slice(from));
  return parts.join("");
}

/** A drawing whose elements have other values of some attributes, or those attributes as well. */
export function withAttributes(
  svg: string,
  changes: ReadonlyMap<SvgNode, Readonly<Record<string, string>>>,
): string {
  const parts: string[] = [];
  let from = 0;
  for (
    const [{ start, attributesAt }, values] of [...changes].toSorted(([a], [b]) =>
      a.start - b.start
    )
  ) {
    const end = tagEnd(svg, start);
    const names = Object.keys(values);
    const kept = svg.slice(attributesAt, end).replaceAll(
      /\s([\w:-]+)\s*=\s*(?:"[^"]*"|'[^']*')/g,
      (whole, name) => names.includes(name) ? "" : whole,
    );
    const added = Object.entries(values).map(([name, value]) => ` ${name}="${value}"`).join("");
    parts.push(svg.slice(from, attributesAt), added, kept);
    from = end;
  }
  parts.push(svg.slice(from));
  return parts.join("");
}

/** Where the tag that begins at a place ends. */
function tagEnd(svg: string, start: number): number {
  const tag = new RegExp(TAG.source, "y");
  tag.lastIndex = start;
  return start + (tag.exec(svg)?.[0].length ?? 0);
}
