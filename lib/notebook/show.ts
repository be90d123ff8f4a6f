import { InputError } from "../errors/input_error.ts";
import { render, type RenderOptions } from "./render.ts";

/**
 * Deno's kernel may say that a cell is done up to 0.8 ms before its last output is out, and front
 * ends drop what comes after. A cell that waits this long has lost none.
 */
const SETTLE_MS = 10;

/**
 * Shows any value under the running notebook cell, and comes back when it is certainly sent.
 *
 * What is shown is what {@linkcode render} gives. End cells in `await show(value)`: the kernel shows
 * nothing for a bare `bigint`, and loses some results that a cell merely ends in.
 *
 * @param value Anything; a promise is awaited first.
 * @throws {InputError} Outside a notebook, or if `rows` is not a whole number of at least 1.
 * @example Outside a notebook it says so
 * ```ts
 * import { show } from "orderlens/notebook";
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => show(2n ** 255n), Error, "outside a notebook");
 * ```
 */
export async function show(value: unknown, options: RenderOptions = {}): Promise<void> {
  const jupyter = kernel();
  await jupyter.display(await render(value, options), { raw: true });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

function kernel(): typeof Deno.jupyter {
  try {
    return Deno.jupyter;
  } catch (cause) {
    throw new InputError("Cannot show a value outside a notebook", {
      remedy: "Call it in a cell of a notebook that runs on the Deno kernel, or use console.log",
      cause,
    });
  }
}
