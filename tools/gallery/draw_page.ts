import { join } from "node:path";
import type { Page } from "playwright-core";
import { openBrowser } from "../../tests/open_browser.ts";
import { PROJECT_ROOT } from "../project_root.ts";

const FOLDER = join("notebooks", "pictures");

/**
 * Draws a page in Chromium, light and dark, into `notebooks/pictures/`.
 *
 * @param name Beginning of the names of its pictures.
 * @param options Its markup, its size in pixels, and its use before it is drawn.
 * @returns The paths of its pictures below the project's folder.
 */
export async function drawPage(
  name: string,
  { html, size, isWhole, use = async () => {} }: {
    readonly html: string;
    readonly size: { readonly width: number; readonly height: number };
    /** Whether it is drawn to its end, and not to its height alone. */
    readonly isWhole: boolean;
    readonly use?: (page: Page) => Promise<void>;
  },
): Promise<string[]> {
  await using browser = await openBrowser();
  const paths: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport: size, colorScheme });
    await page.setContent(html);
    await use(page);
    const path = join(FOLDER, `${name}_${colorScheme}.png`);
    await page.screenshot({ path: join(PROJECT_ROOT, path), fullPage: isWhole });
    await page.close();
    paths.push(path);
  }
  return paths;
}
