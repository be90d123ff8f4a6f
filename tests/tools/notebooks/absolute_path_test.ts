import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { absolutePath } from "../../../tools/notebooks/absolute_path.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";

Deno.test("absolutePath() finds paths of a machine", () => {
  assertEquals(absolutePath(`at ${join(PROJECT_ROOT, "lib")}`), PROJECT_ROOT);
  assertEquals(absolutePath("at file:///opt/x/mod.ts:3:1 and so on"), "file:///opt/x/mod.ts:3:1");
  assertEquals(absolutePath("wrote /home/someone/a.csv"), "/home/someone/a.csv");
});

Deno.test("absolutePath() ignores URLs and routes", () => {
  assertEquals(
    absolutePath("https://example.org/home/x, GET /api/v1/orders, ../data/x"),
    undefined,
  );
});
