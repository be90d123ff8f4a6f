/**
 * What `orderlens/notebook` gives, where no kernel runs: what would be shown is kept instead.
 *
 * Each import with a query of its own is a page of its own.
 *
 * @module
 */
import { answerBundle } from "../../lib/notebook/outline_value.ts";
import { type MimeBundle, render, type RenderOptions } from "../../lib/notebook/mod.ts";

/** What was shown, in order. */
export const shown: MimeBundle[] = [];

/** Keeps what `answer` would show. */
export function answer(text: string): Promise<void> {
  shown.push(answerBundle(text));
  return Promise.resolve();
}

/** Keeps what `show` would show. */
export async function show(value: unknown, options: RenderOptions = {}): Promise<void> {
  shown.push(await render(value, options));
}
