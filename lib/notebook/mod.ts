/**
 * What a notebook cell ends in: `await show(value)` for data and pictures, `await answer(text)` for
 * what they say.
 *
 * Frames and charts show themselves, records become tables with every digit, a bare `bigint` is
 * seen at all (the kernel alone shows nothing), an error shows its remedy and no stack, and what is
 * shown is certainly sent. The only room that talks to the Jupyter kernel; {@linkcode render} is the
 * same without one.
 *
 * @module
 */
export { answer } from "./answer.ts";
export type { MimeBundle } from "./mime_bundle.ts";
export { render, type RenderOptions } from "./render.ts";
export { show } from "./show.ts";
