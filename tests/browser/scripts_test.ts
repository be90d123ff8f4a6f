import { assert, assertEquals, assertMatch } from "@std/assert";
import pl from "nodejs-polars";
import type { Locator, Page } from "playwright-core";
import { serveExplorer } from "../../lib/explorer/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { explore } from "orderlens/charts";
import { exploredFills } from "../charts/explore/explored_fills.ts";
import { chart, STEPS } from "../charts/page/figure_steps.ts";
import { complaintsOf, openBrowser } from "../open_browser.ts";

/** Draws a rectangle over a canvas, from and to parts of its width and height. */
async function brush(page: Page, canvas: Locator, from: [number, number], to: [number, number]) {
  const { x, y, width, height } = (await canvas.boundingBox())!;
  await page.mouse.move(x + from[0] * width, y + from[1] * height);
  await page.mouse.down();
  await page.mouse.move(x + to[0] * width, y + to[1] * height, { steps: 4 });
  await page.mouse.up();
}

/** One pass over what runs in a browser; `deno task check-peers` looks at everything there. */
Deno.test("scripts of explorations, charts and the explorer run in a browser", async (t) => {
  await using browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 800, height: 900 } });
  // A bound for what never comes: pages take several times as long beside other tests.
  page.setDefaultTimeout(30_000);
  let server = "about:";
  const complaints = complaintsOf(
    page,
    (url) => /^(?:about|data):/.test(url) || url.startsWith(server),
  );
  const open = (figure: string) =>
    page.setContent(
      "<!doctype html><meta charset=utf-8><style>body{margin:16px}</style>" +
        `${figure}<p id="after" tabindex="0">after</p>`,
    );

  await t.step("a brush on either view filters both, and the keyboard does the same", async () => {
    const fills = exploredFills(300);
    const status = () => page.locator("figure [role=status]").innerText();
    await open(explore(fills).html);
    // The axis begins 56 pixels from the left and ends 12 from the right.
    await brush(page, page.locator("canvas").first(), [0.3, 0.1], [0.7, 0.8]);
    assertMatch(
      await status(),
      /^\d+ of 300 fills: volume [\d.]+ to [\d.]+ native tokens, slippage net [−\d.]+ to [\d.]+ bps\./,
    );
    await page.getByRole("button", { name: "Show all" }).click();
    await brush(page, page.locator("canvas").nth(1), [0.56, 0.5], [0.999, 0.5]);
    assertMatch(await status(), /^\d+ of 300 fills: slippage net [\d.]+ to [\d.]+ bps\./);
    await page.getByRole("button", { name: "Show all" }).click();
    const from = page.getByRole("spinbutton", { name: "from" }).nth(1);
    await from.fill("40");
    await from.press("Tab");
    const expected = fills.filter((one) => one.slippage_net_bps! >= 40).length;
    assertMatch(
      await status(),
      new RegExp(`^${expected} of 300 fills: slippage net from 40 bps\\.`),
    );
  });

  await t.step("an exploration copies its selection as code, sorted and whole", async () => {
    const fills = exploredFills(300);
    await open(explore(fills).html);
    await page.getByLabel("Solver", { exact: true }).selectOption("solver_b");
    await page.getByPlaceholder("Text in a row").fill("weth → usdc");
    await page.getByRole("columnheader", { name: "Volume" }).getByRole("button").click();
    const copied = async (name: string | RegExp) => {
      await page.getByRole("button", { name }).click();
      return await page.getByLabel("Text to copy").inputValue();
    };
    const uids = fills
      .filter((row) => row.solver_name === "solver_b" && row.pair === "WETH → USDC")
      .toSorted((a, b) => b.volume_native - a.volume_native).map((row) => row.order_uid);
    assertEquals((await copied(/^Copy \d+ UIDs$/)).split("\n"), uids);
    const line = (await copied("Copy as TypeScript")).replace(/^import pl from .*?; /, "");
    const picked = new Function("pl", "frame", `return ${line}`)(pl, fills);
    assertEquals(picked.getColumn("order_uid").toArray().toSorted(), uids.toSorted());
  });

  for (const [name, step] of Object.entries(STEPS).slice(0, 4)) {
    await t.step(`on a page: ${name}`, async () => {
      await open(chart.html);
      await page.mouse.move(0, 0);
      await step(page);
    });
  }

  const sandbox = await openSandbox({ seed: 7, auctions: 25 });
  await using explorer = await serveExplorer(sandbox, { port: 0, pollMs: 50 });
  server = explorer.url;

  await t.step("the fills of the explorer's first page lead to their orders", async () => {
    await page.goto(server);
    const status = page.locator("figure.orderlens-explore [role=status]");
    const before = await status.innerText();
    await page.getByLabel("Kind", { exact: true }).selectOption("buy");
    assertMatch(await status.innerText(), /^\d+ of \d+ fills: kind buy\. Median slippage net: /);
    assert(await status.innerText() !== before);
    const order = page.waitForEvent("popup");
    await page.locator("figure tbody a").first().click();
    const opened = await order;
    assertMatch(opened.url(), /\/orders\/0x[0-9a-f]{112}$/);
    await opened.close();
  });

  await t.step("a button copies the whole UID of a row", async () => {
    await page.goto(`${server}orders`);
    const uid = await page.locator("tbody .hex").first().getAttribute("title");
    const button = page.locator("button.copy").first();
    await page.evaluate(
      "addEventListener('copy', () => globalThis.copied = getSelection().toString())",
    );
    await button.click();
    assertEquals(await button.innerText(), "Copied");
    assertEquals(await page.evaluate("copied"), uid);
    assertEquals(await page.evaluate("getSelection().toString()"), "");
  });

  await t.step("the live page shows auctions as they end", async () => {
    await page.goto(`${server}live`);
    const first = page.locator("#newest tbody tr:first-child a").first();
    const before = Number(await first.innerText());
    await page.locator("#state", { hasText: "Following" }).waitFor();
    await sandbox.advance({ auctions: 5 });
    await page.locator("#newest tbody tr:first-child td:first-child")
      .filter({ hasNotText: String(before) }).waitFor();
    assert(Number(await first.innerText()) > before);
  });

  assertEquals(complaints, []);
});
