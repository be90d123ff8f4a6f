import { basename, join } from "node:path";
import { pathToFileURL } from "node:url";
import { Chart } from "orderlens/charts";
import { injectParameters, type Parameters } from "../../tools/notebooks/inject_parameters.ts";
import { listCodeCells, parseNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

/**
 * What the cells of notebooks import, where no kernel runs: what would be shown is kept instead, and
 * notebooks that ask for the same market share it, since they only read it.
 *
 * @module
 */
import {
  type Market,
  type MarketOptions,
  type MarketSource,
  openMarket as open,
} from "orderlens/market";
import { type MimeBundle, render, type RenderOptions } from "orderlens/notebook";
import { openSandbox as start, type Sandbox, type SandboxOptions } from "orderlens/sandbox";
import { createAnswerBundle } from "../../lib/notebook/outline_value.ts";
import { Code } from "../../tools/notebooks/inject_parameters.ts";

/** What each cell of the page that runs has shown, in order. */
let page: MimeBundle[][] = [];

/** Whether all that a page shows is compared; drawings for phones and wide pages take most of the time. */
let isWhole = true;

/** Begins a new page, and returns what its cells will show. */
export function newPage(): readonly (readonly MimeBundle[])[] {
  page = [];
  return page;
}

/** Begins a new cell. */
export function newCell(): void {
  page.push([]);
}

/** Keeps what `answer` would show. */
export function answer(text: string | readonly string[]): Promise<void> {
  page.at(-1)?.push(createAnswerBundle(text));
  return Promise.resolve();
}

/**
 * Keeps what `show` would show: of a picture its words and its drawing, and its page if that is kept; of
 * a promise that is rejected its error.
 */
export async function show(value: unknown, options: RenderOptions = {}): Promise<void> {
  const shown = await Promise.resolve(value).catch((error: unknown) => error);
  page.at(-1)?.push(
    isWhole || !(shown instanceof Chart) ? await render(shown, options) : {
      "text/plain": `${shown.title}\n${shown.finding}`,
      "image/svg+xml": shown.svg,
    },
  );
}

/** Sources that cells read by their place. */
export const sources: MarketSource[] = [];

/** The parameter that gives a page a source of this process. */
export function sourceHere(source: MarketSource): Code {
  const place = sources.push(source) - 1;
  return new Code(`(await import(${JSON.stringify(import.meta.url)})).sources[${place}]`);
}

const markets = new Map<MarketSource, Map<string, Promise<Market>>>();
const sandboxes = new Map<string, Promise<Sandbox>>();

/** Opens a market, or gives the one that was opened with the same arguments. */
export function openMarket(source: MarketSource, options: MarketOptions = {}): Promise<Market> {
  const ofSource = markets.getOrInsertComputed(source, () => new Map());
  const asked = JSON.stringify(Object.entries(options).sort(([a], [b]) => a < b ? -1 : 1));
  return ofSource.getOrInsertComputed(asked, () => open(source, options));
}

/** As many auctions show what a page says of a sandbox, where its own outputs are not compared. */
const ENOUGH = 12;

/** Opens a sandbox, or gives the one that was opened with the same options: nobody trades in it. */
export function openSandbox({ auctions = 0, ...given }: SandboxOptions): Promise<Sandbox> {
  const options = { ...given, auctions: isWhole ? auctions : Math.min(auctions, ENOUGH) };
  return sandboxes.getOrInsertComputed(JSON.stringify(options), () => start(options));
}

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
const PAGE = JSON.stringify(import.meta.url);

/**
 * Runs the cells of a notebook as one module in this process, with its own parameters or others;
 * with others, pages of pictures are not kept. Notebooks of the same market share it.
 *
 * @param path The notebook.
 */
export async function runCells(path: string, parameters?: Parameters): Promise<Shown> {
  const name = basename(path, ".ipynb");
  const own = await withoutOutputs.getOrInsertComputed(path, readWithoutOutputs);
  const text = parameters === undefined
    ? own
    : injectParameters(own, { notebook: name, parameters });
  const code = listCodeCells(parseNotebook(text)).map(({ source }) => `newCell();\n${source};\n`)
    .join(
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
  isWhole = parameters === undefined;
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
