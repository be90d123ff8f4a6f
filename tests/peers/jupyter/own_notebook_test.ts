import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { complaintsOf } from "../../open_browser.ts";
import { withFiles } from "../../sandbox/temp_folder.ts";
import { testInBrowser } from "../../test_in_browser.ts";

/** A notebook with these cells of code, below a heading. */
function notebook(...sources: readonly string[]): string {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  const heading = { cell_type: "markdown", id: "heading", metadata: {}, source: "# My fills" };
  const content = { cells: [heading, ...cells], metadata: {}, nbformat: 4, nbformat_minor: 5 };
  return JSON.stringify(content);
}

const MINE = notebook(
  'import { explore } from "orderlens/charts";\n' +
    'import { openMarket } from "orderlens/market";\n' +
    'import { help, show } from "orderlens/notebook";\n' +
    'const market = await openMarket("market_1", { last: 60 });',
  "await show(explore(await market.fills()));",
  'await show(Deno.readTextFile("beside.txt"));',
  "await help(market);",
  // Neither ends the kernel.
  'show(market.sql("SELECT nothing FROM fills"));\nhelp("no such subject");',
  'await show("after an error");',
);

/** Runs the command in a folder, as a user does. */
async function runIn(folder: string, ...words: readonly string[]) {
  return await runQuietly({
    program: "sh",
    args: [join(PROJECT_ROOT, "bin", "orderlens"), "notebook", "run", ...words],
    folder,
    variables: { NO_COLOR: "1" },
  });
}

testInBrowser(
  "a notebook outside the clone becomes one file that works from a disk",
  async (browser) => {
    const files = {
      "mine.ipynb": MINE,
      "beside.txt": "read beside the notebook",
      "failing.ipynb": notebook("const one = 1;", "const limit = null;\nlimit.amount;"),
    };
    await withFiles(files, async (folder) => {
      const { success, output } = await runIn(folder, "mine.ipynb", "--html", "mine.html");
      assert(success, output);
      assertStringIncludes(output, "Wrote mine.html: open it in a browser");
      assertEquals(await Deno.readTextFile(join(folder, "mine.ipynb")), MINE);
      const page = await Deno.readTextFile(join(folder, "mine.html"));
      for (
        const text of [
          "read beside the notebook",
          "fills()",
          "nothing",
          "There is no help for",
          "after an error",
        ]
      ) assertStringIncludes(page, text);

      // A copy is as good, wherever it is.
      await Deno.mkdir(join(folder, "elsewhere"));
      await Deno.rename(join(folder, "mine.html"), join(folder, "elsewhere", "sent.html"));
      for (const colorScheme of ["light", "dark"] as const) {
        const tab = await browser.newPage({ viewport: { width: 900, height: 800 }, colorScheme });
        const complaints = complaintsOf(tab, (url) => /^(?:file|data):/.test(url));
        await tab.goto(`file://${join(folder, "elsewhere", "sent.html")}`);
        const exploration = tab.locator("figure.orderlens-explore");
        await exploration.getByLabel("Solver", { exact: true }).selectOption({ index: 1 });
        assertMatch(await exploration.locator("[role=status]").innerText(), /^\d+ of \d+ fills: /);
        assertEquals(complaints, []);
      }

      const failed = await runIn(folder, "failing.ipynb", "mine.ipynb", "--html", "pages");
      assertEquals(failed.success, false);
      assertStringIncludes(failed.output, "failing.ipynb, cell [2], line 2\n    limit.amount;");
      assertStringIncludes(failed.output, "error: 1 of 2 notebooks failed");
      const names = await Array.fromAsync(Deno.readDir(join(folder, "pages")), ({ name }) => name);
      assertEquals(names.sort(), ["index.html", "mine.html"]);
      const again = await runIn(folder, "mine.ipynb", "--html", "pages");
      assertEquals([again.success, again.output.split("\n").at(-1)], [
        false,
        "error: pages/index.html already exists: pass another name, or --overwrite to replace it",
      ]);
    });
  },
);
