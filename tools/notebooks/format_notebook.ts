import { runWithInput } from "../terminal/run_with_input.ts";

/**
 * Formats the text of a notebook file for a commit: cells by `deno fmt`, the file as Jupyter saves it
 * (`deno fmt` keeps the layout).
 *
 * Takes text instead of a file, because `deno fmt` on notebook files fails with a cold cache.
 */
export async function formatNotebook(text: string): Promise<string> {
  const { success, stdout, stderr } = await runWithInput({
    program: Deno.execPath(),
    args: ["fmt", "--ext=ipynb", "-"],
    input: text,
  });
  if (!success) throw new SyntaxError(`A notebook cannot be formatted: ${stderr.trim()}`);
  return `${JSON.stringify(sortKeys(JSON.parse(stdout)), null, 1)}\n`;
}

function sortKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sortKeys);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).sort(([a], [b]) => a < b ? -1 : 1);
  return Object.fromEntries(entries.map(([key, child]) => [key, sortKeys(child)]));
}
