import { InputError } from "../errors/input_error.ts";
import type { MimeBundle } from "./mime_bundle.ts";

/**
 * Deno's kernel may report a cell as done up to 0.8 ms before its last output is sent, and front
 * ends drop later output. A cell that waits this long loses none.
 */
const SETTLE_MS = 10;

/**
 * Displays a bundle below the running notebook cell, and resolves once it has been sent.
 *
 * The kernel is looked up before the bundle is created: outside a notebook, nothing is computed.
 *
 * @throws {InputError} Outside a notebook.
 */
export async function display(bundle: () => Promise<MimeBundle>): Promise<void> {
  const jupyter = kernel();
  await jupyter.display(await bundle(), { raw: true });
  await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
}

function kernel(): typeof Deno.jupyter {
  try {
    return Deno.jupyter;
  } catch (cause) {
    throw new InputError("Cannot show a value outside a notebook", {
      remedy: "Call it in a notebook cell on the Deno kernel, or use console.log",
      cause,
    });
  }
}
