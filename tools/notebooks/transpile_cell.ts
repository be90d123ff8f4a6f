import { SourceMap } from "node:module";
import { join } from "node:path";
import { runQuietly } from "../terminal/run_quietly.ts";

/** The JavaScript that the kernel runs for a cell. */
export type TranspiledCell =
  | { readonly map: SourceMap }
  /** The error of a cell that cannot be run, with its line from 1. */
  | { readonly syntaxError: string; readonly line: number };

const SOURCE_MAP = /^\/\/# sourceMappingURL=data:application\/json;base64,(.*)$/m;
const SYNTAX_ERROR = /^error: (.*)$[^]*?file:.*:([0-9]+):[0-9]+$/m;
/** Maximum indentation of statements. */
const MAX_COLUMN = 200;

/** Transpiles the source of a cell as the kernel does, which does not expose its result. */
export async function transpileCell(source: string): Promise<TranspiledCell | undefined> {
  const folder = await Deno.makeTempDir();
  try {
    const file = join(folder, "cell.ts");
    await Deno.writeTextFile(file, source);
    const { output } = await runQuietly({
      program: Deno.execPath(),
      args: ["transpile", "--no-config", "--source-map", "inline", file],
      variables: { NO_COLOR: "1" },
    });
    const [, encoded] = SOURCE_MAP.exec(output) ?? [];
    if (encoded !== undefined) return { map: new SourceMap(JSON.parse(decodeBase64(encoded))) };
    const [, syntaxError, line] = SYNTAX_ERROR.exec(output) ?? [];
    return syntaxError === undefined ? undefined : { syntaxError, line: Number(line) };
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/**
 * Maps an emitted line to the line of the cell; both count from 1.
 *
 * The kernel removes types, blank lines and some comments, and its stack counts the remaining lines.
 */
export function findSourceLine(map: SourceMap, emittedLine: number): number | undefined {
  for (let column = 0; column < MAX_COLUMN; column++) {
    const entry = map.findEntry(emittedLine - 1, column);
    if ("originalLine" in entry && entry.generatedLine === emittedLine - 1) {
      return entry.originalLine + 1;
    }
  }
  return undefined;
}

function decodeBase64(text: string): string {
  return new TextDecoder().decode(Uint8Array.fromBase64(text));
}
