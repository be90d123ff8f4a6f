import { assertEquals } from "@std/assert";
import { missingSnapshots } from "../../../tools/testing/missing_snapshots.ts";
import { sampleProject } from "./sample_project.ts";

Deno.test("missingSnapshots() finds the tests whose first snapshot is not written yet", async () => {
  const keeps = 'Deno.test("kept", async (t) => {\n  await t.assertSnapshot("as it was");\n});\n';
  const root = await sampleProject({
    "tests/units/kept_test.ts": keeps,
    "tests/units/__snapshots__/kept_test.ts.snap": "export const snapshot = {};\n",
    "tests/units/new_test.ts": keeps,
    "tests/units/plain_test.ts": 'Deno.test("plain", () => {});\n',
    "tests/evm/new_test.ts": keeps,
  });
  try {
    assertEquals(await missingSnapshots(root, ["tests"]), [
      "tests/evm/new_test.ts",
      "tests/units/new_test.ts",
    ]);
    assertEquals(await missingSnapshots(root, ["tests/units/kept_test.ts"]), []);
  } finally {
    await Deno.remove(root, { recursive: true });
  }
});
