import { InputError } from "../errors/input_error.ts";
import type { MimeBundle } from "./mime_bundle.ts";

/**
 * Deno's kernel may say that a cell is done up to 0.8 ms before its last output is out, and front
 * ends drop what comes after. A cell that waits this long has lost none.
 */
const SETTLE_MS = 10;

/**
 * Displays a bundle under the running notebook cell, and comes back when it is certainly sent.
 *
 * The kernel is looked up before the bundle is made: outside a notebook nothing is worked out.
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
      remedy: "Call it in a cell of a notebook that runs on the Deno kernel, or use console.log",
      cause,
    });
  }
}
