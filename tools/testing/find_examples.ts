import { extname } from "node:path";

/** A code block of the documentation that runs as a test. */
export interface Example {
  /** As `deno test --doc` names it: `lib/units/bps.ts#18-24.ts`. */
  readonly name: string;
  /** The file it documents, from the project's folder. */
  readonly path: string;
  /** Line of its opening fence, from 1. */
  readonly line: number;
  /** Its code, without what makes it a comment. */
  readonly code: string;
  /** What a file of such code ends in: `.ts`. */
  readonly extension: string;
}

const SOURCES = /^\.[cm]?[jt]sx?$/;
/** Comments, and the texts in quotes in which one may seem to begin. */
const COMMENT_OR_TEXT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/.*|\/\*[^]*?\*\//g;
const FENCED = /```([^\r\n]*)\r?\n([^]*?)```/g;
/** Blocks inside a comment of HTML are matched without a group, and so passed over. */
const FENCED_OR_HIDDEN = /<!--[^]*?-->|```([^\r\n]*)\r?\n([^]*?)```/g;
const COMMENTED_LINE = /\* ?(?:# ?)?(.*)/;
const LINE = /(?:# ?)?(.*)/;

const EXTENSIONS: Readonly<Record<string, string>> = {
  js: ".js",
  javascript: ".js",
  mjs: ".mjs",
  cjs: ".cjs",
  jsx: ".jsx",
  ts: ".ts",
  typescript: ".ts",
  mts: ".mts",
  cts: ".cts",
  tsx: ".tsx",
};

/** Whether examples are looked for in a file of this name. */
export function mayHoldExamples(path: string): boolean {
  return extname(path) === ".md" || SOURCES.test(extname(path));
}

/**
 * The examples in the text of a file, which are those that `deno test --doc` runs: blocks of code in
 * Markdown and in documentation comments, unless they say `ignore`.
 *
 * @param path The file, from the project's folder.
 * @param text What it holds.
 */
export function findExamples(path: string, text: string): Example[] {
  if (extname(path) === ".md") return blocks(path, text, 1, FENCED_OR_HIDDEN, LINE);
  return [...text.matchAll(COMMENT_OR_TEXT)]
    .filter(([found]) => found.startsWith("/**"))
    .flatMap(({ 0: comment, index }) =>
      blocks(path, comment, lineOf(text, index), FENCED, COMMENTED_LINE)
    );
}

function blocks(
  path: string,
  text: string,
  firstLine: number,
  fences: RegExp,
  codeOf: RegExp,
): Example[] {
  return [...text.matchAll(fences)].flatMap(({ 0: block, 1: attributes, 2: body = "", index }) => {
    const [language = "", ...rest] = (attributes ?? "").split(" ");
    const extension = EXTENSIONS[language];
    if (extension === undefined || rest.includes("ignore")) return [];
    const line = firstLine + lineOf(text, index) - 1;
    const code = body.split(/\r?\n/).map((each) => codeOf.exec(each)?.[1] ?? "").join("\n");
    const name = `${path}#${line}-${line + block.split("\n").length}${extension}`;
    return [{ name, path, line, code, extension }];
  });
}

/** The line, from 1, that the character at `index` stands in. */
function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
