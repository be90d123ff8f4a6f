/** Adds parameter properties to `Deno.lint.Node`, because they are parents of identifiers. */
type Node = Deno.lint.Node | Deno.lint.TSParameterProperty;
type Span = { readonly range: Deno.lint.Range };

/** A use of a global in an expression. */
export interface GlobalName {
  /** The expression, including members. */
  readonly node: Deno.lint.Node;
  /** Its name with members, such as `Deno.jupyter.display`. */
  readonly name: string;
}

interface Binding {
  readonly name: string;
  readonly scope: Node;
}

/** TypeScript expressions; every other `TS…` node contains types or declarations. */
const TYPED_EXPRESSIONS = [
  "TSAsExpression",
  "TSExportAssignment",
  "TSInstantiationExpression",
  "TSNonNullExpression",
  "TSSatisfiesExpression",
  "TSTypeAssertion",
];

const BLOCKS = [
  "BlockStatement",
  "ForInStatement",
  "ForOfStatement",
  "ForStatement",
  "Program",
  "StaticBlock",
  "SwitchStatement",
  "TSModuleBlock",
];

const FUNCTIONS = ["ArrowFunctionExpression", "FunctionDeclaration", "FunctionExpression"];

/**
 * Distinguishes globals from other identifiers of the same name: members, keys, types, labels and
 * local bindings.
 *
 * Add every identifier of a file, then iterate over the globals.
 */
export class GlobalNames {
  readonly #watched: ReadonlySet<string>;
  readonly #bindings: Binding[] = [];
  readonly #references = new Map<number, Deno.lint.Identifier>();

  /** Finds only the globals named in `watched`. */
  constructor(watched: ReadonlySet<string>) {
    this.#watched = watched;
  }

  /** Adds one identifier. */
  add(node: Deno.lint.Identifier): void {
    if (!this.#watched.has(node.name)) return;
    const scope = scopeBoundBy(node);
    if (scope !== undefined) this.#bindings.push({ name: node.name, scope });
    else if (isReference(node)) this.#references.set(node.range[0], node);
  }

  /** All uses of globals, in order. */
  *[Symbol.iterator](): IterableIterator<GlobalName> {
    for (const node of this.#references.values()) {
      const bound = this.#bindings.some(({ name, scope }) =>
        name === node.name && contains(scope, node)
      );
      if (!bound) yield withMembers(node);
    }
  }
}

function same(a: Span | null | undefined, b: Span): boolean {
  return a != null && a.range[0] === b.range[0] && a.range[1] === b.range[1];
}

function contains(outer: Span, inner: Span): boolean {
  return outer.range[0] <= inner.range[0] && inner.range[1] <= outer.range[1];
}

function findAncestor(node: Node, types: readonly string[]): Node {
  let ancestor = node;
  while (!types.includes(ancestor.type) && "parent" in ancestor) ancestor = ancestor.parent;
  return ancestor;
}

/** Whether `pattern` belongs to the destructuring pattern, default or parameter `parent`. */
function belongsTo(parent: Node, pattern: Node): boolean {
  switch (parent.type) {
    case "ArrayPattern":
    case "ObjectPattern":
    case "RestElement":
    case "TSParameterProperty":
      return true;
    case "AssignmentPattern":
      return same(parent.left, pattern);
    case "Property":
      return parent.parent.type === "ObjectPattern" && same(parent.value, pattern);
  }
  return false;
}

/** The scope in which `node` binds its name; `undefined` if it binds none. */
function scopeBoundBy(node: Deno.lint.Identifier): Node | undefined {
  let pattern: Node = node;
  let parent: Node = node.parent;
  while (belongsTo(parent, pattern) && "parent" in parent) {
    pattern = parent;
    parent = parent.parent;
  }
  switch (parent.type) {
    case "ImportSpecifier":
    case "ImportDefaultSpecifier":
    case "ImportNamespaceSpecifier":
      return same(parent.local, node) ? findAncestor(parent, ["Program"]) : undefined;
    case "VariableDeclarator":
      return same(parent.id, pattern) && !parent.parent.declare
        ? findAncestor(parent, BLOCKS)
        : undefined;
    case "ClassDeclaration":
      return same(parent.id, node) && !parent.declare
        ? findAncestor(parent.parent, BLOCKS)
        : undefined;
    case "ClassExpression":
      return same(parent.id, node) ? parent : undefined;
    case "CatchClause":
      return same(parent.param, pattern) ? parent : undefined;
  }
  if (!FUNCTIONS.includes(parent.type)) return undefined;
  const made = parent as
    | Deno.lint.ArrowFunctionExpression
    | Deno.lint.FunctionDeclaration
    | Deno.lint.FunctionExpression;
  if (made.params.some((parameter) => same(parameter, pattern))) return made;
  if (!same(made.id, node)) return undefined;
  return made.type === "FunctionDeclaration" ? findAncestor(made.parent, BLOCKS) : made;
}

/** Whether an identifier is used as a value. */
function isReference(node: Deno.lint.Identifier): boolean {
  const { parent } = node;
  switch (parent.type) {
    case "MemberExpression":
      return parent.computed || same(parent.object, node);
    case "Property":
      return parent.computed || parent.shorthand || !same(parent.key, node);
    case "MethodDefinition":
    case "PropertyDefinition":
      return parent.computed || !same(parent.key, node);
    case "ExportSpecifier":
      return parent.parent.source == null && same(parent.local, node);
    case "UnaryExpression":
      return parent.operator !== "typeof";
    case "ImportSpecifier":
    case "ImportAttribute":
    case "LabeledStatement":
    case "BreakStatement":
    case "ContinueStatement":
    case "MetaProperty":
      return false;
  }
  return !parent.type.startsWith("TS") || TYPED_EXPRESSIONS.includes(parent.type);
}

/** The name of `node` with its members; `globalThis.fetch` is `fetch`. */
function withMembers(node: Deno.lint.Identifier): GlobalName {
  let expression: Deno.lint.Node = node;
  const names = [node.name];
  while (
    expression.parent?.type === "MemberExpression" && same(expression.parent.object, expression)
  ) {
    const member: Deno.lint.MemberExpression = expression.parent;
    const { property } = member;
    if (!member.computed && property.type === "Identifier") names.push(property.name);
    else if (property.type === "Literal") names.push(String(property.value));
    else break;
    expression = member;
  }
  while (names.length > 1 && (names[0] === "globalThis" || names[0] === "self")) names.shift();
  return { node: expression, name: names.join(".") };
}
