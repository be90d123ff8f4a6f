import * as Plot from "@observablehq/plot";
import { assert, assertEquals } from "@std/assert";
import { Chart, figure, settlementOutcomes } from "../../../lib/charts/mod.ts";
import { complaintsOf } from "../../open_browser.ts";
import { testInBrowser } from "../../test_in_browser.ts";
import { committedDrawings } from "./shown_charts.ts";
import { chart, computed, DOTS, FIRST, pointAt, seen, STEPS, tip } from "./figure_steps.ts";
import { jupyterBundle } from "./shown_charts.ts";

/**
 * What is seen too little of on the page that it runs in, as the browser paints it: texts below
 * 4.5:1 against what they stand on, marks of the data below 3:1 against the page; each with its figure
 * on the page, from 0, as it is written, and with its contrast.
 */
function faintParts() {
  // The body of this function runs in the browser: it must not name anything outside.
  // deno-lint-ignore no-explicit-any
  const { document, getComputedStyle } = globalThis as any;
  const rgb = (color: string): number[] =>
    (color.match(/[\d.]+/g) ?? []).map(Number).map((value, place) =>
      place < 3 ? value / 255 : value
    );
  const over = (top: number[], opacity: number, under: number[]) =>
    under.map((value, place) => value + (top[place]! - value) * opacity);
  const luminance = (color: number[]) => {
    const [red = 0, green = 0, blue = 0] = color.map((share) =>
      share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
    );
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
  };
  const ratio = (one: number[], other: number[]) => {
    const [a, b] = [luminance(one), luminance(other)];
    return Math.max(a / b, b / a);
  };
  const faint: { figure: number; element: string; ratio: number }[] = [];
  for (const [figure, at] of [...document.querySelectorAll("figure")].entries()) {
    const paper = rgb(getComputedStyle(at).backgroundColor).slice(0, 3);
    const note = (element: { outerHTML: string }, ratio: number) =>
      faint.push({ figure, element: element.outerHTML.slice(0, 160), ratio });
    const shapes = [...at.querySelectorAll("svg svg g[aria-label] :is(rect,circle,path,line)")]
      .filter((mark) =>
        !/axis|grid/.test(mark.closest("g[aria-label]").getAttribute("aria-label"))
      );
    const solid = shapes.filter((mark) => mark.localName === "rect").flatMap((mark) => {
      const { fill, fillOpacity } = getComputedStyle(mark);
      if (fill === "none") return [];
      return [{
        box: mark.getBoundingClientRect(),
        color: over(rgb(fill), Number(fillOpacity), paper),
      }];
    });
    for (const text of at.querySelectorAll("svg text")) {
      const box = text.getBoundingClientRect();
      if (box.width === 0) continue;
      const style = getComputedStyle(text);
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const behind = style.paintOrder.startsWith("stroke")
        ? undefined
        : solid.findLast(({ box }) =>
          x >= box.left && x <= box.right && y >= box.top && y <= box.bottom
        );
      const seen = ratio(rgb(style.fill).slice(0, 3), behind?.color ?? paper);
      if (seen < 4.5) note(text, seen);
    }
    for (const mark of shapes) {
      const group = mark.closest("g[aria-label]");
      const own = mark.hasAttribute("fill") || mark.hasAttribute("stroke");
      // Lines and bands behind the data are scaffold: quieter than it on purpose.
      if (group.getAttribute("class") === null && !own) continue;
      const { fill, fillOpacity, stroke, strokeOpacity } = getComputedStyle(mark);
      const seen = [[fill, fillOpacity], [stroke, strokeOpacity]]
        .filter(([color]) => color !== "none")
        .map(([color, opacity]) =>
          ratio(over(rgb(color).slice(0, 3), Number(opacity), paper), paper)
        );
      if (Math.max(0, ...seen) < 3) note(mark, Math.max(0, ...seen));
    }
  }
  return faint;
}

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
  const complaints = complaintsOf(page, (url) => /^(?:about|data):/.test(url));
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
      const shares = [0, 0.2, 0.4, 0.6, 0.8, 1].map((won) => ({ solver: `solver ${won}`, won }));
      const fill = ({ won }: typeof shares[number]) => won > 0.75 ? "white" : "black";
      const texts = Plot.text(shares, { x: "solver", fill, text: "won" });
      const cells = Plot.cell(shares, { x: "solver", fill: "won", stroke: "gray" });
      const matrix = figure({ marks: [cells, texts] }, { title: "Share of bids that won" });
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
