import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { Chart, settlementOutcomes, slippageBySize } from "../../../lib/charts/mod.ts";
import { openBrowser } from "../../open_browser.ts";
import { fill, slipped } from "../slippage_rows.ts";
import { committedDrawings } from "./committed_drawings.ts";
import { jupyterBundle } from "./jupyter_bundle.ts";
import { faintParts } from "./seen_contrast.ts";

const ROWS = Array.from(
  { length: 40 },
  (_, place) => fill(place, { ...slipped(place % 3 === 0 ? -4 : 9), volume_native: 1 + place }),
);
const { title, svg } = slippageBySize(ROWS);
const redraw = (width: number) => slippageBySize(ROWS, { width }).svg;
const chart = new Chart({ title, svg, rows: ROWS, redraw });
const outcomes = settlementOutcomes([
  { solver: "a", in_time: 3, late: 2, absent: 1, pending: 0 },
  { solver: "b", in_time: 5, late: 0, absent: 4, pending: 0 },
]);
const PAGES = { inline: chart.html, notebook: jupyterBundle(chart)["text/html"]! };

function pageOf(...figures: string[]): string {
  return "<!doctype html><meta charset=utf-8><style>:root{color-scheme:light dark}" +
    `body{margin:16px}</style><body>${figures.join("\n")}<p id="after" tabindex="0">after</p>`;
}

/** What stands in the tip of the first figure; `null` while there is none. */
async function tip(page: Page): Promise<string | null> {
  const shown = page.locator("figure").first().locator("> div[data-shown]");
  return await shown.count() === 0 ? null : await shown.innerText();
}

