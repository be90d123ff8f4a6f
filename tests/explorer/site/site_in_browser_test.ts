import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { publishSite } from "../../../lib/explorer/mod.ts";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { exported } from "../../datasets/exported.ts";
import { complaintsOf } from "../../open_browser.ts";
import { withFolder } from "../../sandbox/temp_folder.ts";
import { testInBrowser, violations } from "../../test_in_browser.ts";

/** What is wider than its place: the page, a table, or a cell of one. */
const CUT = `[document.documentElement, ...document.querySelectorAll(".scroll, td")]
  .filter((one) => one.scrollWidth > one.clientWidth + 1).map((one) => one.textContent.slice(0, 60))`;

const RANGE = { auctions: { from: 2596, to: 2624 } };

testInBrowser("a site on a disk, wide and narrow, light and dark", async (browser, t) => {
  await withFolder(async (temporary) => {
    // A path that addresses escape.
    const folder = `${temporary}/a site #1`;
    const site = await publishSite(await exported("market_1", RANGE), folder, { orders: 3 });
    const root = `file://${encodeURI(folder).replaceAll("#", "%23")}/`;
    const [, tokens] = ["solvers", "tokens"].map((kind) =>
      site.files.filter((path) => path.startsWith(`${kind}/`))
    );
    const orders = site.files.filter((path) => path.startsWith("orders/"));
    assertEquals([orders.length, site.orders.written], [3, 3]);

    for (const [width, colorScheme] of [[1440, "light"], [420, "dark"]] as const) {
      const tab = await browser.newPage({ viewport: { width, height: 900 }, colorScheme });
      const complaints = complaintsOf(tab, (url) => url.startsWith(root));
      const to = async (path: string) => await tab.goto(`${root}${path}`);

      await t.step(
        `nothing is cut or inaccessible at ${width} pixels, ${colorScheme}`,
        async () => {
          for (
            const path of ["index.html", "solvers.html", "pairs.html", "tokens.html", "trades.html"]
              .concat("dataset.html", "dictionary/bids.html", "auctions/2624.html", "auctions.html")
              .concat("search.html?q=WE", orders[0]!, tokens![0]!)
          ) {
            await to(path);
            assertEquals(await tab.evaluate(CUT), [], path);
            assertEquals(await violations(tab), [], path);
          }
        },
      );

      await t.step(
        `explore answers at ${width} pixels, and leads to pages of the site`,
        async () => {
          await to("index.html");
          const status = tab.locator("figure.orderlens-explore").getByText(/^\d+ of \d+ fills/);
          const [all = ""] = /^\d+ of \d+/.exec(await status.innerText()) ?? [];
          await tab.getByLabel("Pair", { exact: true }).selectOption({ index: 1 });
          assert(!(await status.innerText()).startsWith(all));
          const link = tab.locator("figure.orderlens-explore tbody a").first();
          const opened = tab.context().waitForEvent("page");
          await link.click();
          const page = await opened;
          await page.waitForURL(/\/(?:orders\/0x\w+\.html|search\.html\?q=0x\w+)$/);
          assert(page.url().startsWith(root));
          await page.close();
        },
      );

      await t.step(`links and the search lead on at ${width} pixels`, async () => {
        await to("index.html");
        const lead = async (text: string, end: RegExp) => {
          await tab.locator("#q").fill(text);
          await tab.keyboard.press("Enter");
          await tab.waitForURL(end);
        };
        const [order = ""] = orders;
        const uid = order.slice("orders/".length, -".html".length);
        await lead(uid, RegExp(`${order}$`));
        assertStringIncludes(await tab.locator("main").innerText(), uid);
        await lead(`${uid.slice(0, 12)}…${uid.slice(-6)}`, RegExp(`${order}$`));
        await tab.getByRole("link", { name: "Auctions", exact: true }).click();
        await tab.getByRole("link", { name: "2624", exact: true }).click();
        await tab.waitForURL(/auctions\/2624\.html$/);
        await tab.locator('a[rel="prev"]').click();
        await tab.waitForURL(/auctions\/\d+\.html$/);
        await lead("solver_b", /solvers\/0x9315\w+\.html$/);
        await lead("weth", /tokens\/0x5fbd\w+\.html$/);
        await lead("2624", /auctions\/2624\.html$/);
        await lead(`<img src=x onerror="alert(1)">`, /search\.html/);
        assertStringIncludes(await tab.locator("#state").innerText(), "Nothing here is called");
      });

      await t.step(
        `an order without a page is found at ${width} pixels, with a command`,
        async () => {
          await to("orders.html");
          const link = tab.locator('td[data-name="Order"] a[href^="search.html?q=0x"]').first();
          await link.click();
          await tab.waitForURL(/search\.html\?q=0x/);
          assertEquals(await tab.locator("#state").innerText(), "1 match.");
          assertStringIncludes(
            await tab.locator("#found code").innerText(),
            "orderlens inspect 0x",
          );
          await tab.locator("#found a").click();
          await tab.waitForURL(/orders\.html$/);
        },
      );
      assertEquals(complaints, []);
    }

    await t.step(
      "its whole text is there without scripts, and under a path of a server",
      async () => {
        const context = await browser.newContext({ javaScriptEnabled: false });
        const tab = await context.newPage();
        await tab.goto(`${root}index.html`);
        assert(await tab.locator("figure.orderlens-explore img").isVisible());
        await context.close();
        await using server = Deno.serve({ port: 0, onListen: () => {} }, async (request) => {
          const path = decodeURIComponent(new URL(request.url).pathname);
          const file = path.replace(/^\/below\/here\//, `${folder}/`);
          const type = { html: "text/html", js: "text/javascript", css: "text/css" }[
            file.split(".").at(-1) ?? ""
          ];
          const headers = { "content-type": type ?? "text/plain" };
          return await Deno.readFile(file).then(
            (bytes) => new Response(bytes, { headers }),
            () => new Response("", { status: 404 }),
          );
        });
        const served = `http://127.0.0.1:${server.addr.port}/below/here/`;
        const page = await browser.newPage();
        const complaints = complaintsOf(page, (url) => url.startsWith(served));
        await page.goto(`${served}${tokens![0]}`);
        await page.locator("figure.orderlens-explore").getByText(/^\d+ of \d+ fills/).waitFor();
        await page.locator("#q").fill("solver_b");
        await page.keyboard.press("Enter");
        await page.waitForURL(/below\/here\/solvers\/0x9315\w+\.html$/);
        assertEquals(complaints, []);
        await page.goto(`${served}dataset.html`);
        const command = await page.locator("#files pre").innerText();
        const copied = await runQuietly({
          program: "sh",
          args: ["-c", command.replace("URL", served.slice(0, -1))],
          folder: await Deno.makeTempDir({ dir: temporary }),
        });
        const files = site.files.filter((path) => /^data\/(?!SHA256SUMS)/.test(path));
        assertEquals(copied.output.match(/: OK$/gm)?.length, files.length, copied.output);
        await page.close();
      },
    );
  });
});
