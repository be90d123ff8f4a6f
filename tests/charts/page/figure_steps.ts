import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Locator, Page } from "playwright-core";
import { Chart, slippageBySize } from "../../../lib/charts/mod.ts";
import { fill, slipped } from "../slippage_rows.ts";

const ROWS = Array.from(
  { length: 40 },
  (_, place) => fill(place, { ...slipped(place % 3 === 0 ? -4 : 9), volume_native: 1 + place }),
);
const { title, svg } = slippageBySize(ROWS);
const redraw = (width: number) => slippageBySize(ROWS, { width }).svg;
/** Dots in two colours and a line: a chart that can be drawn at another width. */
export const chart = new Chart({ title, svg, rows: ROWS, redraw });

/** What stands in the tip of the first figure; `null` while there is none. */
export async function tip(page: Page): Promise<string | null> {
  const shown = page.locator("figure").first().locator("> div[data-shown]");
  return await shown.count() === 0 ? null : await shown.innerText();
}

/** Moves the pointer onto an element, and gives the element's place. */
export async function pointAt(
  page: Page,
  element: Locator,
): Promise<{ x: number; y: number }> {
  const box = (await element.boundingBox())!;
  await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
  return box;
}

/** The accessible name of what has the focus. */
async function focused(page: Page): Promise<string | null> {
  return await page.locator(":focus").getAttribute("aria-label");
}

/** A property of an element as the browser computes it, such as `fill`. */
export async function computed(element: Locator, property: string): Promise<string> {
  return await element.evaluate(
    (one, name) => Reflect.get(Reflect.get(globalThis, "getComputedStyle")(one), name),
    property,
  );
}

/** How many elements of the first figure are seen. */
export async function seen(page: Page, selector: string): Promise<number> {
  return await page.locator(`figure:first-of-type > svg:visible ${selector}`)
    .filter({ visible: true }).count();
}

/** The dots of a figure. */
export const DOTS = ".fill[aria-label=dot] circle";
/** What the first dot says. */
export const FIRST = svg.match(/<circle[^>]*><title>([^<]*)</)![1]!;

/** What somebody does with the figure on a page, and what they see. */
export type Step = (page: Page) => Promise<void>;

/** What a figure does, on a page of its own and in a notebook alike. */
export const STEPS: Readonly<Record<string, Step>> = {
  "the pointer on a mark, or close to it, shows its exact value at once; away from it, nothing":
    async (page) => {
      const box = await pointAt(page, page.locator(`svg:visible ${DOTS}`).first());
      assertEquals(await tip(page), FIRST);
      assertMatch(FIRST, /bps against the net quote/);
      await page.mouse.move(box.x - 7, box.y);
      assertEquals(await tip(page), FIRST);
      await page.keyboard.press("Escape");
      assertEquals(await tip(page), null);
      await page.mouse.move(box.x - 6, box.y);
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
    for (let stop = 0; stop < 5; stop++) {
      await page.keyboard.press("Tab");
      stops.push(await focused(page));
    }
    assertEquals(stops.slice(0, 4), [
      "fill better than the net quote, or equal",
      "worse",
      "median of each half of the fills",
      "its 95% bootstrap interval",
    ]);
    assertEquals(await tip(page), stops[4]);
    await page.keyboard.press("ArrowRight");
    const second = await focused(page);
    assert(second !== stops[4]);
    assertEquals(await tip(page), second);
    await page.keyboard.press("End");
    assert(await focused(page) !== second);
    await page.keyboard.press("Home");
    assertEquals(await focused(page), stops[4]);
    await page.keyboard.press("Escape");
    assertEquals(await tip(page), null);
    await page.keyboard.press("Tab");
    assertEquals(await page.locator(":focus").getAttribute("id"), "after");
    await page.keyboard.press("Shift+Tab");
    assertEquals(await focused(page), stops[4], "one stop for all marks");
  },
  "a finger close to a mark shows it": async (page) => {
    const box = (await page.locator(`svg:visible ${DOTS}`).first().boundingBox())!;
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
    const all = await seen(page, DOTS);
    assertEquals([all, await seen(page, "circle[fill='#d55e00'][data-series]")], [40, 14]);
    await entry.click();
    assertEquals(await entry.getAttribute("aria-pressed"), "false");
    assertEquals(await seen(page, DOTS), 26);
    await entry.focus();
    await page.keyboard.press(" ");
    assertEquals(await entry.getAttribute("aria-pressed"), "true");
    await page.keyboard.press("Enter");
    assertEquals(await seen(page, DOTS), 26);
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
    assertEquals(await seen(page, DOTS), 40);
    assertEquals(await page.locator("figure > div").filter({ visible: true }).count(), 0);
    const ink = page.locator("figure > svg:visible > text").first();
    assertEquals(await computed(ink, "fill"), "rgb(31, 35, 40)");
    const underlined = page.locator("[data-legend]:visible").first();
    assertEquals(await computed(underlined, "cursor"), "auto");
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
