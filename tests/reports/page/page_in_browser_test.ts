import { assert, assertEquals } from "@std/assert";
import { orderPage, type OrderReport } from "orderlens/reports";
import type { Page } from "playwright-core";
import { render } from "../../../lib/notebook/mod.ts";
import { testInBrowser, violations } from "../../test_in_browser.ts";
import {
  filledReport,
  KEPT,
  pagesOfOthers,
  reportsOfVerdicts,
  withTexts,
} from "./reports_of_verdicts.ts";

/** Tries to end its element, its attribute, its comment, its script; to run, to load, to reorder. */
const HOSTILE =
  `</script></style></title><script>alert(1)</script><img src="https://evil.test/x" ` +
  `onerror=alert(2)>"'><svg onload=alert(3)><a href="javascript:alert(4)">x</a><!--` +
  `<base href="https://evil.test"><style>*{display:none}</style><iframe srcdoc=x>\u202egnp.exe`;

/** Widths and schemes. */
const LOOKS = [
  { width: 1440, colorScheme: "light" },
  { width: 420, colorScheme: "dark" },
  { width: 1440, colorScheme: "dark" },
  { width: 420, colorScheme: "light" },
] as const;

/** Every third page is looked at in one of them; `ORDERLENS_ALL=1` takes all in all, in 25 s. */
const EVERY = 3;

type Look = (typeof LOOKS)[number];

async function open(tab: Page, html: string, { width, colorScheme }: Look): Promise<void> {
  await tab.setViewportSize({ width, height: 900 });
  await tab.emulateMedia({ colorScheme });
  await tab.goto(`data:text/html;charset=utf-8,${encodeURIComponent(html)}`);
}

testInBrowser("pages of reports in a browser", async (browser, t) => {
  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on("dialog", (dialog) => {
    complaints.push(`dialog ${dialog.message()}`);
    dialog.dismiss();
  });
  const asked: string[] = [];
  tab.on("request", (request) => {
    if (!request.url().startsWith("data:")) asked.push(request.url());
  });
  tab.on("requestfailed", (request) => {
    const failure = request.failure()?.errorText;
    if (failure !== "csp") complaints.push(`${request.url()}: ${failure}`);
  });
  tab.on("requestfinished", (request) => {
    if (!request.url().startsWith("data:")) complaints.push(`${request.url()} was loaded`);
  });

  await t.step("no violation of accessibility, nothing wider than the page", async () => {
    const all = Deno.env.has("ORDERLENS_ALL");
    const reports = await reportsOfVerdicts();
    const some = all ? reports : reports.filter((_, at) => at % EVERY === 0);
    const ofOrders = some.map(async (report) =>
      [report.verdict as string, await orderPage(report)] as const
    );
    const pages = [...await Promise.all(ofOrders), ...all ? await pagesOfOthers() : []];
    for (const [at, [name, html]] of pages.entries()) {
      for (const look of all ? LOOKS : [LOOKS[at % LOOKS.length]!]) {
        await open(tab, html, look);
        const what = `${name}, ${look.width}, ${look.colorScheme}`;
        const wide = await tab.evaluate(
          "[...document.querySelectorAll('html, .scroll')]" +
            ".filter((one) => one.scrollWidth > one.clientWidth).map((one) => one.outerHTML)",
        );
        assertEquals(wide, [], what);
        assertEquals(await violations(tab), [], what);
      }
      // Between these, a table may be wider than its part of the page, but nothing than the page.
      for (const width of [320, 900]) {
        await tab.setViewportSize({ width, height: 900 });
        const full = await tab.evaluate("document.documentElement.scrollWidth");
        assertEquals(full, width, `${name}, ${width}`);
      }
    }
  });

  await t.step("hostile text in every field stays text", async () => {
    const report: OrderReport = withTexts(
      await filledReport(),
      (text, key) => KEPT.has(key) ? text : HOSTILE,
    );
    for (const look of LOOKS.slice(0, 2)) {
      await open(tab, await orderPage(report), look);
      const elements = await tab.evaluate(
        "[...document.querySelectorAll('script:not([type=\"application/json\"]), img, iframe, base, [onload], [onerror]')].length",
      );
      assertEquals(elements, 0);
      const links = await tab.evaluate(
        "[...document.links].map((link) => link.getAttribute('href')).filter((href) => !href.startsWith('#'))",
      );
      assertEquals(links, []);
      assert(await tab.locator("h1").isVisible());
      assertEquals(await tab.title().then((title) => title.includes("\u202e")), false);
      const data = await tab.evaluate(
        "JSON.parse(document.getElementById('data').textContent).uid",
      );
      assertEquals(data, HOSTILE);
    }
    assertEquals(asked, []);
  });

  await t.step("the policy stops a script that got in", async () => {
    const page = (await orderPage(await filledReport(), { charts: false }))
      .replace(
        "<main>",
        `<main><script>document.title = "ran"; alert(5)</script>` +
          `<img src="https://evil.test/y" onerror="alert(6)">`,
      );
    await open(tab, page, LOOKS[0]);
    assertEquals(await tab.title().then((title) => title === "ran"), false);
  });

  await t.step(
    "pictures turn dark with the page, and links of hashes are underlined whole",
    async () => {
      const report = await filledReport();
      const html = await orderPage({
        ...report,
        deployment: { ...report.deployment, network: "mainnet" },
      });
      const styleOf = (selector: string, property: string) =>
        tab.evaluate(
          `getComputedStyle(document.querySelector('${selector}')).getPropertyValue('${property}')`,
        );
      const paper = async (look: Look) => {
        await open(tab, html, look);
        return [
          await styleOf("figure", "background-color"),
          await styleOf("figure svg text", "fill"),
        ];
      };
      assertEquals(await paper(LOOKS[2]), ["rgb(20, 23, 26)", "rgb(230, 237, 243)"]);
      assertEquals(await paper(LOOKS[0]), ["rgb(255, 255, 255)", "rgb(31, 35, 40)"]);
      assertEquals(await styleOf("a .hex > span", "text-decoration-line"), "underline");
    },
  );

  await t.step("one click selects the whole UID", async () => {
    const { uid } = await filledReport();
    await open(tab, await orderPage(await filledReport(), { charts: false }), LOOKS[1]);
    await tab.locator("dt:text-is('UID') + dd .whole").click();
    assertEquals(await tab.evaluate("getSelection().toString()"), uid);
  });

  assertEquals(complaints, []);
});

