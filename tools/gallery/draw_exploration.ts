import { join } from "node:path";
import type { Exploration } from "orderlens/charts";
import { openBrowser } from "../../tests/open_browser.ts";
import { PROJECT_ROOT } from "../project_root.ts";
import { toExampleUrl } from "./chart_index.ts";

const FOLDER = join("notebooks", "pictures");
const SIZE = { width: 1000, height: 600 };

/**
 * Draws the example of `explore` as a reader uses it, in Chromium: a solver chosen, a range brushed, the
 * list sorted, and the selection copied as code.
 *
 * @returns The paths of its pictures below the project's folder, of a light page and of a dark one.
 */
export async function drawExploration(): Promise<string[]> {
  const { default: { html } }: { default: Exploration } = await import(
    toExampleUrl("explore").href
  );
  await using browser = await openBrowser();
  const paths: string[] = [];
  for (const colorScheme of ["light", "dark"] as const) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme });
    await page.setContent(
      "<!doctype html><meta charset=utf-8><style>:root{color-scheme:light dark}body{margin:16px}</style>" +
        html,
    );
    const choose = (label: string, option: string) =>
      page.getByLabel(label, { exact: true }).selectOption(option);
    await choose("Solver", "solver_b");
    const { x, y, width, height } = (await page.locator("canvas").first().boundingBox())!;
    await page.mouse.move(x + 0.35 * width, y + 0.06 * height);
    await page.mouse.down();
    await page.mouse.move(x + 0.85 * width, y + 0.6 * height, { steps: 3 });
    await page.mouse.up();
    await page.getByRole("columnheader", { name: "Volume" }).getByRole("button").click();
    await page.getByRole("button", { name: "Copy as TypeScript" }).click();
    const path = join(FOLDER, `explore_${colorScheme}.png`);
    await page.screenshot({ path: join(PROJECT_ROOT, path), fullPage: true });
    await page.close();
    paths.push(path);
  }
  return paths;
}
