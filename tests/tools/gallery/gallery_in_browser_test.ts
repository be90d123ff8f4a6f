import { assert, assertEquals } from "@std/assert";
import { basename, join } from "node:path";
import { writeGallery } from "../../../tools/gallery/write_gallery.ts";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { testInBrowser } from "../../test_in_browser.ts";
import { SilentScreen } from "../silent_screen.ts";
import { DRAWN_INDEX } from "./drawn_index.ts";

/** How many pictures with a finding the committed outputs of a notebook hold. */
async function picturesIn(notebook: string): Promise<number> {
  const { cells } = JSON.parse(await Deno.readTextFile(notebook)) as {
    cells: { outputs?: { data?: Record<string, unknown> }[] }[];
  };
  return cells.flatMap((cell) => cell.outputs ?? [])
    .filter(({ data }) =>
      data?.["image/svg+xml"] !== undefined && [data["text/plain"]].flat().join("").includes("\n")
    ).length;
}

testInBrowser(
  "the gallery opens in a browser: charts have a size, nothing is loaded, search and code work",
  async (browser) => {
    const notebooks = await findNotebooks(join(PROJECT_ROOT, "notebooks"));
    const folder = join(PROJECT_ROOT, "build", "gallery_in_browser");
    await writeGallery(await ensureJupyter(), {
      folder,
      executed: notebooks,
      charts: DRAWN_INDEX,
      screen: new SilentScreen(),
    });

    const tab = await browser.newPage({ viewport: { width: 420, height: 900 } });
    const complaints: string[] = [];
    tab.on("console", (message) => {
      if (message.type() === "error") complaints.push(message.text());
    });
    tab.on("pageerror", (error) => complaints.push(String(error)));
    tab.on("request", (request) => {
      if (!/^(?:file|data):/.test(request.url())) complaints.push(`loads ${request.url()}`);
    });
    const open = async (page: string) => {
      await tab.goto(`file://${join(folder, page)}`);
      const width = await tab.evaluate("document.documentElement.scrollWidth");
      assertEquals(width, 420, `width of ${page} on a phone`);
    };

    for (const notebook of notebooks) {
      const page = basename(notebook).replace(".ipynb", ".html");
      await open(page);
      // A chart may be there in several widths, of which the page shows one.
      const charts = tab.locator(".outputs .picture").filter({ has: tab.locator("svg") });
      const sizes = await Promise.all(
        (await charts.all()).map((chart) =>
          chart.locator("svg[viewBox]").filter({ visible: true }).first().boundingBox()
        ),
      );
      assertEquals(sizes.filter((box) => box === null || box.height <= 0), []);
      const drawn = await picturesIn(notebook);
      assert(sizes.length >= drawn, `${sizes.length} charts on ${page}, ${drawn} drawn`);

      assertEquals(await tab.locator(".code pre:visible").count(), 0);
      await tab.getByRole("button", { name: "Show all code" }).click();
      assert(await tab.locator(".code pre:visible").count() > 0);
    }
    await open("charts.html");

    await open("index.html");
    const cards = tab.locator(".cards > li:visible");
    const all = await cards.count();
    await tab.getByRole("searchbox").fill("tolerance");
    assertEquals(await cards.locator("h3").allTextContents(), ["toleranceUsed"]);
    await tab.getByRole("searchbox").fill("no such chart");
    assert(await tab.getByText("No notebook and no chart has this name.").isVisible());
    await tab.getByRole("searchbox").fill("");
    assertEquals(await cards.count(), all);
    await cards.first().getByRole("link").click();
    assertEquals(new URL(tab.url()).pathname, join(folder, "01_auction_rankings.html"));
    assertEquals(complaints, []);
  },
);
