import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

async function task(...args: string[]): Promise<{ success: boolean; output: string }> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["run", "-A", join(PROJECT_ROOT, "tools", "run_notebooks.ts"), ...args],
    variables: { NO_COLOR: "1" },
  });
}

Deno.test("the notebooks task rejects unknown arguments, in one line", async () => {
  assertEquals(await task("--upgrade"), {
    success: false,
    output: "error: Unknown option --upgrade: the only option is --update",
  });
  const { success, output } = await task("no_such_notebook");
  assertEquals(success, false);
  assertEquals(/^error: There is no notebook no_such_notebook: .*$/.test(output), true, output);
});
