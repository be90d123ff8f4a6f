import { assertEquals, assertMatch } from "@std/assert";
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

Deno.test("the notebooks task lists its options", async () => {
  const { success, output } = await task("--help");
  assertEquals(success, true);
  assertMatch(output, /^Usage: deno task notebooks \[names…\] \[options\]\n/);
});

Deno.test("the notebooks task says in one line which notebook takes no network", async () => {
  assertEquals(await task("07", "--network", "xdai"), {
    success: false,
    output: "error: 07_place_and_track.ipynb has no parameter source: " +
      "it has seed, auctions, slippageBps",
  });
});
