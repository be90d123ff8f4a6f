import { assert, assertEquals, assertMatch } from "@std/assert";
import { serveExplorer } from "../../lib/explorer/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { testInBrowser, violations } from "../test_in_browser.ts";

testInBrowser("the explorer in a browser of 420 pixels", async (browser, t) => {
  const sandbox = await openSandbox({ seed: 7, auctions: 25 });
  await using server = await serveExplorer(sandbox, { port: 0, pollMs: 50 });
  const tab = await browser.newPage({ viewport: { width: 420, height: 900 } });
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  tab.on("request", (request) => {
    if (!request.url().startsWith(server.url)) elsewhere.push(request.url());
  });
  tab.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  const to = async (path: string) => await tab.goto(`${server.url}${path}`);

  await t.step("no violation of accessibility, nothing wider than the page", async () => {
    await to("orders.json");
    const { rows } = JSON.parse(await tab.locator("body").innerText());
    const [{ uid, owner, sellToken }] = rows;
    const asked = "sql?q=SELECT+pair,+count(*)+AS+fills,+avg(volume_native)+AS+volume_native" +
      "+FROM+fills+GROUP+BY+pair";
    const paths = [
      ...["", "orders?status=fulfilled", "auctions", "trades", "live", "sql", asked],
      `${asked}&x=fills&y=volume_native`,
    ];
    const subjects = [`orders/${uid}`, `accounts/${owner}`, `tokens/${sellToken}`];
    for (const [at, path] of [...paths, ...subjects].entries()) {
      await tab.emulateMedia({ colorScheme: at % 2 === 0 ? "light" : "dark" });
      await to(path);
      const width = await tab.evaluate("document.documentElement.scrollWidth");
      assert(Number(width) <= 420, `${path} is ${width} wide`);
      assertEquals(await violations(tab), [], path);
    }
  });

  await t.step(
    "the keyboard reaches the content and the search box, which leads on",
    async () => {
      await to("");
      await tab.keyboard.press("Tab");
      assertEquals(await tab.locator(":focus").innerText(), "Skip to the content");
      await tab.locator("#q").focus();
      await tab.keyboard.type("WETH");
      await tab.keyboard.press("Enter");
      await tab.waitForURL(/\/tokens\/0x/);
    },
  );

  await t.step("the fills of the first page are explored, and lead to their orders", async () => {
    await to("");
    const status = tab.locator("figure.orderlens-explore [role=status]");
    const before = await status.innerText();
    await tab.getByLabel("Kind", { exact: true }).selectOption("buy");
    assertMatch(await status.innerText(), /^\d+ of \d+ fills: kind buy\. Median slippage net: /);
    assert(await status.innerText() !== before);
    const order = tab.waitForEvent("popup");
    await tab.locator("figure tbody a").first().click();
    const page = await order;
    assertMatch(page.url(), /\/orders\/0x[0-9a-f]{112}$/);
    await page.close();
  });

  await t.step("a button copies the whole UID of a row", async () => {
    await to("orders");
    const uid = await tab.locator("tbody .hex").first().getAttribute("title");
    const button = tab.locator("button.copy").first();
    await button.click();
    assertEquals(await button.innerText(), "Copied");
    assertEquals(await tab.evaluate("getSelection().toString()"), uid);
  });

  await t.step("a query is asked with the keyboard, and its chart has other axes", async () => {
    await to("sql");
    await tab.getByLabel("One SELECT over the tables").fill(
      "SELECT solver_name, volume_native, slippage_net_bps FROM fills",
    );
    await tab.keyboard.press("Tab");
    await tab.keyboard.press("Enter");
    await tab.getByRole("heading", { name: /^\d+ rows$/ }).waitFor();
    await tab.getByLabel("Chart x").selectOption("slippage_net_bps");
    await tab.getByRole("button", { name: "Run" }).click();
    await tab.waitForURL(/x=slippage_net_bps/);
    await tab.locator("figure.orderlens-explore [role=status]").waitFor();
  });

  await t.step("the live page shows auctions as they end", async () => {
    await to("live");
    const first = tab.locator("#newest tbody tr:first-child a").first();
    const before = Number(await first.innerText());
    await tab.locator("#state", { hasText: "Following" }).waitFor();
    await sandbox.advance({ auctions: 5 });
    await tab.locator("#newest tbody tr:first-child td:first-child")
      .filter({ hasNotText: String(before) }).waitFor();
    assert(Number(await first.innerText()) > before);
  });

  assertEquals([elsewhere, complaints], [[], []]);
});