/** Moves the pointer onto an element, and gives the element's place. */
async function pointAt(page: Page, element: Locator) {
  const box = (await element.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  return box;
}

/** The accessible name of what has the focus. */
async function focused(page: Page): Promise<string | null> {
  return await page.locator(":focus").getAttribute("aria-label");
}

async function seen(page: Page, selector: string): Promise<number> {
  return await page.locator(`figure:first-of-type > svg:visible ${selector}`)
    .filter({ visible: true }).count();
}

const dots = ".fill[aria-label=dot] circle";
const FIRST = svg.match(/<circle[^>]*><title>([^<]*)</)![1]!;

type Step = (page: Page) => Promise<void>;

/** What a figure does, on a page of its own and in a notebook alike. */
const STEPS: Readonly<Record<string, Step>> = {
  "the pointer on a mark, or close to it, shows its exact value at once; away from it, nothing":
    async (page) => {
      const mark = page.locator(`svg:visible ${dots}`).first();
      const box = (await mark.boundingBox())!;
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      assertEquals(await tip(page), FIRST);
      assertMatch(FIRST, /bps against the net quote/);
      await page.mouse.move(box.x - 7, box.y);
      assertEquals(await tip(page), FIRST);
      await page.mouse.move(box.x + 5, 20);
      assertEquals(await tip(page), null);
      assertEquals(
        await page.locator("figure svg title").count(),
        0,
        "no second tip by the browser",
      );
    },
  "the keyboard goes to a mark, to the next ones, and puts the tip away": async (page) => {
    const stops: (string | null)[] = [];
    for (let stop = 0; stop < 4; stop++) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    assertEquals(stops.slice(0, 3), [
      "fill better than the net quote, or equal",
      "worse",
      "median of each half of the fills",
    ]);
    assertEquals(await tip(page), stops[3]);
    await page.keyboard.press("ArrowRight");
    const second = await focused(page);
    assert(second !== stops[3]);
    assertEquals(await tip(page), second);
    await page.keyboard.press("End");
    assert(await focused(page) !== second);
    await page.keyboard.press("Home");
    assertEquals(await focused(page), stops[3]);
    await page.keyboard.press("Escape");
    assertEquals(await tip(page), null);
    await page.keyboard.press("Tab");
    assertEquals(await page.locator(":focus").getAttribute("id"), "after");
    await page.keyboard.press("Shift+Tab");
    assertEquals(await focused(page), stops[3], "one stop for all marks");
  },
  "a finger close to a mark shows it": async (page) => {
    const box = (await page.locator(`svg:visible ${dots}`).first().boundingBox())!;
    await page.locator("figure").first().dispatchEvent("pointerenter", { pointerType: "touch" });
    await page.locator("figure > svg:visible").first().dispatchEvent("pointerdown", {
      pointerType: "touch",
      clientX: box.x - 15,
      clientY: box.y,
      bubbles: true,
    });
    assertEquals(await tip(page), FIRST);
    await page.locator("figure").first().dispatchEvent("pointerleave", { pointerType: "touch" });
    assertEquals(await tip(page), FIRST, "it stays when the finger goes");
    await page.locator("#after").dispatchEvent("pointerdown", { pointerType: "touch" });
    assertEquals(await tip(page), null, "and goes with a tap elsewhere");
  },
  "an entry of the legend switches its marks off and on, by mouse and keyboard": async (page) => {
    const entry = page.getByRole("button", { name: "worse" });
    const all = await seen(page, dots);
    assertEquals([all, await seen(page, "circle[fill='#d55e00'][data-series]")], [40, 14]);
    await entry.click();
    assertEquals(await entry.getAttribute("aria-pressed"), "false");
    assertEquals(await seen(page, dots), 26);
    await entry.focus();
    await page.keyboard.press(" ");
    assertEquals(await entry.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Enter");
    assertEquals(await seen(page, dots), 26);
    await page.keyboard.press("Tab");
    await page.keyboard.press("Tab");
    for (let press = 0; press < 40; press++) await page.keyboard.press("ArrowRight");
    assertEquals(await page.locator("[data-off]:focus").count(), 0, "what is off is passed over");
  },
  "printed, it is the drawing alone: whole, light, without a tip": async (page) => {
    await page.emulateMedia({ colorScheme: "dark" });
    await page.getByRole("button", { name: "worse" }).click();
    await pointAt(page, page.locator("svg:visible circle[fill='#0072b2'][data-series]").first());
    assert(await tip(page) !== null);
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    assertEquals(await seen(page, dots), 40);
    assertEquals(await page.locator("figure > div").filter({ visible: true }).count(), 0);
    const ink = page.locator("figure > svg:visible > text").first();
    assertEquals(await ink.evaluate((text) => colorOf(text, "fill")), "rgb(31, 35, 40)");
    const underlined = page.locator("[data-legend]:visible").first();
    assertEquals(await underlined.evaluate((entry) => colorOf(entry, "cursor")), "auto");
  },
  "a narrow place gets the narrow drawing, a wide one the wide drawing": async (page) => {
    for (const [viewport, width] of [[420, 360], [800, 760], [1440, 1080]] as const) {
      await page.setViewportSize({ width: viewport, height: 900 });
      const shown = page.locator("figure > svg").filter({ visible: true });
      assertEquals(await shown.count(), 1);
      assertEquals(await shown.getAttribute("data-width"), String(width));
      const box = (await shown.boundingBox())!;
      assert(box.x >= 0 && box.x + box.width <= viewport, `${box.width} at ${viewport}`);
    }
  },
};

/** The name of what the browser computes; stands for `getComputedStyle`, which Deno does not know. */
declare function colorOf(element: unknown, property: string): string;
const COLOR_OF = "window.colorOf = (element, property) => getComputedStyle(element)[property];";

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

Deno.test({
  name: "charts in a real browser",
  // The browser is another process whose pipes end when it does, some time after it was closed.
  sanitizeOps: false,
  sanitizeResources: false,
  async fn(t) {
    const browser = await openBrowser();
    try {
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
      await page.addInitScript(COLOR_OF);
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
        const off = (place: number) =>
          page.locator("figure").nth(place).locator("[data-off]").count();
        assertEquals([await off(0), await off(1) > 0, await off(2)], [0, true, 0]);
        await page.locator("figure").nth(2).getByRole("button", { name: "late" }).click();
        assert(await off(2) > 0);
      });

      await t.step(
        "a front end may set the markup first and run its scripts from another place",
        async () => {
          await open();
          await page.evaluate(`(${RUN_APART})(${JSON.stringify(PAGES.notebook)})`);
          await pointAt(page, page.locator(`svg:visible ${dots}`).first());
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
          assertEquals(await seen(page, `${dots} title`.replace(" title", "")), 40);
          assertEquals(
            await page.locator("figure").first().locator(`${dots} > title`).count() > 0,
            true,
          );
          const image = page.locator("figure > img");
          assertEquals(await image.getAttribute("alt"), title);
          assertEquals(await image.evaluate((one) => Reflect.get(one, "naturalWidth")), 760);
        },
      );

      await t.step(
        "a theme of JupyterLab or VS Code goes before what the system prefers",
        async () => {
          await open(PAGES.inline);
          const paper = () =>
            page.locator("figure").evaluate((figure) => colorOf(figure, "backgroundColor"));
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
          const drawings = await committedDrawings();
          await open(...drawings.map((one) => new Chart({ ...one, rows: [] }).html));
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
    } finally {
      await browser.close();
    }
  },
});
