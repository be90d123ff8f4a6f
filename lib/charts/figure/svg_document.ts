/** Writes a text as XML has it in quotes, and elsewhere. */
export function escapeXml(text: string): string {
  return escapeText(text).replaceAll('"', "&quot;");
}

/** Writes a text as XML has it between tags. */
function escapeText(text: string): string {
  if (!/[&<>]/.test(text)) return text;
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

/**
 * The document that Plot draws into: elements with attributes, styles and texts. It has no events, layout
 * or parser, so that drawing takes half of the time that it takes in the document of a browser.
 */
export class SvgDocument {
  /** The root, from which d3 finds the document. */
  readonly documentElement: SvgElement = new SvgElement(this, "svg");

  /** The constructor of events, which nobody listens to. */
  readonly defaultView = { Event };

  /** Creates an element. */
  createElement(name: string): SvgElement {
    return new SvgElement(this, name);
  }

  /** Creates an element; all are of one namespace. */
  createElementNS(_: string | null, name: string): SvgElement {
    return new SvgElement(this, name);
  }

  /** Creates a text. */
  createTextNode(text: unknown): SvgText {
    return new SvgText(text);
  }
}

/** An element or a text. */
type SvgNode = SvgElement | SvgText;

/** A text of a drawing. */
class SvgText {
  /** The element that it is in. */
  parentNode: SvgElement | null = null;
  /** Its characters. */
  readonly textContent: string;

  constructor(text: unknown) {
    this.textContent = String(text);
  }

  /** The text as XML. */
  get outerHTML(): string {
    return escapeText(this.textContent);
  }

  /** Copies the text. */
  cloneNode(): SvgText {
    return new SvgText(this.textContent);
  }
}

/** An element of a drawing. */
export class SvgElement {
  /** The namespace of all elements. */
  readonly namespaceURI = "http://www.w3.org/2000/svg";
  /** The document that creates what is added to it. */
  readonly ownerDocument: SvgDocument;
  /** Its name. */
  readonly tagName: string;
  /** The element that it is in. */
  parentNode: SvgElement | null = null;
  /** The nodes in it, in their order. */
  readonly childNodes: SvgNode[] = [];
  readonly #attributes = new Map<string, string>();

  /** Creates an element that is in no other. */
  constructor(ownerDocument: SvgDocument, tagName: string) {
    this.ownerDocument = ownerDocument;
    this.tagName = tagName;
  }

  /** The elements in it. */
  get children(): SvgElement[] {
    return this.childNodes.filter((node) => node instanceof SvgElement);
  }

  /** The first node in it. */
  get firstChild(): SvgNode | null {
    return this.childNodes[0] ?? null;
  }

  /** The last node in it. */
  get lastChild(): SvgNode | null {
    return this.childNodes.at(-1) ?? null;
  }

  /** Returns an attribute; `null` if it has none of the name. */
  getAttribute(name: string): string | null {
    return this.#attributes.get(name) ?? null;
  }

  /** Whether it has an attribute. */
  hasAttribute(name: string): boolean {
    return this.#attributes.has(name);
  }

  /** Sets an attribute. */
  setAttribute(name: string, value: unknown): void {
    this.#attributes.set(name, String(value));
  }

  /** Sets an attribute, whose name has its prefix. */
  setAttributeNS(_: string | null, name: string, value: unknown): void {
    this.setAttribute(name, value);
  }

  /** Removes an attribute. */
  removeAttribute(name: string): void {
    this.#attributes.delete(name);
  }

  /** The rules of its attribute `style`. */
  get style() {
    const listOthers = (name: string) =>
      (this.getAttribute("style") ?? "").split(";")
        .filter((rule) => rule !== "" && !rule.startsWith(`${name}:`));
    const removeProperty = (name: string) => this.setAttribute("style", listOthers(name).join(";"));
    const setProperty = (name: string, value: unknown) =>
      this.setAttribute("style", [...listOthers(name), `${name}:${value}`].join(";"));
    return { setProperty, removeProperty };
  }

  /** Adds nodes and texts at its end. */
  append(...nodes: readonly (SvgNode | string)[]): void {
    for (const node of nodes) this.appendChild(typeof node === "string" ? new SvgText(node) : node);
  }

  /** Adds a node at its end. */
  appendChild<Node extends SvgNode>(node: Node): Node {
    return this.insertBefore(node, null);
  }

  /** Adds a node before another one; at its end without one. */
  insertBefore<Node extends SvgNode>(node: Node, next: SvgNode | null): Node {
    node.parentNode?.removeChild(node);
    node.parentNode = this;
    const index = next === null ? this.childNodes.length : this.childNodes.indexOf(next);
    this.childNodes.splice(index, 0, node);
    return node;
  }

  /** Removes a node. */
  removeChild<Node extends SvgNode>(node: Node): Node {
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
    node.parentNode = null;
    return node;
  }

  /** Removes the element from the one that it is in. */
  remove(): void {
    this.parentNode?.removeChild(this);
  }

  /** Copies the element, with all that is in it if the copy is deep. */
  cloneNode(isDeep = false): SvgElement {
    const copy = new SvgElement(this.ownerDocument, this.tagName);
    for (const [name, value] of this.#attributes) copy.setAttribute(name, value);
    if (isDeep) copy.append(...this.childNodes.map((node) => node.cloneNode(true)));
    return copy;
  }

  /** Yields the elements in it, at any depth, in the order of the text. */
  *walkDescendants(): Generator<SvgElement, void, undefined> {
    for (const child of this.children) {
      yield child;
      yield* child.walkDescendants();
    }
  }

  /** Finds the elements in it that have a name. */
  querySelectorAll(tagName: string): SvgElement[] {
    return this.walkDescendants().filter((element) => element.tagName === tagName).toArray();
  }

  /** Finds the first element in it that has a name. */
  querySelector(tagName: string): SvgElement | null {
    return this.walkDescendants().find((element) => element.tagName === tagName) ?? null;
  }

  /** The texts in it, at any depth. */
  get textContent(): string {
    return this.childNodes.map(({ textContent }) => textContent).join("");
  }

  set textContent(text: unknown) {
    for (const node of this.childNodes) node.parentNode = null;
    this.childNodes.length = 0;
    if (text !== null && text !== undefined && text !== "") this.append(String(text));
  }

  /** Ignores a listener: nobody uses a drawing while it is drawn. */
  addEventListener(): void {}

  /** Ignores an event. */
  dispatchEvent(): void {}

  /** The element as XML; the attribute that was added last comes first. */
  get outerHTML(): string {
    const attributes = [...this.#attributes].reverse()
      .map(([name, value]) => ` ${name}="${escapeXml(value)}"`).join("");
    if (this.childNodes.length === 0) return `<${this.tagName}${attributes} />`;
    const content = this.childNodes.map(({ outerHTML }) => outerHTML).join("");
    return `<${this.tagName}${attributes}>${content}</${this.tagName}>`;
  }

  set innerHTML(_: string) {
    throw new TypeError("Markup cannot be set in a drawing: append elements");
  }
}
