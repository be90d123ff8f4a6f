import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { orderText, reportJson } from "orderlens/reports";
import { render } from "../../../lib/notebook/mod.ts";
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
