import { assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { explore } from "orderlens/charts";
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
    assertMatch(await page.locator("figure .tip").innerText(), /^Solver: solver_c\nPair: /);
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
