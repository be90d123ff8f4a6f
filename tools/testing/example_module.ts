import type { Example } from "./find_examples.ts";

const EXPORTED =
  /^export (?:default )?(?:declare )?(?:abstract )?(?:async )?(?:function\*?|const enum|const|let|var|class|interface|type|enum|namespace) ([\p{ID_Start}$_][\p{ID_Continue}$]*)/gmu;
const EXPORT_LIST = /^export (?:type )?\{([^}]*)\}/gm;
const IMPORT = /^[ \t]*import\s+(?:type\s+)?([^"';]*?)\s*from\s*["']/gm;
const DECLARED =
  /\b(?:function\*?|const enum|const|let|var|using|class|interface|type|enum|namespace)\s+([\p{ID_Start}$_][\p{ID_Continue}$]*)/gu;
const DESTRUCTURED = /\b(?:const|let|var)\s*([{[][^=]*)=/g;
const NAME = /[\p{ID_Start}$_][\p{ID_Continue}$]*/gu;
const RELATIVE = /(\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.\.?\/[^"']*)\2/g;

/**
 * Turns an example into a module that runs on import.
 *
 * As a separate module, an example has its own imports, top-level await and scope. The exports that it
 * uses of the documented file are imported, as by `deno test --doc`. Its lines are numbered as in that
 * file, so that a stack shows where it failed.
 *
 * @param example The example.
 * @param documented URL and text of the documented file.
 */
export function createExampleModule(
  example: Example,
  documented: { readonly url: URL; readonly text: string },
): string {
  const { path, line, extension } = example;
  const code = example.code.replace(
    RELATIVE,
    (_, keyword, quote, specifier) =>
      `${keyword}${quote}${new URL(specifier, documented.url).href}${quote}`,
  );
  const names = path.endsWith(".md") ? [] : findImplied(code, listExports(documented.text));
  const header = names.length === 0
    ? ""
    : `import { ${names.join(", ")} } from ${JSON.stringify(documented.url.href)};`;
  const isTyped = extension.includes("ts");
  const ending = isTyped || extension === ".mjs" ? "export {};\n" : "";
  return `${header}${"\n".repeat(line)}${code}\n${ending}`;
}

/** Finds the names among `exported` that the code uses and neither imports nor declares. */
function findImplied(code: string, exported: readonly string[]): string[] {
  const usedNames = new Set(code.match(NAME));
  const declaredNames = new Set([
    ...[...code.matchAll(IMPORT)].flatMap(([, clause = ""]) => clause.match(NAME) ?? []),
    ...[...code.matchAll(DECLARED)].flatMap(([, name = ""]) => name),
    ...[...code.matchAll(DESTRUCTURED)].flatMap(([, pattern = ""]) => pattern.match(NAME) ?? []),
  ]);
  return exported.filter((name) => usedNames.has(name) && !declaredNames.has(name));
}

function listExports(text: string): string[] {
  const listedNames = [...text.matchAll(EXPORT_LIST)].flatMap(([, list = ""]) =>
    list.split(",").flatMap((item) => /(\S+)\s*$/.exec(item)?.[1] ?? [])
  );
  const declared = [...text.matchAll(EXPORTED)].flatMap(([, name = ""]) => name);
  return [...new Set([...declared, ...listedNames])].filter((name) => name !== "default");
}
