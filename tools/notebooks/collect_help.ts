import type { ClassHelp, FunctionHelp, HelpFile, ParameterHelp } from "../../lib/notebook/help.ts";
import configuration from "../../deno.json" with { type: "json" };
import { InputError } from "orderlens/errors";
import { PROJECT_ROOT } from "../project_root.ts";
import { TaskError } from "../terminal/task_error.ts";

/** Entry points whose functions and classes notebooks use, in the order of the list. */
const ROOMS = ["market", "charts", "notebook", "tables", "metrics", "reports", "sql", "datasets"]
  .concat("explorer");

/** A tag of a doc comment. */
interface Tag {
  readonly kind: string;
  readonly name?: string;
  readonly doc?: string;
  readonly value?: string;
}

interface DocumentedMember {
  readonly name: string;
  readonly jsDoc?: { readonly doc?: string; readonly tags?: readonly Tag[] };
}

// deno-lint-ignore no-explicit-any -- the definition differs by kind, and `printType` takes each
type Loose = any;

/** The fields of a declaration of `deno doc --json` that are read. */
interface Declaration extends Pick<DocumentedMember, "jsDoc"> {
  readonly kind: string;
  readonly location: { readonly filename: string; readonly byteIndex: number };
  readonly def?: Loose;
}

/** Declarations by name. */
type Symbols = ReadonlyMap<string, Declaration>;

/** The declarations of each entry point, and of all of them. */
interface Documentation {
  readonly rooms: ReadonlyMap<string, Symbols>;
  readonly types: Symbols;
}

/**
 * Collects the help of notebooks from the documentation of the library: functions with their parameters,
 * options and an example, and classes with their members.
 *
 * Allowed values are those that a function names when it rejects an option, and otherwise the words of
 * its type.
 *
 * @throws {TaskError} If the documentation cannot be read.
 */
export async function collectHelp(): Promise<HelpFile> {
  const documentation = await readDocumentation();
  const { rooms, types } = documentation;
  const rules = await findRules(documentation);
  const functions: FunctionHelp[] = [];
  const classes: ClassHelp[] = [];
  for (const [room, symbols] of rooms) {
    for (const [name, declaration] of symbols) {
      const summary = cutParagraph(declaration.jsDoc?.doc ?? "");
      const facts = { name, room, summary, example: readExample(declaration) };
      const parameters = listParameters(declaration);
      if (declaration.kind === "class") {
        classes.push({ ...facts, members: listMembers(name, declaration, types) });
      } else if (parameters !== null) {
        functions.push({
          ...facts,
          call: formatCall(name, parameters),
          parameters: parameters.flatMap((parameter) =>
            describeParameter(parameter, declaration, { types, rules })
          ),
        });
      }
    }
  }
  return { functions, classes };
}

/** Formats the file of the help, with a line for each function and class. */
export async function formatHelp(): Promise<string> {
  const parts = Object.entries(await collectHelp()).map(([part, entries]) => {
    const lines = entries.map((entry: FunctionHelp | ClassHelp) => JSON.stringify(entry));
    return `${JSON.stringify(part)}: [\n${lines.join(",\n")}\n]`;
  });
  return `{\n${parts.join(",\n")}\n}\n`;
}

async function readDocumentation(): Promise<Documentation> {
  const entries: Readonly<Record<string, string>> = configuration.exports;
  const { success, stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["doc", "--json", ...Object.values(entries)],
    cwd: PROJECT_ROOT,
    env: { NO_COLOR: "1" },
    stderr: "null",
  }).output();
  if (!success) throw new TaskError("Cannot read the documentation of the library");
  const { nodes } = JSON.parse(new TextDecoder().decode(stdout)) as {
    nodes: Record<string, { symbols: { name: string; declarations: Declaration[] }[] }>;
  };
  const toKey = ({ filename, byteIndex }: Declaration["location"]) => `${filename} ${byteIndex}`;
  const symbols = Object.values(nodes).flatMap((node) => node.symbols);
  const byPlace = new Map(
    symbols.flatMap(({ declarations }) => declarations)
      .filter(({ kind }) => kind !== "reference")
      .map((declaration) => [toKey(declaration.location), declaration]),
  );
  const resolve = ({ name, declarations }: (typeof symbols)[number]) => {
    const resolved = declarations.map((declaration) =>
      declaration.kind === "reference"
        ? byPlace.get(toKey(declaration.def.target)) ?? declaration
        : declaration
    );
    // A class may have an interface of its name.
    const main = resolved.find(({ kind }) => kind === "class") ?? resolved[0]!;
    const beside = resolved.find(({ kind }) => kind === "interface");
    return { name, main, beside };
  };
  const toSymbols = (path: string) =>
    new Map(
      nodes[new URL(path, `file://${PROJECT_ROOT}/`).href]!.symbols.map(resolve)
        .map(({ name, main }) => [name, main]),
    );
  return {
    rooms: new Map(ROOMS.map((room) => [room, toSymbols(entries[`./${room}`]!)])),
    types: new Map(
      symbols.map(resolve).flatMap(({ name, main, beside }) => [
        [name, main] as const,
        ...beside === undefined ? [] : [[toInterface(name), beside] as const],
      ]),
    ),
  };
}

