import { assertEquals, assertRejects } from "@std/assert";
import { basename, join } from "node:path";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

async function withFolder(
  files: readonly string[],
  check: (folder: string) => Promise<void>,
): Promise<void> {
  const folder = await Deno.makeTempDir();
  try {
    for (const file of files) await Deno.writeTextFile(join(folder, file), "");
    await check(folder);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

Deno.test("findNotebooks() finds notebooks in reading order", async () => {
  await withFolder(["02_b.ipynb", "README.md", "01_a.ipynb"], async (folder) => {
    assertEquals((await findNotebooks(folder)).map((path) => basename(path)), [
      "01_a.ipynb",
      "02_b.ipynb",
    ]);
  });
});

Deno.test("findNotebooks() accepts prefixes of names, and lists the available ones", async () => {
  await withFolder(["01_a.ipynb", "02_b.ipynb"], async (folder) => {
    const expected = [join(folder, "02_b.ipynb")];
    assertEquals(await findNotebooks(folder, ["02"]), expected);
    assertEquals(await findNotebooks(folder, ["notebooks/02_b.ipynb"]), expected);
    await assertRejects(
      () => findNotebooks(folder, ["03_c"]),
      TaskError,
      "There is no notebook 03_c: there are 01_a.ipynb, 02_b.ipynb",
    );
  });
});

Deno.test("findNotebooks() accepts paths of notebooks elsewhere, each once", async () => {
  await withFolder(["01_a.ipynb"], async (folder) => {
    await withFolder(["mine.ipynb"], async (elsewhere) => {
      const [own, mine] = [join(folder, "01_a.ipynb"), join(elsewhere, "mine.ipynb")];
      assertEquals(await findNotebooks(folder, [mine]), [mine]);
      assertEquals(await findNotebooks(folder, [mine, "01", own]), [own, mine]);
      await assertRejects(() => findNotebooks(folder, [`${elsewhere}/no.ipynb`]), TaskError);
    });
  });
});

Deno.test("findNotebooks() finds none without a folder", async () => {
  await withFolder([], async (folder) => {
    assertEquals(await findNotebooks(folder), []);
    assertEquals(await findNotebooks(join(folder, "nowhere")), []);
  });
});
