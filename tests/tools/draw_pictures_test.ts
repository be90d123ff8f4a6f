import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

async function task(...args: string[]): Promise<{ success: boolean; output: string }> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["run", "-A", join(PROJECT_ROOT, "tools", "draw_pictures.ts"), ...args],
    variables: { NO_COLOR: "1" },
  });
}

Deno.test("the picture task writes the example of a chart as PNG", async () => {
  const path = join("build", "pictures", "settlementOutcomes.png");
  assertEquals(await task("settlementOutcomes"), { success: true, output: path });
  const bytes = await Deno.readFile(join(PROJECT_ROOT, path));
  assertEquals([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
});

Deno.test("the picture task names the file of an example that is missing, and the others", async () => {
  const { success, output } = await task("noSuchChart");
  assertEquals(success, false);
  assertStringIncludes(output, "error: There is no example tools/gallery/charts/noSuchChart.ts");
  assert(output.includes("winMargin") && !output.includes("market"));
});
