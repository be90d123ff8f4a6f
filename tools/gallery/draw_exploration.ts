import type { Exploration } from "orderlens/charts";
import { toExampleUrl } from "./chart_index.ts";
import { drawPage } from "./draw_page.ts";

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
  return await drawPage("explore", {
    html:
      "<!doctype html><meta charset=utf-8><style>:root{color-scheme:light dark}body{margin:16px}</style>" +
      html,
    size: { width: 1000, height: 600 },
    isWhole: true,
    use: async (page) => {
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
    },
  });
}
