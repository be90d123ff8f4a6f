import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { orderText, reportJson } from "orderlens/reports";
import { render } from "../../../lib/notebook/mod.ts";
import { testInBrowser } from "../../test_in_browser.ts";
import { filledReport } from "./reports_of_verdicts.ts";

const REPORT = await filledReport();

async function html(value: unknown, options = {}): Promise<string> {
  return String((await render(value, options))["text/html"]);
}

Deno.test("render() shows a report as its page and its text; a copy too", async () => {
  const bundle = await render(REPORT);
  assertEquals(Object.keys(bundle), ["text/html", "text/plain"]);
  assertEquals(`${bundle["text/plain"]}\n`, orderText(REPORT));
  assertMatch(String(bundle["text/html"]), /^<div class="orderlens-report is-part"><style>/);
  assertStringIncludes(String(bundle["text/html"]), `>${REPORT.uid}</span>`);
  assertEquals(await render({ ...REPORT }), bundle);
});

Deno.test("a report is plain data: showing it adds nothing to it", () => {
  assertEquals(Object.getOwnPropertySymbols(REPORT), []);
  assertEquals(Object.getPrototypeOf(REPORT), Object.prototype);
  assertEquals(JSON.parse(reportJson(REPORT)).schema, "orderlens/inspect@1");
});

Deno.test("render() shows what was parsed from JSON, and other data with a schema, as records", async () => {
  const parsed = JSON.parse(reportJson(REPORT));
  for (const value of [parsed, { schema: "orderlens/inspect@9" }, { schema: "other" }]) {
    assertMatch(await html(value), /^(?:<div[^>]*>)?<table>/);
  }
});

Deno.test("render() takes decimals and symbols of tokens for a report", async () => {
  const [token] = [REPORT.order!.sellToken];
  const shown = await html(REPORT, { symbols: new Map([[token, "GOLD"]]) });
  assertStringIncludes(shown, "1.20898 GOLD");
});

testInBrowser(
  "a shown report leaves the style of the page around it as it is, and follows its theme",
  async (browser) => {
    const around =
      `<h1>a</h1><h2>b</h2><p class="kind">c</p><table><tr><td class="number">d</td></tr>` +
      `</table><dl><dt>e</dt><dd>f</dd></dl><pre>g</pre><details><summary>h</summary></details>`;
    const looks = "[...document.querySelectorAll('#around *')].map((one) => JSON.stringify(" +
      "Object.fromEntries([...getComputedStyle(one)].map((name) => " +
      "[name, getComputedStyle(one).getPropertyValue(name)]))))";
    const background =
      "getComputedStyle(document.querySelector('.orderlens-report')).backgroundColor";
    const tab = await browser.newPage({ viewport: { width: 900, height: 900 } });
    const body = (inner: string) =>
      `<body data-jp-theme-light="false"><div id="around">${around}` +
      `</div><div id="output">${inner}</div></body>`;
    await tab.setContent(body(""));
    const before = await tab.evaluate(looks);
    await tab.setContent(body(await html(REPORT)));
    assertEquals(await tab.evaluate(looks), before);
    assertEquals(await tab.evaluate(background), "rgb(21, 24, 28)");
    await tab.evaluate("document.body.dataset.jpThemeLight = 'true'");
    assertEquals(await tab.evaluate(background), "rgb(255, 255, 255)");
    assertEquals(await tab.locator(".at-wide:visible").count(), 3);
    await tab.evaluate("document.getElementById('output').style.width = '400px'");
    assertEquals(await tab.locator(".at-wide:visible").count(), 0);
    assert(await tab.locator(".at-narrow").first().isVisible());
  },
);
