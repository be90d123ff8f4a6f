import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MimeBundle } from "orderlens/notebook";
import { injectParameters, type Parameters } from "../../tools/notebooks/inject_parameters.ts";
import { codeCells, parseNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { newPage } from "./page_in_process.ts";

/** What a notebook showed. */
export interface Shown {
  /** What each code cell showed, in order. */
  readonly cells: readonly (readonly MimeBundle[])[];
  /** Sentences, tables, and what pictures say, as plain text, in order. */
  readonly texts: readonly string[];
  /** Drawings, in order. */
  readonly drawings: readonly string[];
}

const FOLDER = join(PROJECT_ROOT, "build", "tests", "cells_in_process");
/** Imports of what the page gives. Who trades in a sandbox imports accounts too, and has its own. */
const IMPORTS = /^import \{ (?:answer, show|openMarket|openSandbox) \} from "(orderlens\/\w+)";$/gm;
const withoutOutputs = new Map<string, Promise<string>>();
const PAGE = JSON.stringify(new URL("./page_in_process.ts", import.meta.url).href);

/**
 * Runs the cells of a notebook as one module in this process, with its own parameters or others.
 * Notebooks of the same market share it.
 *
 * @param path The notebook.
 */
export async function runCells(path: string, parameters?: Parameters): Promise<Shown> {
  const name = basename(path, ".ipynb");
  const own = await withoutOutputs.getOrInsertComputed(path, readWithoutOutputs);
  const text = parameters === undefined
    ? own
    : injectParameters(own, { notebook: name, parameters });
  const code = codeCells(parseNotebook(text)).map(({ source }) => `newCell();\n${source};\n`).join(
    "",
  );
  const given = [...code.matchAll(IMPORTS)].map(([, module]) => module);
  for (const module of ["orderlens/notebook", "orderlens/market"]) {
    if (!given.includes(module)) throw new Error(`${name} does not import ${module} as others do`);
  }
  await Deno.mkdir(FOLDER, { recursive: true });
  // A module of the same path would not run again.
  const file = await Deno.makeTempFile({ dir: FOLDER, prefix: `${name}_`, suffix: ".ts" });
  const cells = newPage();
  try {
    await Deno.writeTextFile(
      file,
      `import { newCell } from ${PAGE};\n${
        code.replaceAll(IMPORTS, (line, module) => line.replace(JSON.stringify(module), PAGE))
      }`,
    );
    await import(pathToFileURL(file).href);
  } finally {
    await Deno.remove(file);
  }
  const shown = cells.flat();
  return {
    cells,
    texts: shown.map((bundle) => String(bundle["text/plain"])),
    drawings: shown.flatMap((bundle) => bundle["image/svg+xml"] ?? []).map(String),
  };
}

/** The text of a notebook without its outputs, which are most of it. */
async function readWithoutOutputs(path: string): Promise<string> {
  return JSON.stringify(
    JSON.parse(await Deno.readTextFile(path)),
    (key, value) => key === "outputs" ? [] : value,
  );
}
