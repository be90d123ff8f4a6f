import { SourceMap } from "node:module";
import { join } from "node:path";
import { runQuietly } from "../terminal/run_quietly.ts";

/** What the kernel makes of a cell before it runs it. */
export type TranspiledCell =
  | { readonly map: SourceMap }
  /** It cannot be run: what is wrong, and in which line of the cell, from 1. */
  | { readonly syntaxError: string; readonly line: number };

const SOURCE_MAP = /^\/\/# sourceMappingURL=data:application\/json;base64,(.*)$/m;
const SYNTAX_ERROR = /^error: (.*)$[^]*?file:.*:([0-9]+):[0-9]+$/m;
/** How far statements are indented at most. */
const DEEPEST_COLUMN = 200;

/** Transpiles the source of a cell as the kernel does, which itself tells no one what it did. */
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
 * The line of a cell that its `emittedLine` came from; both count from 1.
 *
 * The kernel runs what is left of a cell when types, blank lines and some comments are gone, and
 * its stack counts those lines.
 */
export function sourceLine(map: SourceMap, emittedLine: number): number | undefined {
  for (let column = 0; column < DEEPEST_COLUMN; column++) {
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