/** The key of an interface, which may have the name of a class. */
function toInterface(name: string): string {
  return `interface ${name}`;
}

/** A parameter of a function. */
interface Parameter {
  readonly name: string;
  readonly isOptional: boolean;
  readonly type: Loose;
}

/** Name of the first parameter of charts. */
const ROWS = "rows";

/** Lists the parameters of a function; `null` for a symbol of another kind. */
function listParameters({ kind, def }: Declaration): Parameter[] | null {
  if (kind === "function") return def.params.map(toParameter);
  const { typeName, typeParams = [] } = def?.tsType?.value ?? {};
  if (kind !== "variable" || typeName !== "Draw") return null;
  const [row, options] = typeParams;
  return [
    { name: ROWS, isOptional: false, type: { kind: "array", value: row } },
    { name: "options", isOptional: true, type: options },
  ];
}

function formatCall(name: string, parameters: readonly Parameter[]): string {
  return `${name}(${
    parameters.map(({ name, isOptional }) => isOptional ? `${name}?` : name).join(", ")
  })`;
}

/** Name of a parameter that is destructured. */
const DESTRUCTURED = "options";

function toParameter(param: Loose): Parameter {
  const inner = param.kind === "assign" ? param.left : param.kind === "rest" ? param.arg : param;
  return {
    name: param.kind === "rest" ? `...${inner.name}` : inner.name ?? DESTRUCTURED,
    isOptional: param.kind === "assign" || inner.optional === true,
    type: inner.tsType ?? param.tsType,
  };
}

/** Lists the options that a parameter has. */
function listOptions({ name, type }: Parameter, types: Symbols): Loose[] {
  return /options$/i.test(name) ? listProperties(type, types) : [];
}

/** Lists the columns of the rows of a chart. */
function listColumns({ name, type }: Parameter, types: Symbols): Loose[] {
  return name === ROWS && type.kind === "array" ? listProperties(type.value, types) : [];
}

/** Describes a parameter, its columns and its options. */
function describeParameter(
  parameter: Parameter,
  { jsDoc }: Declaration,
  { types, rules }: { readonly types: Symbols; readonly rules: ReadonlyMap<string, string> },
): ParameterHelp[] {
  const { name, type } = parameter;
  const tag = jsDoc?.tags?.find((tag) => tag.kind === "param" && tag.name === name);
  const members = [...listColumns(parameter, types), ...listOptions(parameter, types)];
  const described = members.map((property): ParameterHelp => {
    const { meaning, fallback } = readPropertyDoc(property);
    const { optional, tsType } = property;
    return [
      `${name}.${property.name}`,
      printType(tsType),
      rules.get(toRuleKey(type, property.name)) ?? listWords(tsType, types),
      fallback ?? (optional === true ? "" : "required"),
      meaning,
    ];
  });
  const meaning = cleanText(tag?.doc ?? "");
  return meaning === "" && described.length > 0
    ? described
    : [[name, printType(type), listWords(type, types), "", meaning], ...described];
}

