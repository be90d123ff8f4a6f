/** A name that a file declares, or a doc comment. */
export interface Declaration {
  /** A constant in capitals is a variable as well. */
  readonly kind: "function" | "type" | "variable" | "doc";
  /** The name without `#`, or the first words of the doc. */
  readonly text: string;
  /** Characters of the file. */
  readonly range: Deno.lint.Range;
  /** Whether a variable only repeats the name of the property that it is taken from. */
  readonly isShorthand?: boolean;
}

/** A parameter, or what a declaration binds. */
type Pattern = Deno.lint.Node | Deno.lint.Parameter | null;
type Report = (declaration: Declaration) => void;

/** A visitor that reports functions and methods, types, variables and parameters, and docs. */
export function visitDeclarations(
  context: Deno.lint.RuleContext,
  report: Report,
): Deno.lint.LintVisitor {
  const add = (kind: Declaration["kind"], { name, range }: Deno.lint.Identifier) =>
    report({ kind, text: name, range });
  const addType = ({ id }: { readonly id: Deno.lint.Identifier | null }) => {
    if (id !== null) add("type", id);
  };
  const addMethod = ({ key }: { readonly key: Deno.lint.Node }) => {
    if (key.type === "PrivateIdentifier" || key.type === "Identifier") {
      report({ kind: "function", text: key.name.replace("#", ""), range: key.range });
    }
  };
  const addVariables = (pattern: Pattern) => {
    for (const { name, range, isShorthand = false } of listBoundNames(pattern)) {
      report({ kind: "variable", text: name, range, isShorthand });
    }
  };
  const addParameters = ({ params }: { readonly params: readonly Deno.lint.Parameter[] }) =>
    params.forEach(addVariables);
  return {
    FunctionDeclaration(node) {
      if (node.id !== null) add("function", node.id);
      addParameters(node);
    },
    FunctionExpression: addParameters,
    ArrowFunctionExpression: addParameters,
    TSFunctionType: addParameters,
    TSMethodSignature: addParameters,
    MethodDefinition(node) {
      if (node.kind === "method") addMethod(node);
    },
    Property(node) {
      if (node.method) addMethod(node);
    },
    VariableDeclarator({ id, init }) {
      const isFunction = init?.type === "ArrowFunctionExpression" ||
        init?.type === "FunctionExpression";
      if (isFunction && id.type === "Identifier") add("function", id);
      else addVariables(id);
    },
    ClassDeclaration: addType,
    TSInterfaceDeclaration: addType,
    TSTypeAliasDeclaration: addType,
    "Program:exit"() {
      for (const { type, value, range } of context.sourceCode.getAllComments()) {
        if (type !== "Block" || !value.startsWith("*")) continue;
        report({ kind: "doc", text: value.replace(/^[*\s]+/, "").slice(0, 60), range });
      }
    },
  };
}

/** An identifier that a pattern binds. */
type BoundName = Pick<Deno.lint.Identifier, "name" | "range"> & { readonly isShorthand?: boolean };

/** The identifiers that a pattern binds. */
function listBoundNames(pattern: Pattern): BoundName[] {
  switch (pattern?.type) {
    case "Identifier":
      return [pattern];
    case "AssignmentPattern":
      return listBoundNames(pattern.left);
    case "RestElement":
      return listBoundNames(pattern.argument);
    case "ArrayPattern":
      return pattern.elements.flatMap(listBoundNames);
    case "ObjectPattern":
      return pattern.properties.flatMap((property) =>
        property.type === "Property"
          ? listBoundNames(property.value).map(({ name, range }) => ({
            name,
            range,
            isShorthand: range[0] === property.key.range[0],
          }))
          : listBoundNames(property)
      );
    case "TSParameterProperty":
      return listBoundNames(pattern.parameter);
    default:
      return [];
  }
}
