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
import { answerBundle } from "../../lib/notebook/outline_value.ts";
import { Code } from "../../tools/notebooks/inject_parameters.ts";

/** What each cell of the page that runs has shown, in order. */
let page: MimeBundle[][] = [];

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
  page.at(-1)?.push(answerBundle(text));
  return Promise.resolve();
}

/** Keeps what `show` would show. */
export async function show(value: unknown, options: RenderOptions = {}): Promise<void> {
  page.at(-1)?.push(await render(value, options));
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

/** Opens a sandbox, or gives the one that was opened with the same options: nobody trades in it. */
export function openSandbox(options: SandboxOptions): Promise<Sandbox> {
  return sandboxes.getOrInsertComputed(JSON.stringify(options), () => start(options));
}
