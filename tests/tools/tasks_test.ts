import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";

/** Runs a task as a user does. */
async function run(task: string, ...args: string[]): Promise<{ success: boolean; output: string }> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["run", "-A", join(PROJECT_ROOT, "tools", `${task}.ts`), ...args],
    variables: { NO_COLOR: "1" },
  });
}

Deno.test("the gate explains its options, and rejects others in one line", async () => {
  const { success, output } = await run("run_gate", "--help");
  assertEquals(success, true);
  assertStringIncludes(output, "--quick  leave out tests");
  assertEquals(await run("run_gate", "--quik"), {
    success: false,
    output: "error: There is no option --quik: there are --quick and --help",
  });
});

Deno.test("the notebooks task lists its options, and says which notebook takes no network", async () => {
  const { success, output } = await run("run_notebooks", "--help");
  assertEquals(success, true);
  assertMatch(output, /^Usage: deno task notebooks \[names…\] \[options\]\n/);
  assertEquals(await run("run_notebooks", "07", "--network", "xdai"), {
    success: false,
    output: "error: 07_place_and_track.ipynb has no parameter source: " +
      "it has seed, auctions, slippageBps",
  });
});

Deno.test("the check of metrics names a folder that is not there", async () => {
  assertEquals(await run("check_metrics", "/no/such"), {
    success: false,
    output: "Cannot read /no/such: the folder does not exist",
  });
});
