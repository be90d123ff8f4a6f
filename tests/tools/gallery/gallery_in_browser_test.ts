import { assert, assertEquals, assertMatch } from "@std/assert";
import { basename, join } from "node:path";
import { indexCharts } from "../../../tools/gallery/chart_index.ts";
import { writeGallery } from "../../../tools/gallery/write_gallery.ts";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { complaintsOf } from "../../open_browser.ts";
import { testInBrowser } from "../../test_in_browser.ts";
import { SilentScreen } from "../silent_screen.ts";

/** The index of charts, which takes seconds to draw. */
const index = await indexCharts();

Deno.test("indexCharts() draws every chart from rows, and says what it shows and needs", () => {
  assert(index.charts.length > 0);
  for (const { name, summary, columns, svg } of index.charts) {
    assertMatch(summary, /^Draws [^.]+\.$/, name);
    assert(columns.needed.length + columns.read.length > 0, name);
    assertEquals(columns.needed.filter((column) => columns.read.includes(column)), []);
    // A title may say that there is no clear difference.
    assert(!/>No (?!clear difference)\w+/.test(svg), `${name} draws nothing`);
  }
});

Deno.test("indexCharts() names the columns that the question is about", () => {
  const { columns } = index.charts.find(({ name }) => name === "slippageByPair")!;
  assertEquals(columns.needed, ["order_uid", "kind", "slippage_net_bps", "pair"]);
  assert(columns.read.includes("solver"));
  const general = index.charts.find(({ name }) => name === "timeSeries")!;
  assertEquals(general.columns, { needed: ["x"], read: ["y", "series"] });
});

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
  "the gallery opens in a browser: charts have a size, nothing is loaded, code unfolds",
  async (browser) => {
    const notebooks = await findNotebooks(join(PROJECT_ROOT, "notebooks"));
    const folder = join(PROJECT_ROOT, "build", "gallery_in_browser");
    await writeGallery(await ensureJupyter(), {
      folder,
      notebooks: notebooks.map((path) => ({ source: path, target: path })),
      charts: index,
      screen: new SilentScreen(),
    });

    const tab = await browser.newPage({ viewport: { width: 420, height: 900 } });
    const complaints = complaintsOf(tab, (url) => /^(?:file|data):/.test(url));
    const open = async (page: string) => {
      await tab.goto(`file://${join(folder, page)}`);
      const width = await tab.evaluate("document.documentElement.scrollWidth");
      assertEquals(width, 420, `width of ${page} on a phone`);
    };

    for (const notebook of notebooks) {
      const page = basename(notebook).replace(".ipynb", ".html");
      await open(page);
      // A chart may be there in several widths, of which the page shows one.
      const heights: number[] = await tab.evaluate(
        "[...document.querySelectorAll('.outputs .picture')].filter((one) => one.querySelector('svg'))" +
          ".map((one) => [...one.querySelectorAll('svg[viewBox]')]" +
          ".find((svg) => svg.checkVisibility({ visibilityProperty: true }))" +
          "?.getBoundingClientRect().height ?? 0)",
      );
      assertEquals(heights.filter((height) => height <= 0), []);
      const drawn = await picturesIn(notebook);
      assert(heights.length >= drawn, `${heights.length} charts on ${page}, ${drawn} drawn`);

      assertEquals(await tab.locator(".code pre:visible").count(), 0);
      await tab.getByRole("button", { name: "Show all code" }).click();
      assert(await tab.locator(".code pre:visible").count() > 0);
    }
    await open("charts.html");

    await open("index.html");
    await tab.locator(".cards > li:visible").first().getByRole("link").click();
    assertEquals(new URL(tab.url()).pathname, join(folder, "01_auction_rankings.html"));
    assertEquals(complaints, []);
  },
);
