import { assert, assertEquals } from "@std/assert";
import { join } from "node:path";
import { writeGallery } from "../../tools/gallery/write_gallery.ts";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { openBrowser } from "../open_browser.ts";
import { SilentScreen } from "../tools/silent_screen.ts";

/** How many pictures the committed outputs of a notebook hold. */
async function picturesIn(notebook: string): Promise<number> {
  const { cells } = JSON.parse(await Deno.readTextFile(notebook)) as {
    cells: { outputs?: { data?: Record<string, unknown> }[] }[];
  };
  return cells.flatMap((cell) => cell.outputs ?? [])
    .filter((output) => output.data?.["image/svg+xml"] !== undefined).length;
}

Deno.test({
  name: "the gallery opens in a browser: every chart has a size, nothing is loaded, no error",
  // The browser is another process whose pipes end when it does, some time after it was closed.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn() {
    const notebooks = await findNotebooks(join(PROJECT_ROOT, "notebooks"));
    const page = join(PROJECT_ROOT, "build", "gallery_in_browser", "index.html");
    await writeGallery(await ensureJupyter(), {
      page,
      executed: notebooks,
      screen: new SilentScreen(),
    });
    const counts = await Promise.all(notebooks.map(picturesIn));
    const pictures = counts.reduce((sum, count) => sum + count, 0);
    assert(pictures > 0, "no notebook draws anything");

    const browser = await openBrowser();
    try {
      const tab = await browser.newPage();
      const complaints: string[] = [];
      tab.on("console", (message) => {
        if (message.type() === "error") complaints.push(message.text());
      });
      tab.on("pageerror", (error) => complaints.push(String(error)));
      tab.on("request", (request) => {
        if (!/^(?:file|data):/.test(request.url())) complaints.push(`loads ${request.url()}`);
      });
      await tab.goto(`file://${page}`);
      const charts = tab.locator("svg[role=img]");
      const sizes = await Promise.all(
        (await charts.all()).map(async (chart) => await chart.boundingBox()),
      );
      const invisible = sizes.filter((box) => box === null || box.width <= 0 || box.height <= 0);
      assertEquals(complaints, []);
      assertEquals(invisible, []);
      assert(sizes.length >= pictures, `${sizes.length} charts on the page, ${pictures} drawn`);
    } finally {
      await browser.close();
    }
  },
});
