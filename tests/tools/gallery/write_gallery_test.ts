import { assertEquals, assertMatch, assertRejects, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { writeGallery } from "../../../tools/gallery/write_gallery.ts";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { SilentScreen } from "../silent_screen.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const FIXTURES = join(PROJECT_ROOT, "tests", "testdata", "notebook");

async function gallery(...paths: string[]): Promise<string> {
  const folder = await Deno.makeTempDir();
  try {
    const page = join(folder, "gallery", "index.html");
    const screen = new SilentScreen();
    await writeGallery(await ensureJupyter(), { page, executed: paths, screen });
    return await Deno.readTextFile(page);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

const page = await gallery(
  ...["good", "changed_output"].map((name) => join(FIXTURES, `${name}.ipynb`)),
);

Deno.test("writeGallery() begins with picture, question and line of each notebook", () => {
  const [good = "", changed = ""] = page.split("<li>").slice(1);
  assertStringIncludes(good, '<a href="#good">');
  assertMatch(good, /<div class="cover" aria-hidden="true"><svg .*steelblue/);
  assertStringIncludes(good, "<h2>What does a good notebook show?</h2>");
  assertStringIncludes(good, "<p>Fixed numbers, written in the cells; see the other one.</p>");
  assertStringIncludes(changed, "<h2>What changed?</h2>");
  assertStringIncludes(changed, '<div class="cover" aria-hidden="true"></div>');
});

Deno.test("writeGallery() loads nothing from anywhere and runs nothing", () => {
  assertEquals(page.match(/<script|<link|<iframe|@import|src=|https?:\/\/(?!www\.w3\.org)/g), null);
});

Deno.test("writeGallery() shows every output with every digit", () => {
  assertStringIncludes(page, String(2n ** 255n));
  assertStringIncludes(page, '<td style="text-align:right">12000</td>');
  assertEquals(page.split('<div class="picture"><svg').length - 1, 2);
});

Deno.test("writeGallery() keeps SVG as it is, but for ids that two pictures share", () => {
  assertEquals([...page.matchAll(/<clipPath id="([^"]*)"/g)].map(([, id]) => id), [
    "good-cover-clip",
    "good-1-clip",
    "good-2-clip",
  ]);
  assertEquals([...page.matchAll(/<g clip-path="url\(#([^)]*)\)"/g)].map(([, id]) => id), [
    "good-cover-clip",
    "good-1-clip",
    "good-2-clip",
  ]);
  assertStringIncludes(page, 'viewBox="0 0 320 120"');
});

Deno.test("writeGallery() shows code as it is written", () => {
  assertStringIncludes(page, '&lt;clipPath id="clip"&gt;');
});

Deno.test("writeGallery() leads links between notebooks to their place on the page", () => {
  assertStringIncludes(page, '<a href="#changed_output">the other one</a>');
  assertStringIncludes(page, '<article id="changed_output">');
});

Deno.test("writeGallery() refuses an output that would load something", async () => {
  const folder = await Deno.makeTempDir();
  try {
    const path = join(folder, "loading.ipynb");
    const text = await Deno.readTextFile(join(FIXTURES, "good.ipynb"));
    await Deno.writeTextFile(
      path,
      text.replace("<table>", "<img src='https://example.org/x.png'><table>"),
    );
    await assertRejects(() => gallery(path), TaskError, "The page would load something");
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
});
