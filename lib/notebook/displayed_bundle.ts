import { isMimeBundle, type MimeBundle } from "./mime_bundle.ts";

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as typeof DISPLAY;

/** A value that renders itself. */
export interface Displayable {
  /** Returns the output. */
  [DISPLAY](): unknown;
}

/** Whether `value` renders itself. */
export function hasDisplay(value: unknown): value is Displayable {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    DISPLAY in value && typeof value[DISPLAY] === "function";
}

/**
 * The output that `value` renders.
 *
 * @throws {TypeError} If it renders nothing, or output that cannot be sent.
 */
export async function displayedBundle(value: Displayable): Promise<MimeBundle> {
  const bundle: unknown = await value[DISPLAY]();
  if (!isMimeBundle(bundle)) {
    throw new TypeError("Symbol.for('Jupyter.display') returned no media types");
  }
  JSON.stringify(bundle);
  return bundle;
}
