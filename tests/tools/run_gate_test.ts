import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

async function task(...args: string[]): Promise<{ success: boolean; output: string }> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["run", "-A", join(PROJECT_ROOT, "tools", "run_gate.ts"), ...args],
    variables: { NO_COLOR: "1" },
  });
}

Deno.test("the gate explains its options, and rejects others in one line", async () => {
  const { success, output } = await task("--help");
  assertEquals(success, true);
  assertStringIncludes(output, "--quick  leave out tests");
  assertEquals(await task("--quik"), {
    success: false,
    output: "error: There is no option --quik: there are --quick and --help",
  });
});
