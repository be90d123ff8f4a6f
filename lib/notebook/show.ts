import { display } from "./outline_value.ts";
import { render, type RenderOptions } from "./render.ts";

/**
 * Shows any value below the running notebook cell, and resolves once it has been sent.
 *
 * Shows the output of {@linkcode render}. End cells with `await show(value)`: the kernel shows
 * nothing for a bare `bigint`, and loses some final expressions.
 *
 * @param value Anything; a promise is awaited first.
 * @throws {InputError} Outside a notebook, or if an option is unknown or has an invalid value.
 * @example Outside a notebook, it throws
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
