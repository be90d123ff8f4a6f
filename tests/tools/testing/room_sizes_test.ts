import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { budgetsIn, checkSizes, linesOfCode } from "../../../tools/testing/room_sizes.ts";

Deno.test("linesOfCode() counts neither blank lines nor comments", () => {
  const text =
    "/**\n * What it is.\n */\nexport const a = 1; // one\n\n// Two.\nconst b = `\n/* kept`;\n";
  assertEquals(linesOfCode(text, "ts"), 3);
  assertEquals(linesOfCode("-- a view\nSELECT 1\n\n", "sql"), 1);
  assertEquals(linesOfCode("# a program\nprint(1)\n", "py"), 1);
});

Deno.test("checkSizes() names the room that is over its budget, or has none", async () => {
  const root = await Deno.makeTempDir();
  const page = "| room | lines | files |\n| `units` | 1 | 1,000 |\n";
  try {
    await Deno.mkdir(`${root}/docs`);
    for (const room of ["units", "errors"]) {
      await Deno.mkdir(`${root}/lib/${room}`, { recursive: true });
    }
    await Deno.writeTextFile(`${root}/docs/architecture.md`, page);
    await Deno.writeTextFile(`${root}/lib/units/a.ts`, "1;\n");
    assert((await checkSizes(root)).success);
    await Deno.writeTextFile(`${root}/lib/units/b.sql`, "SELECT 2\n");
    await Deno.writeTextFile(`${root}/lib/errors/a.py`, "pass\n");
    const { success, output } = await checkSizes(root);
    assertEquals(success, false);
    assertStringIncludes(output, "units has 2 lines, and its budget is 1");
    assertStringIncludes(output, "errors has 1 files, and its budget is 0");
    assertEquals([...budgetsIn(page)], [["units", { lines: 1, files: 1000 }]]);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
