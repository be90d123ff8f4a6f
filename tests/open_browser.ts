import chromium from "@sparticuz/chromium";
import { type Browser, chromium as browserType } from "playwright-core";

// Software rendering of three dimensions, which no page here has, costs time.
chromium.setGraphicsMode = false;

/** Starts a real browser without a window; close it in the end. */
export async function openBrowser(): Promise<Browser> {
  const options = {
    executablePath: await chromium.executablePath(),
    // In one process, the browser would end with its first context.
    args: chromium.args.filter((arg) => arg !== "--single-process"),
    headless: true,
  };
  // It may crash as it starts, which says nothing of a page.
  return await browserType.launch(options).catch(() => browserType.launch(options));
}
