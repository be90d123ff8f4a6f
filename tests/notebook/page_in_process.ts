/**
 * What `orderlens/notebook` gives, where no kernel runs: what would be shown is kept instead.
 *
 * @module
 */
import { type MimeBundle, render, type RenderOptions } from "orderlens/notebook";
import { answerBundle } from "../../lib/notebook/outline_value.ts";

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
