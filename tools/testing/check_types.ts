import { type Ended, runQuietly } from "../terminal/run_quietly.ts";

/**
 * Checks the types of a project: its code, and the examples in its documentation.
 *
 * @param root The project's folder.
 * @param pages Markdown files with examples, relative to it; Deno reads only those that are named.
 */
export async function checkTypes(root: string, pages: readonly string[]): Promise<Ended> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["check", "--quiet", "--doc", ".", ...pages],
    folder: root,
  });
}
