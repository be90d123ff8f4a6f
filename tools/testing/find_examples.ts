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
 * Finds the examples in the text of a file, like `deno test --doc`: code blocks in Markdown and
 * in documentation comments, unless they are marked `ignore`.
 *
 * @param path The file, relative to the project's folder.
 * @param text Its content.
 */
export function findExamples(path: string, text: string): Example[] {
  if (extname(path) === ".md") return findBlocks(path, text, 1, FENCED_OR_HIDDEN, LINE);
  return [...text.matchAll(COMMENT_OR_TEXT)]
    .filter(([comment]) => comment.startsWith("/**"))
    .flatMap(({ 0: comment, index }) =>
      findBlocks(path, comment, findLine(text, index), FENCED, COMMENTED_LINE)
    );
}

function findBlocks(
  path: string,
  text: string,
  firstLine: number,
  fences: RegExp,
  codePattern: RegExp,
): Example[] {
  return [...text.matchAll(fences)].flatMap(({ 0: block, 1: attributes, 2: body = "", index }) => {
    const [language = "", ...flags] = (attributes ?? "").split(" ");
    const extension = EXTENSIONS[language];
    if (extension === undefined || flags.includes("ignore")) return [];
    const line = firstLine + findLine(text, index) - 1;
    const code = body.split(/\r?\n/).map((bodyLine) => codePattern.exec(bodyLine)?.[1] ?? "").join(
      "\n",
    );
    const name = `${path}#${line}-${line + block.split("\n").length}${extension}`;
    return [{ name, path, line, code, extension }];
  });
}

/** Finds the line of the character at `index`, from 1. */
function findLine(text: string, index: number): number {
  return text.slice(0, index).split("\n").length;
}
