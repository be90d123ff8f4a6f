import { isMimeBundle, type MimeBundle } from "./mime_bundle.ts";

const DISPLAY: unique symbol = Symbol.for("Jupyter.display") as typeof DISPLAY;

/** A value that brings its own picture. */
export interface Displayable {
  /** Gives the picture. */
  [DISPLAY](): unknown;
}

/** Whether `value` brings its own picture. */
export function hasDisplay(value: unknown): value is Displayable {
  return (typeof value === "object" || typeof value === "function") && value !== null &&
    DISPLAY in value && typeof value[DISPLAY] === "function";
}

/**
 * The picture that `value` brings.
 *
 * @throws {TypeError} If it brings none, or one that cannot be sent.
 */
export async function displayedBundle(value: Displayable): Promise<MimeBundle> {
  const bundle: unknown = await value[DISPLAY]();
  if (!isMimeBundle(bundle)) {
    throw new TypeError("Symbol.for('Jupyter.display') gave no media types");
  }
  JSON.stringify(bundle);
  return bundle;
}
