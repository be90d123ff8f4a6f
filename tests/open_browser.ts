import chromium from "@sparticuz/chromium";
import { type Browser, chromium as browserType, type Page } from "playwright-core";

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

/** What a page complains of from now on: errors, dialogs, and requests of what is not its own. */
export function complaintsOf(page: Page, isOwn: (url: string) => boolean): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("dialog", (dialog) => {
    complaints.push(dialog.message());
    dialog.dismiss();
  });
  page.on("request", (request) => {
    if (!isOwn(request.url())) complaints.push(`loads ${request.url()}`);
  });
  return complaints;
}
