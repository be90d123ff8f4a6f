import { extname } from "node:path";

/** A code block of the documentation that runs as a test. */
export interface Example {
  /** Its name in `deno test --doc`: `lib/units/bps.ts#18-24.ts`. */
  readonly name: string;
  /** The documented file, relative to the project's folder. */
  readonly path: string;
  /** Line of its opening fence, from 1. */
  readonly line: number;
  /** Its code, without comment markers. */
  readonly code: string;
  /** File extension of its language: `.ts`. */
  readonly extension: string;
}

const SOURCES = /^\.[cm]?[jt]sx?$/;
/** Comments, and string literals, in which a comment may seem to start. */
const COMMENT_OR_TEXT = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\/.*|\/\*[^]*?\*\//g;
const FENCED = /```([^\r\n]*)\r?\n([^]*?)```/g;
/** Blocks inside HTML comments match without a group and are skipped. */
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

/** Whether files with this name are searched for examples. */
export function mayHoldExamples(path: string): boolean {
  return extname(path) === ".md" || SOURCES.test(extname(path));
}

/**
 * Finds the examples in the text of a file, the same as `deno test --doc`: code blocks in Markdown and
 * in documentation comments, unless they are marked `ignore`.
 *
 * @param path The file, relative to the project's folder.
 * @param text Its content.
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

/** The line of the character at `index`, from 1. */
function lineOf(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
