import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { writeBack } from "../../../tools/notebooks/write_back.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const GOOD = join(PROJECT_ROOT, "tests", "testdata", "notebook", "good.ipynb");

async function withCopies(
  change: (text: string) => string,
  check: (source: string, target: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    const source = join(folder, "source.ipynb");
    const target = join(folder, "target.ipynb");
    const text = await Deno.readTextFile(GOOD);
    await Deno.writeTextFile(source, text);
    await Deno.writeTextFile(target, change(text));
    await check(source, target);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("writeBack() keeps a notebook with unchanged outputs", async () => {
  await withCopies((text) => JSON.stringify(JSON.parse(text)), async (source, target) => {
    assertEquals(await writeBack({ source, target }), false);
  });
});

Deno.test("writeBack() writes new outputs in Jupyter's format", async () => {
  await withCopies(
    (text) => JSON.stringify(JSON.parse(text.replace("12000", "12001"))),
    async (source, target) => {
      assertEquals(await writeBack({ source, target }), true);
      const good = await Deno.readTextFile(GOOD);
      assertEquals(await Deno.readTextFile(source), good.replace("12000", "12001"));
    },
  );
});

Deno.test("writeBack() rejects a notebook with a path of this machine", async () => {
  await withCopies(
    (text) => text.replace("12000", join(PROJECT_ROOT, "data")),
    async (source, target) => {
      const before = await Deno.readTextFile(source);
      const error = await assertRejects(() => writeBack({ source, target }), TaskError);
      assertStringIncludes(error.message, `it would hold the path ${PROJECT_ROOT}`);
      assertEquals(await Deno.readTextFile(source), before);
    },
  );
});
