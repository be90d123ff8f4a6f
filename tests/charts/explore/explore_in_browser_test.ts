import { assert, assertEquals, assertMatch } from "@std/assert";
import pl from "nodejs-polars";
import type { Page } from "playwright-core";
import { explore } from "orderlens/charts";
import { openMarket } from "orderlens/market";
import { complaintsOf } from "../../open_browser.ts";
import { testInBrowser } from "../../test_in_browser.ts";
import { exploredFills } from "./explored_fills.ts";

/** Of 300 fills each solver has 100, each pair 100 or so, and 60 are of buy orders. */
const FILLS = exploredFills(300);
const { html } = explore(FILLS, { href: "http://127.0.0.1:9" });

const status = (page: Page) => page.locator("figure [role=status]").innerText();
const select = (page: Page, label: string) => page.getByLabel(label, { exact: true });
const rowCount = (page: Page) => page.locator("figure tbody tr").count();

testInBrowser("explorations in a real browser", async (browser, t) => {
  const page = await browser.newPage({ viewport: { width: 1000, height: 1000 } });
  page.setDefaultTimeout(5000);
  const complaints = complaintsOf(page, (url) => /^(?:about|data):/.test(url));
  const open = async (...figures: string[]) => {
    await page.goto("about:blank");
    await page.setContent(`<!doctype html><meta charset=utf-8>${figures.join("")}`);
  };

  await t.step("a chosen solver is counted, listed and taken back", async () => {
    await open(html);
    assertMatch(await status(page), /^300 of 300 fills\. Median slippage net: /);
    await select(page, "Solver").selectOption("solver_b");
    assertMatch(await status(page), /^100 of 300 fills: solver solver_b\. Median/);
    await select(page, "Kind").selectOption("buy");
    assertMatch(await status(page), /^20 of 300 fills: solver solver_b, kind buy\./);
    assertEquals(
      await page.locator("figure tbody td:nth-child(2)").allInnerTexts(),
      Array(8).fill("solver_b"),
    );
    assertEquals(await page.locator("figure .pages").innerText(), "Previous 1 of 3 Next");
    await page.getByRole("button", { name: "Next" }).click();
    await page.getByRole("button", { name: "Next" }).click();
    assertEquals(await rowCount(page), 4);
    await page.getByRole("button", { name: "Show all" }).click();
    assertMatch(await status(page), /^300 of 300 fills\. /);
    assertEquals(await select(page, "Solver").inputValue(), "all 3");
  });

  await t.step("another slippage is another axis, and another column", async () => {
    await open(html);
    await select(page, "Vertical axis").selectOption("Slippage gross (bps)");
    assertMatch(await status(page), /Median slippage gross: /);
    assertEquals(
      await page.locator("figure th").last().innerText(),
      "Slippage gross (bps)",
    );
  });

  await t.step("a click on a dot puts its order first, with a link to its page", async () => {
    await open(html);
    await select(page, "Solver").selectOption("solver_c");
    const { x, y, width, height } = (await page.locator("canvas").first().boundingBox())!;
    const at = await dotNear(page, { width, height });
    await page.mouse.move(x + at.x, y + at.y);
    assertMatch(
      await page.locator("figure .tip").innerText(),
      /^Order: 0x0{8}…[0-9a-f]{8}\nPair: .*\nSolver: solver_c\n/,
    );
    await page.mouse.click(x + at.x, y + at.y);
    const row = page.locator('figure tr[aria-current="true"]');
    assertEquals(await row.count(), 1);
    assertMatch(
      (await row.locator("a").getAttribute("href"))!,
      /^http:\/\/127\.0\.0\.1:9\/orders\/0x[0-9a-f]{112}$/,
    );
  });

  await t.step("the legend chooses too, and says so to a screen reader", async () => {
    await open(html);
    const entry = page.getByRole("button", { name: "solver_a" });
    await entry.focus();
    await page.keyboard.press("Enter");
    assertEquals(await entry.getAttribute("aria-pressed"), "true");
    assertMatch(await status(page), /^100 of 300 fills: solver solver_a\./);
    assertMatch(
      (await page.locator("canvas").first().getAttribute("aria-label"))!,
      /^Slippage net \(bps\) by Volume \(native tokens\)\. 100 of 300 fills/,
    );
  });

  await t.step(
    "at 420 pixels nothing is wider than the page; dark pages are dark",
    async () => {
      await page.setViewportSize({ width: 420, height: 900 });
      await page.emulateMedia({ colorScheme: "dark" });
      await open(html, html);
      assertEquals(await page.evaluate("document.documentElement.scrollWidth"), 420);
      assertEquals(await page.locator("figure canvas").count(), 4);
      assertEquals(
        await page.locator("figure").first().evaluate((one) =>
          Reflect.get(globalThis, "getComputedStyle")(one).backgroundColor
        ),
        "rgb(20, 23, 26)",
      );
    },
  );

  await t.step("headings sort the list, by click and by key, and say so", async () => {
    await page.setViewportSize({ width: 1000, height: 1000 });
    await page.emulateMedia({ colorScheme: "light" });
    const rows = exploredFills(30).map((row, at) => ({ ...row, volume_native: at + 0.5 }));
    rows[4]!.slippage_net_bps = null;
    await open(explore(rows).html);
    const heading = (name: string) => page.getByRole("columnheader", { name });
    const cells = (column: number) =>
      page.locator(`figure tbody td:nth-child(${column})`).allInnerTexts();
    await heading("Volume").getByRole("button").click();
    assertEquals(await heading("Volume").getAttribute("aria-sort"), "descending");
    assertEquals((await cells(5)).slice(0, 3), ["29.5", "28.5", "27.5"]);
    await page.keyboard.press("Enter");
    assertEquals(await heading("Volume").getAttribute("aria-sort"), "ascending");
    assertEquals((await cells(5)).slice(0, 3), ["0.5", "1.5", "2.5"]);
    await heading("Kind").getByRole("button").click();
    assertEquals(await heading("Volume").getAttribute("aria-sort"), "none");
    // Every fifth is a buy order; equal rows keep the order of the frame.
    assertEquals((await cells(5)).slice(0, 3), ["0.5", "5.5", "10.5"]);
  });

  await t.step(
    "UIDs are whole in titles and copies, and fields stay where a page may not copy",
    async () => {
      await page.setViewportSize({ width: 1000, height: 1000 });
      await open(html);
      await select(page, "Solver").selectOption("solver_b");
      await select(page, "Kind").selectOption("buy");
      const uids = FILLS.filter(({ solver_name, kind }) =>
        solver_name === "solver_b" && kind === "buy"
      )
        .map(({ order_uid }) => order_uid);
      const cell = page.locator("figure tbody td").first();
      assertEquals(await cell.getAttribute("title"), uids[0]);
      const output = page.getByLabel("Text to copy");
      const message = page.locator("figure .tools [aria-live]");
      await cell.getByRole("button").click();
      assertEquals([await message.innerText(), await output.isVisible()], ["1 copied.", false]);
      // Pasting is what a reader does next.
      const search = page.getByPlaceholder("Text in a row");
      await search.focus();
      await page.keyboard.press("Control+V");
      assertEquals(await search.inputValue(), uids[0]);
      await search.fill("");
      await page.evaluate(() => Reflect.get(globalThis, "document").execCommand = () => false);
      await page.getByRole("button", { name: "Copy 20 UIDs" }).click();
      assertEquals(await message.innerText(), "Not copied: press Ctrl+C or ⌘C.");
      assertEquals((await output.inputValue()).split("\n"), uids);
      assertEquals(
        await output.evaluate((field) => {
          const [start, end] = [
            Reflect.get(field, "selectionStart"),
            Reflect.get(field, "selectionEnd"),
          ];
          return [start, end === Reflect.get(field, "value").length];
        }),
        [0, true],
      );
    },
  );

  await t.step("facets count the rows of all other choices", async () => {
    await open(html);
    const options = (label: string) => select(page, label).locator("option").allInnerTexts();
    assertEquals(await options("Kind"), ["all 2", "sell (240)", "buy (60)"]);
    await select(page, "Solver").selectOption("solver_b");
    await select(page, "Kind").selectOption("buy");
    assertEquals(await options("Kind"), ["all 2", "sell (80)", "buy (20)"]);
    assertEquals(
      (await options("Solver")).slice(1),
      ["solver_a (20)", "solver_b (20)", "solver_c (20)"],
    );
    await page.getByPlaceholder("Text in a row").fill("weth → USDC");
    const count = FILLS.filter((row) =>
      row.solver_name === "solver_b" && row.kind === "buy" && row.pair === "WETH → USDC"
    ).length;
    assertMatch(await status(page), new RegExp(`^${count} of 300 fills: .*“weth → USDC”`));
  });

  await t.step(
    "copied code selects the rows in view, from the frame and from the table",
    async () => {
      await using market = await openMarket("market_1");
      const fills = await market.fills();
      await open(explore(fills).html);
      const code = async (kind: string) => {
        await page.getByRole("button", { name: `Copy as ${kind}` }).click();
        return await page.getByLabel("Text to copy").inputValue();
      };
      const compare = async (least: number) => {
        await page.getByRole("button", { name: /^Copy [\d,]+ UIDs$/ }).click();
        const uids = (await page.getByLabel("Text to copy").inputValue()).split("\n").toSorted();
        assert(uids.length >= least, `${uids.length} orders`);
        const line = (await code("TypeScript")).replace('import pl from "nodejs-polars"; ', "");
        const picked = new Function("pl", "frame", `return ${line}`)(pl, fills);
        const listed = picked.getColumn("order_uid").toArray() as string[];
        assertEquals([...new Set(listed)].toSorted().join(), uids.join(), line);
        const query = await code("SQL");
        const rows = await market.sql<{ order_uid: string }>(query);
        assertEquals(
          [...new Set(rows.map((row) => row.order_uid))].toSorted().join(),
          uids.join(),
          query,
        );
        const [count = ""] = (await status(page)).split(" ");
        assertEquals([picked.height, rows.length], [Number(count), Number(count)]);
      };
      await compare(300);
      await select(page, "Solver").selectOption("solver_d");
      await compare(20);
      await select(page, "Vertical axis").selectOption("Slippage gross (bps)");
      const { x, y, width, height } = (await page.locator("canvas").first().boundingBox())!;
      await page.mouse.move(x + 0.3 * width, y + 0.1 * height);
      await page.mouse.down();
      await page.mouse.move(x + 0.9 * width, y + 0.7 * height, { steps: 3 });
      await page.mouse.up();
      await compare(5);
      await page.getByRole("button", { name: "Show all" }).click();
      await page.getByPlaceholder("Text in a row").fill("weth");
      await compare(20);
      const from = page.getByRole("spinbutton", { name: "from" }).first();
      await from.fill("0.01");
      await from.press("Tab");
      await compare(5);
    },
  );

  await t.step("CSV has the rows in view, in their order, with every digit", async () => {
    const rows = [
      { a: 1, b: 0.1 + 0.2, text: "=1+1" },
      { a: 3, b: -1e-7, text: 'x, "y"' },
      { a: 2, b: 12_345_678, text: null },
      { a: 9, b: 5, text: "hidden" },
    ];
    await open(
      explore(rows, { x: "a", y: "b", color: "text", filters: ["text"], columns: ["text"] }).html,
    );
    const to = page.getByRole("spinbutton", { name: "to" }).first();
    await to.fill("3");
    await to.press("Tab");
    await page.getByRole("columnheader", { name: "B" }).getByRole("button").click();
    const download = page.waitForEvent("download");
    await page.getByRole("button", { name: "Save as CSV" }).click();
    const saved = await download;
    assertEquals(saved.suggestedFilename(), "rows.csv");
    assertEquals(
      await Deno.readTextFile(await saved.path()),
      `text,a,b\r\n,2,12345678\r\n'=1+1,1,0.30000000000000004\r\n"x, ""y""",3,-1e-7\r\n`,
    );
  });

  await t.step(
    "texts of others are texts, and a report in the page is the order's link",
    async () => {
      const [first] = exploredFills(1);
      const rows = ["</script><img src=x onerror=alert(1)>", `"'\u202e`, "c"].map((
        solver_name,
        at,
      ) => ({
        ...first!,
        order_uid: first!.order_uid.slice(0, -1) + at,
        volume_native: at + 1,
        solver_name,
      }));
      await open(explore(rows).html, '<h2 id="report-000000000000-timeline">Timeline</h2>');
      assertEquals(await page.locator("figure img").count(), 0);
      await select(page, "Solver").selectOption(rows[1]!.solver_name);
      await page.getByRole("button", { name: "Copy as TypeScript" }).click();
      assertMatch(
        await page.getByLabel("Text to copy").inputValue(),
        /pl\.lit\("\\"'\\u\{202e\}"\)/,
      );
      assertEquals(
        await page.locator("figure tbody a").getAttribute("href"),
        "#report-000000000000-timeline",
      );
    },
  );

  await t.step("many rows in bins are counted by their rows", async () => {
    await page.setViewportSize({ width: 1000, height: 900 });
    await open(explore(exploredFills(60_000)).html);
    assertMatch(await status(page), /^60,000 of 60,000 fills\. Median slippage net: about /);
    await select(page, "Solver").selectOption("solver_a");
    assertMatch(await status(page), /^20,000 of 60,000 fills: solver solver_a\./);
    assertEquals(await rowCount(page), 0);
  });

  await t.step(
    "nothing but the figure changes, and without scripts there is the picture",
    async () => {
      const names = () => page.evaluate(() => Object.keys(globalThis).toSorted());
      await open();
      const before = await names();
      await open(html);
      assertEquals(await names(), before);
      await open(html.replaceAll(/<script[^]*?<\/script>/g, ""));
      const image = page.locator("figure > img");
      assertEquals(await image.getAttribute("alt"), "300 fills: slippage net by volume");
      assertEquals(await image.evaluate((one) => Reflect.get(one, "naturalWidth")), 760);
    },
  );
  assertEquals(complaints, []);
});

/** The place of a dot that is in view, found by its colour. */
async function dotNear(
  page: Page,
  { width, height }: { width: number; height: number },
): Promise<{ x: number; y: number }> {
  return await page.locator("canvas").first().evaluate((canvas, { width, height }) => {
    const context = Reflect.get(canvas, "getContext").call(canvas, "2d");
    const [across, down] = [Reflect.get(canvas, "width"), Reflect.get(canvas, "height")];
    const { data } = context.getImageData(0, 0, across, down);
    for (let at = 0; at < data.length; at += 4) {
      // The third colour of all charts is green: far more green than red.
      if (data[at + 1] - data[at] > 90) {
        const pixel = at / 4;
        return {
          x: (pixel % across + 2) / across * width,
          y: (Math.floor(pixel / across) + 2) / down * height,
        };
      }
    }
    throw new Error("There is no dot");
  }, { width, height });
}