testInBrowser(
  "a shown report leaves the style of the page around it as it is, and follows its theme",
  async (browser) => {
    const around =
      `<h1>a</h1><h2>b</h2><p class="kind">c</p><table><tr><td class="number">d</td></tr>` +
      `</table><dl><dt>e</dt><dd>f</dd></dl><pre>g</pre><details><summary>h</summary></details>`;
    const looks = "[...document.querySelectorAll('#around *')].map((one) => JSON.stringify(" +
      "Object.fromEntries([...getComputedStyle(one)].map((name) => " +
      "[name, getComputedStyle(one).getPropertyValue(name)]))))";
    const background =
      "getComputedStyle(document.querySelector('.orderlens-report')).backgroundColor";
    const { "text/html": html } = await render(await filledReport());
    const tab = await browser.newPage({ viewport: { width: 900, height: 900 } });
    const body = (inner: string) =>
      `<body data-jp-theme-light="false"><div id="around">${around}` +
      `</div><div id="output">${inner}</div></body>`;
    await tab.setContent(body(""));
    const before = await tab.evaluate(looks);
    await tab.setContent(body(String(html)));
    assertEquals(await tab.evaluate(looks), before);
    assertEquals(await tab.evaluate(background), "rgb(21, 24, 28)");
    await tab.evaluate("document.body.dataset.jpThemeLight = 'true'");
    assertEquals(await tab.evaluate(background), "rgb(255, 255, 255)");
    assertEquals(await tab.locator(".at-wide:visible").count(), 3);
    await tab.evaluate("document.getElementById('output').style.width = '400px'");
    assertEquals(await tab.locator(".at-wide:visible").count(), 0);
    assert(await tab.locator(".at-narrow").first().isVisible());
  },
);
