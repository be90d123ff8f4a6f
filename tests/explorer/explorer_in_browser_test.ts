import { assert, assertEquals } from "@std/assert";
import { serveExplorer } from "../../lib/explorer/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { OrderDesk } from "../sandbox/order_desk.ts";
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

testInBrowser("the page of an open order updates itself until it is final", async (browser) => {
  const sandbox = await openSandbox({ seed: 7, auctions: 25 });
  await using server = await serveExplorer(sandbox, { port: 0, pollMs: 1 });
  const desk = new OrderDesk(sandbox);
  // Nobody bids on it; 21 seconds are left.
  const validTo = sandbox.description.now + 61;
  const uid = await desk.placed({ buyAmount: 10n ** 24n, validTo });
  await sandbox.advance({ auctions: 20 });
  const tab = await browser.newPage({ viewport: { width: 700, height: 500 } });
  const complaints = complaintsOf(tab, (url) => url.startsWith(server.url));
  await tab.clock.install({ time: 0 });
  await tab.goto(`${server.url}orders/${uid}`);
  const LAST = "This page no longer updates itself.";
  const [state, now] = [tab.locator("#state"), tab.locator(".now")];
  const left = async () =>
    /\(in (?:(\d+) min )?(\d+) s\)/.exec(await tab.locator(".left").innerText())?.slice(1)
      .reduce((sum, part) => 60 * sum + Number(part ?? 0), 0);
  // The page is replaced as a whole; while a request is under way, its time limit would run.
  const runUntilReplaced = async (seconds: number) => {
    await tab.evaluate("document.getElementById('content').className = 'old'");
    let isRequested = false;
    tab.once("request", () => isRequested = true);
    for (; seconds > 0 && !isRequested; seconds--) await tab.clock.runFor(1_000);
    await tab.locator("#content:not(.old)").or(state.filter({ hasText: LAST })).first().waitFor();
  };
  // The clock of the sandbox is not that of the browser, which shows in what is just requested.
  await runUntilReplaced(1);
  assertEquals(await state.innerText(), "This page updates itself.");
  const before = (await left())!;
  await tab.clock.runFor(3_000);
  assertEquals(await left(), before - 3);

  await tab.evaluate("getSelection().selectAllChildren(document.querySelector('h1'))");
  await tab.clock.runFor(60_000);
  assertEquals(await state.innerText(), "Not updated while text is selected.");
  await tab.evaluate("getSelection().removeAllRanges()");
  for (const [status, heading] of [[503, "It is down"], [200, "Log in"]] as const) {
    const route = await tab.route("**/orders/*", async (route) => {
      const body = `<h1>${heading}</h1>`;
      await route.fulfill({ status, contentType: "text/html", body });
    });
    await tab.clock.runFor(25_000);
    await state.filter({ hasText: `Not updated: ${heading}. Trying again.` }).waitFor();
    await route.dispose();
  }
  await tab.route("**/orders/*", (route) => route.abort());
  await tab.clock.runFor(60_000);
  await state.filter({ hasText: "Not updated: the explorer does not answer." }).waitFor();
  await tab.unrouteAll();

  await tab.locator("summary").first().click();
  await tab.evaluate("document.querySelector('details[open] > summary').append('12')");
  await tab.locator("nav a[href='#identity']").click();
  await tab.evaluate("document.querySelector('#tokens .copy').focus({ preventScroll: true })");
  const readTop = async () =>
    Number(await tab.evaluate("0 + Math.round(identity.getBoundingClientRect().top)"));
  const top = await readTop();
  assertEquals(top < 500, true);
  await runUntilReplaced(60);
  assertEquals(await tab.locator("details[open]").count(), 1);
  // At its end, before the wait is over.
  await runUntilReplaced(24);
  while (await now.count() > 0) {
    await sandbox.advance({ auctions: 20 });
    await runUntilReplaced(60);
    assertEquals(await tab.locator("#tokens .copy:focus").count(), 1);
    // It scrolls by whole pixels.
    assert(Math.abs(await readTop() - top) <= 1, `${await readTop()} instead of ${top}`);
  }
  assertEquals(await state.innerText(), LAST);
  // Paper does not update itself.
  await tab.emulateMedia({ media: "print" });
  assertEquals(await state.isVisible(), false);
  const requests: string[] = [];
  tab.on("request", (request) => requests.push(request.url()));
  await tab.clock.runFor(600_000);
  assertEquals(requests, []);
  // The browser itself complains of what failed above.
  assertEquals(complaints.filter((text) => !text.startsWith("Failed to load resource")), []);
});
