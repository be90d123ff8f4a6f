import { assert, assertEquals } from "@std/assert";
import { decodeCompetition } from "orderlens/schemas";
import { buildTable, SOLUTIONS } from "orderlens/tables";
import type { Page } from "playwright-core";
import { render } from "../../lib/notebook/mod.ts";
import { complaintsOf } from "../open_browser.ts";
import { testInBrowser } from "../test_in_browser.ts";
import body from "../testdata/networks/competition_arbitrum_one_4672122.json" with { type: "json" };

const WINNER = "0x9cf49541f8b94da501cd16b60fa176d856fb1e75";
const TRANSACTION = "0x3aa9e8507e28a5696b0ad995047443e2385be1c8db318ef5e6434436b4121d07";
const HOSTILE = `<img src=x onerror="alert(1)">"><script>alert(2)</script>`;

/** What the user has selected. */
async function selected(tab: Page): Promise<string> {
  return await tab.evaluate("getSelection().toString()");
}

testInBrowser(
  "a shown table: hex texts are short, copied whole and linked, amounts open their atoms",
  async (browser) => {
    const frame = buildTable(SOLUTIONS, {
      competitions: [decodeCompetition(body)],
      solvers: { [WINNER]: HOSTILE },
    });
    const html = String((await render(frame, { network: "arbitrum_one" }))["text/html"]);
    const file = await Deno.makeTempFile({ suffix: ".html" });
    await Deno.writeTextFile(file, `<!doctype html><meta charset="utf-8">${html}`);
    try {
      const context = await browser.newContext();
      await context.grantPermissions(["clipboard-read", "clipboard-write"]);
      const tab = await context.newPage();
      const complaints = complaintsOf(tab, (url) => url.startsWith("file:"));
      await tab.goto(`file://${file}`);
      for (const hex of [WINNER, TRANSACTION]) {
        const shown = tab.locator(`[title="${hex}"]`);
        assert((await shown.boundingBox())!.width < 160, "shortened");
        await shown.click();
        assertEquals(await selected(tab), hex);
        assertEquals(await tab.evaluate("navigator.clipboard.readText()"), hex);
      }
      const link = tab.locator(`a[href="https://arbiscan.io/tx/${TRANSACTION}"]`);
      assertEquals(await link.count(), 1);
      assertEquals(await link.getAttribute("rel"), "noopener noreferrer");

      const amount = tab.locator("details", { hasText: "0.000891054 ETH" });
      const atoms = amount.locator("span");
      assertEquals(await atoms.isVisible(), false);
      await amount.locator("summary").click();
      await atoms.click();
      assertEquals(await selected(tab), "891054155859935");

      assertEquals(await tab.getByText(HOSTILE).count(), 1);
      assertEquals(await tab.locator("img, script").count(), 0);
      assertEquals(complaints, []);
    } finally {
      await Deno.remove(file);
    }
  },
);