/** Separates the meaning of an option from its default, which may stand on the same line. */
function readPropertyDoc(
  { jsDoc }: DocumentedMember,
): { meaning: string; fallback: string | undefined } {
  const doc = jsDoc?.doc ?? "";
  const [, inline] = /@default \{(.*)\}\s*$/s.exec(doc) ?? [];
  const fallback = inline ?? jsDoc?.tags?.find(({ kind }) => kind === "default")?.value;
  return {
    meaning: cleanText(doc.replace(/@default \{.*$/s, "")),
    fallback: fallback === undefined ? undefined : cleanText(fallback),
  };
}

/** Lists the properties of a type of options, its own before those that it extends. */
function listProperties(
  type: Loose,
  types: Symbols,
  parameters: ReadonlyMap<string, Loose> = new Map(),
): Loose[] {
  if (type?.kind === "intersection") {
    return type.value.flatMap((part: Loose) => listProperties(part, types, parameters));
  }
  if (type?.kind === "typeLiteral") return type.value.properties;
  if (type?.kind !== "typeRef") return [];
  const { typeName, typeParams = [] } = type.value;
  if (typeName === "Pick" || typeName === "Omit") {
    const names = listLiterals(typeParams[1], types);
    return listProperties(typeParams[0], types, parameters).filter(({ name }) =>
      names.includes(name) === (typeName === "Pick")
    );
  }
  if (["Partial", "Readonly", "NoInfer"].includes(typeName)) {
    return listProperties(typeParams[0], types, parameters);
  }
  const { kind, def } = types.get(typeName) ?? {};
  if (kind === "typeAlias") return listProperties(def.tsType, types, parameters);
  if (kind !== "interface") return [];
  const names: readonly { readonly name: string }[] = def.typeParams ?? [];
  const typeArguments = new Map(
    names.map(({ name }, index) => [name, substitute(typeParams[index], parameters)]),
  );
  const ownProperties = (def.properties ?? []).map((property: Loose) => ({
    ...property,
    tsType: substitute(property.tsType, typeArguments),
  }));
  const inherited = (def.extends ?? []).flatMap((base: Loose) =>
    listProperties(base, types, typeArguments)
  );
  const all: readonly DocumentedMember[] = [...ownProperties, ...inherited];
  return all.filter(({ name }, index) => all.findIndex((each) => each.name === name) === index);
}

/** Replaces parameters of types by their arguments. */
function substitute(type: Loose, typeArguments: ReadonlyMap<string, Loose>): Loose {
  if (typeof type !== "object" || type === null || typeArguments.size === 0) return type;
  if (Array.isArray(type)) return type.map((part) => substitute(part, typeArguments));
  if (type.kind === "typeRef" && typeArguments.get(type.value.typeName) !== undefined) {
    return typeArguments.get(type.value.typeName);
  }
  return Object.fromEntries(
    Object.entries(type).map(([key, part]) => [key, substitute(part, typeArguments)]),
  );
}

/** Prints a type as TypeScript. */
function printType(type: Loose): string {
  const { kind, value, repr = "" } = type ?? {};
  const print = (list: readonly Loose[] = [], between = ", ") => list.map(printType).join(between);
  const isReadonly = kind === "typeOperator" && value.operator === "readonly";
  switch (kind) {
    case "union":
      return print(value.filter((part: Loose) => part.repr !== "undefined"), " | ");
    case "intersection":
      return print(value, " & ");
    case "array":
      return `${printType(value)}[]`;
    case "tuple":
      return `[${print(value)}]`;
    case "parenthesized":
      return `(${printType(value)})`;
    case "typeOperator":
      return isReadonly ? printType(value.tsType) : `${value.operator} ${printType(value.tsType)}`;
    case "typeRef": {
      const { typeName, typeParams } = value;
      if (["NoInfer", "Readonly"].includes(typeName)) return print(typeParams);
      return typeParams === undefined ? typeName : `${typeName}<${print(typeParams)}>`;
    }
    case "literal":
      return value.kind === "string"
        ? JSON.stringify(value.string)
        : value.kind === "template"
        ? `\`${repr}\``
        : repr;
    case "fnOrConstructor":
      return `(${value.params.map((param: Loose) => toParameter(param).name).join(", ")}) => ${
        printType(value.tsType)
      }`;
    case "typeLiteral":
      return `{ ${
        (value.properties ?? []).map((property: Loose) =>
          `${property.name}${property.optional ? "?" : ""}: ${printType(property.tsType)}`
        ).join("; ")
      } }`;
    case "indexedAccess":
      return `${printType(value.objType)}[${printType(value.indexType)}]`;
  }
  return repr || String(kind ?? "");
}

/** Formats the words that a type allows; empty for one that allows anything else. */
function listWords(type: Loose, types: Symbols): string {
  const literals = listLiterals(type, types).filter((word) => word !== undefined);
  return literals.length < 2 ? "" : `one of ${literals.join(", ")}`;
}

/** Lists the literals of a type; empty if it has other values. */
function listLiterals(type: Loose, types: Symbols): string[] {
  const { kind, value } = type ?? {};
  if (kind === "literal" && value.kind === "string") return [value.string];
  if (kind === "literal" && value.kind === "template") {
    return value.tsTypes.reduce((starts: string[], part: Loose) => {
      const ends = listLiterals(part, types);
      return starts.flatMap((start) => ends.map((end) => start + end));
    }, [""]);
  }
  if (kind === "union") {
    const parts = value.filter(({ repr }: Loose) => repr !== "undefined")
      .map((part: Loose) => listLiterals(part, types));
    return parts.some((words: string[]) => words.length === 0) ? [] : parts.flat();
  }
  if (kind !== "typeRef") return [];
  const { kind: declared, def } = types.get(value.typeName) ?? {};
  return declared === "typeAlias" ? listLiterals(def.tsType, types) : [];
}

/** A value that no option allows. */
const NO_VALUE = Symbol("no value");

/**
 * Finds what options allow, in the words of functions that reject a value. A function may fail before it
 * looks at its options: what another one says of options of the same type counts for both.
 */
async function findRules({ rooms, types }: Documentation): Promise<ReadonlyMap<string, string>> {
  const rules = new Map<string, string>();
  for (const [room, symbols] of rooms) {
    const exported: Readonly<Record<string, Call>> = await import(`orderlens/${room}`);
    for (const [name, declaration] of symbols) {
      const parameters = listParameters(declaration) ?? [];
      for (const [index, parameter] of parameters.entries()) {
        for (const { name: option } of listOptions(parameter, types)) {
          const rule = await findRule(exported[name]!, index, option);
          if (rule !== undefined) rules.set(toRuleKey(parameter.type, option), rule);
        }
      }
    }
  }
  return rules;
}

function toRuleKey(type: Loose, option: string): string {
  return `${printType(type)}.${option}`;
}

type Call = (...values: readonly unknown[]) => unknown;

/** A text for required options beside the one that is tried. */
const ANY_TEXT = "x";

/** Calls a function with an option that it rejects, and reads what it asks for instead. */
async function findRule(
  call: Call,
  index: number,
  option: string,
  required: Readonly<Record<string, string>> = {},
): Promise<string | undefined> {
  const values = [...Array.from({ length: index }, () => []), { ...required, [option]: NO_VALUE }];
  try {
    await call(...values);
  } catch (error) {
    if (!(error instanceof InputError)) return undefined;
    const [, rule] = /^Pass (.+?),? as (\w+)(?:, or leave it out)?$/.exec(error.remedy) ?? [];
    const [, other] = / without (\w+)$/m.exec(error.message) ?? [];
    if (other !== undefined && other !== option && !Object.hasOwn(required, other)) {
      return await findRule(call, index, option, { ...required, [other]: ANY_TEXT });
    }
    return error.message.includes(`with ${option} `) ? rule : undefined;
  }
}

/** Kinds of the members that a class has from an interface of its name. */
const INHERITED_KINDS: Readonly<Record<string, string>> = {
  MarketTables: "table",
  MarketViews: "view",
};

/** Lists the members of a class: what interfaces add to it, its methods, its properties. */
function listMembers(
  name: string,
  { def }: Declaration,
  types: Symbols,
): (readonly [member: string, kind: string, meaning: string])[] {
  const bases: readonly Loose[] = types.get(toInterface(name))?.def.extends ?? [];
  const isPublic = ({ accessibility, isStatic, name }: Loose) =>
    accessibility === undefined && isStatic !== true && !name.startsWith("[");
  const toMember = (method: Loose, kind: string) => {
    const { params = [], name, jsDoc } = { ...method, ...method.functionDef };
    const isGetter = method.kind === "getter";
    return [
      isGetter ? name : formatCall(name, params.map(toParameter)),
      isGetter ? "property" : kind,
      cutParagraph(jsDoc?.doc ?? ""),
    ] as const;
  };
  const { methods = [], properties = [] } = def;
  return [
    ...bases.flatMap((base: Loose) => {
      const { typeName } = base.value;
      return (types.get(typeName)?.def.methods ?? []).map((method: Loose) =>
        toMember(method, INHERITED_KINDS[typeName] ?? "method")
      );
    }),
    ...methods.filter(isPublic).map((method: Loose) => toMember(method, "method")),
    ...properties.filter(isPublic).map(({ name, jsDoc }: DocumentedMember) =>
      [name, "property", cutParagraph(jsDoc?.doc ?? "")] as const
    ),
  ];
}

/** Reads the code of the first example. */
function readExample({ jsDoc }: Declaration): string | null {
  const example = jsDoc?.tags?.find(({ kind }) => kind === "example")?.doc ?? "";
  const [, code] = /```ts\n([^]*?)\n```/.exec(example) ?? [];
  return code ?? null;
}

function cutParagraph(doc: string): string {
  return cleanText(doc.split("\n\n")[0] ?? "");
}

/** Joins the lines of a text, and writes links as the names that they lead to. */
function cleanText(doc: string): string {
  return doc.replaceAll(/\{@link(?:code)? (?:[^}|]*\|)?\s*([^}]+)\}/g, "`$1`")
    .replaceAll(/\s+/g, " ").trim();
}
