import { runWithInput } from "../terminal/run_with_input.ts";

/**
 * The text of a notebook file as it is committed: cells formatted by `deno fmt`, the file laid out
 * as Jupyter saves it (`deno fmt` leaves the layout as it finds it).
 *
 * It is given the text and not the file: `deno fmt` on notebook files fails while its cache is cold.
 */
export async function formatNotebook(text: string): Promise<string> {
  const { success, stdout, stderr } = await runWithInput({
    program: Deno.execPath(),
    args: ["fmt", "--ext=ipynb", "-"],
    input: text,
  });
  if (!success) throw new SyntaxError(`A notebook cannot be formatted: ${stderr.trim()}`);
  return `${JSON.stringify(sorted(JSON.parse(stdout)), null, 1)}\n`;
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, child]) => [key, sorted(child)]));
}
