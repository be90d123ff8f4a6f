/**
 * Output of notebook cells: `await show(value)` for data and charts, `await answer(text)` for
 * conclusions, `await help(FILLS)` for the documentation of tables, functions and markets.
 *
 * Frames and charts display themselves, records become tables with every digit, a bare `bigint` is
 * displayed (the kernel alone shows nothing), an error shows its remedy without a stack, and all
 * output is reliably sent. UIDs, hashes and addresses are short, copied whole with one click, and
 * linked to their pages with `{ network }`; amounts are in whole tokens, their atoms one click away. Only this room talks to the Jupyter kernel; {@linkcode render} does the
 * same without one.
 *
 * @module
 */
export { help } from "./help.ts";
export { answer, type MimeBundle } from "./outline_value.ts";
export { render, type RenderOptions, show } from "./render.ts";
