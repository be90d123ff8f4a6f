import { assertEquals } from "@std/assert";
import { serveExplorer } from "../../lib/explorer/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { complaintsOf } from "../open_browser.ts";
import { testInBrowser, violations } from "../test_in_browser.ts";

/** What is wider than its place: the page, a table, or a cell of one. */
const CUT = `[document.documentElement, ...document.querySelectorAll(".scroll, td")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.slice(0, 60))`;

testInBrowser("the explorer in a browser of 360 pixels", async (browser, t) => {
  const sandbox = await openSandbox({ seed: 7, auctions: 25 });
  await using server = await serveExplorer(sandbox, { port: 0, pollMs: 50 });
  const tab = await browser.newPage({ viewport: { width: 360, height: 900 } });
  const complaints = complaintsOf(tab, (url) => url.startsWith(server.url));
  const to = async (path: string) => await tab.goto(`${server.url}${path}`);

  await t.step("no violation of accessibility, nothing wider than the page or cut", async () => {
    await to("orders.json");
    const { rows } = JSON.parse(await tab.locator("body").innerText());
    const [{ uid, owner, sell_token: sellToken }] = rows;
    const asked = "sql?q=SELECT+pair,+count(*)+AS+fills,+avg(volume_native)+AS+volume_native" +
      "+FROM+fills+GROUP+BY+pair";
    const lists = ["", "orders?status=fulfilled", "auctions", "trades", "live"];
    const charts = [asked, `${asked}&x=fills&y=volume_native`];
    const subjects = [`orders/${uid}`, `accounts/${owner}`, `tokens/${sellToken}`];
    for (const [at, path] of [...lists, ...charts, ...subjects].entries()) {
      await tab.emulateMedia({ colorScheme: at % 2 === 0 ? "light" : "dark" });
      await to(path);
      assertEquals(await tab.evaluate(CUT), [], path);
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
    const cell = tab.locator("figure.orderlens-explore tbody td").first();
    assertEquals(await cell.getAttribute("data-name"), "Solver");
  });

  assertEquals(complaints, []);
});
