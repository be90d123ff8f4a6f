import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { locateAtCaller } from "../tools/testing/test_example.ts";
import { openBrowser } from "./open_browser.ts";

let started: Promise<Browser> | undefined;

Deno.test.afterAll(async () => await (await started)?.close());

/**
 * Registers a test in a real browser without a window. All tests of an isolate share it; pages are
 * closed after each.
 */
export function testInBrowser(
  name: string,
  run: (browser: Browser, t: Deno.TestContext) => Promise<void>,
): void {
  Deno.test({
    name,
    // The browser is another process, which stays for the next test.
    sanitizeOps: false,
    sanitizeResources: false,
    fn: locateAtCaller(async (t: Deno.TestContext) => {
      const browser = await (started ??= openBrowser());
      try {
        await run(browser, t);
      } finally {
        await Promise.all(browser.contexts().map((context) => context.close()));
      }
    }),
  });
}

/** Rows of a table and marks of a chart that axe looks at: further ones are made of the same. */
const LOOKED_AT = 12;
const FURTHER = ["tbody > tr", "svg circle", "svg rect"]
  .map((each) => `${each}:nth-child(n + ${LOOKED_AT + 1})`).join();

/** What axe finds, as its rules and the elements. Further rows and marks are gone then. */
export async function violations(tab: Page): Promise<unknown> {
  await tab.evaluate(axe.source);
  return await tab.evaluate(
    `document.querySelectorAll("${FURTHER}").forEach((one) => one.remove());` +
      "axe.run(document, { resultTypes: ['violations'], selectors: false })" +
      ".then((r) => r.violations.map((v) => [v.id, v.nodes.slice(0, 3).map((n) => n.html)]))",
  );
}
