import { assert, assertEquals } from "@std/assert";
import { Chart, settlementOutcomes, solverMatrix } from "../../../lib/charts/mod.ts";
import { testInBrowser } from "../../test_in_browser.ts";
import { committedDrawings } from "./committed_drawings.ts";
import { chart, computed, DOTS, FIRST, pointAt, seen, STEPS, tip } from "./figure_steps.ts";
import { jupyterBundle } from "./jupyter_bundle.ts";
import { faintParts } from "./seen_contrast.ts";

const outcomes = settlementOutcomes([
  { solver: "a", in_time: 3, late: 2, absent: 1, pending: 0 },
  { solver: "b", in_time: 5, late: 0, absent: 4, pending: 0 },
]);
const PAGES = { inline: chart.html, notebook: jupyterBundle(chart)["text/html"]! };

function pageOf(...figures: string[]): string {
  return "<!doctype html><meta charset=utf-8><style>:root{color-scheme:light dark}" +
    `body{margin:16px}</style><body>${figures.join("\n")}<p id="after" tabindex="0">after</p>`;
}

/** Shows an output the way VS Code does: each script is copied to the end of the output, and removed. */
const RUN_APART = `(html) => {
  const output = document.createElement("div");
  document.body.append(output);
  output.innerHTML = html;
  for (const { type, innerText } of output.querySelectorAll("script")) {
    const script = document.createElement("script");
    script.type = type;
    script.text = innerText;
    output.append(script);
    script.remove();
  }
}`;

testInBrowser("charts in a real browser", async (browser, t) => {
  const page = await browser.newPage();
  page.setDefaultTimeout(5000);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  page.on("request", (request) => {
    if (!/^(?:about|data):/.test(request.url())) complaints.push(`loads ${request.url()}`);
  });
  const open = async (...figures: string[]) => {
    await page.setViewportSize({ width: 800, height: 900 });
    await page.emulateMedia({ media: "screen", colorScheme: "light" });
    await page.goto("about:blank");
    await page.mouse.move(0, 0);
    await page.setContent(pageOf(...figures));
  };

  for (const [kind, figure] of Object.entries(PAGES)) {
    for (const [name, step] of Object.entries(STEPS)) {
      await t.step(`${kind}: ${name}`, async () => {
        await open(figure);
        await step(page);
      });
    }
  }

  await t.step("the same chart twice, and another one: each minds its own marks", async () => {
    await open(PAGES.notebook, PAGES.notebook, outcomes.html);
    assertEquals(await page.locator("figure > img").count(), 0);
    await page.locator("figure").nth(1).getByRole("button", { name: "worse" }).click();
    const off = (place: number) => page.locator("figure").nth(place).locator("[data-off]").count();
    assertEquals([await off(0), await off(1) > 0, await off(2)], [0, true, 0]);
    await page.locator("figure").nth(2).getByRole("button", { name: "late" }).click();
    assert(await off(2) > 0);
  });

  await t.step(
    "a front end may set the markup first and run its scripts from another place",
    async () => {
      await open();
      await page.evaluate(`(${RUN_APART})(${JSON.stringify(PAGES.notebook)})`);
      await pointAt(page, page.locator(`svg:visible ${DOTS}`).first());
      assertEquals(await tip(page), FIRST);
      assertEquals(await page.locator("figure > svg").count(), 3);
    },
  );

  await t.step("nothing is left in the page's globals", async () => {
    const names = () => page.evaluate(() => Object.keys(globalThis).toSorted());
    await open();
    const before = await names();
    await open(...Object.values(PAGES));
    assertEquals(await names(), before);
  });

  await t.step(
    "without scripts the drawing is there, with the browser's own tooltips",
    async () => {
      const bare = (html: string) => html.replaceAll(/<script[^]*?<\/script>/g, "");
      await open(bare(PAGES.inline), bare(PAGES.notebook));
      assertEquals(await seen(page, `${DOTS} title`.replace(" title", "")), 40);
      assertEquals(
        await page.locator("figure").first().locator(`${DOTS} > title`).count() > 0,
        true,
      );
      const image = page.locator("figure > img");
      assertEquals(await image.getAttribute("alt"), chart.title);
      assertEquals(await image.evaluate((one) => Reflect.get(one, "naturalWidth")), 760);
    },
  );

  await t.step(
    "a theme of JupyterLab or VS Code goes before what the system prefers",
    async () => {
      await open(PAGES.inline);
      const paper = () => computed(page.locator("figure"), "backgroundColor");
      const [light, dark] = ["rgb(255, 255, 255)", "rgb(20, 23, 26)"];
      const body = (change: string) => page.evaluate(`document.body.${change}`);
      assertEquals(await paper(), light);
      await body('dataset.jpThemeLight = "false"');
      assertEquals(await paper(), dark);
      await page.emulateMedia({ colorScheme: "dark" });
      await body('dataset.jpThemeLight = "true"');
      assertEquals(await paper(), light);
      await body('removeAttribute("data-jp-theme-light")');
      assertEquals(await paper(), dark);
      await body('className = "vscode-light"');
      assertEquals(await paper(), light);
      await page.emulateMedia({ colorScheme: "light" });
      await body('className = "vscode-dark"');
      assertEquals(await paper(), dark);
      await body('className = "vscode-high-contrast vscode-high-contrast-light"');
      assertEquals(await paper(), light);
    },
  );

  await t.step(
    "every text and mark of the notebooks' charts is seen, light and dark",
    async () => {
      const matrix = solverMatrix([0, 20, 40, 60, 80, 100].map((wins) => (
        { solver: `solver ${wins}`, pair: "WETH → USDC", bids: 100, wins }
      )));
      const drawings = [...await committedDrawings(), matrix];
      await open(
        ...drawings.map(({ title, svg }) => new Chart({ title, svg, rows: [] }).html),
      );
      for (const colorScheme of ["light", "dark"] as const) {
        await page.emulateMedia({ colorScheme });
        const faint = await page.evaluate(faintParts);
        const said = faint.map(({ figure, ratio, element }) =>
          `${colorScheme}, ${drawings[figure]?.title}: ${ratio.toFixed(2)} ${element}`
        );
        assertEquals(said, []);
      }
    },
  );
  assertEquals(complaints, []);
});
