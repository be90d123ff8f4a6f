import { display } from "./display.ts";
import { render, type RenderOptions } from "./render.ts";

/**
 * Shows any value under the running notebook cell, and comes back when it is certainly sent.
 *
 * What is shown is what {@linkcode render} gives. End cells in `await show(value)`: the kernel shows
 * nothing for a bare `bigint`, and loses some results that a cell merely ends in.
 *
 * @param value Anything; a promise is awaited first.
 * @throws {InputError} Outside a notebook, or if `rows` is not a whole number of at least 1, or there is no such option.
 * @example Outside a notebook it says so
 * ```ts
 * import { show } from "orderlens/notebook";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => show(2n ** 255n), Error, "outside a notebook");
 * ```
 */
export async function show(value: unknown, options: RenderOptions = {}): Promise<void> {
  await display(() => render(value, options));
}
