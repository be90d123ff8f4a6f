import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { parseHTML } from "linkedom";
import { join } from "node:path";
import type { IndexedChart } from "../../../tools/gallery/chart_index.ts";
import { NO_CHARTS, writeGallery } from "../../../tools/gallery/write_gallery.ts";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { Chart } from "../../../lib/charts/mod.ts";
import { jupyterBundle } from "../../charts/page/shown_charts.ts";
import { withFiles, withFolder } from "../../sandbox/temp_folder.ts";
import { SilentScreen } from "../silent_screen.ts";
import { TaskError } from "../../../tools/terminal/task_error.ts";

const FIXTURES = join(PROJECT_ROOT, "tests", "testdata", "notebook");

/** A chart as the index has it. */
const CHART: IndexedChart = {
  name: "auctionRanking",
  summary: "Draws the ranking of one auction.",
  columns: { needed: ["auction_id", "ranking"], read: ["missed_pair"] },
  code: "auctionRanking(solutions);",
  finding: "2 solvers won.",
  svg: '<svg><clipPath id="clip"></clipPath></svg>',
  html: '<figure><svg><clipPath id="clip"></clipPath></svg></figure>',
};

/** The pages that were written, and why others were not. */
async function gallery(...paths: string[]) {
  return await withFolder(async (folder) => {
    const charts = { beginning: "const book = 1;", charts: [CHART] };
    const notebooks = paths.map((path) => ({ source: path, target: path }));
    const site = { page: "site/index.html", name: "market_1", pages: 12 };
    const options = { folder, notebooks, charts, site, screen: new SilentScreen() };
    const error = await writeGallery(await ensureJupyter(), options)
      .catch((error: unknown) => error);
    const pages = new Map<string, string>();
    for await (const { name } of Deno.readDir(folder)) {
      pages.set(name, await Deno.readTextFile(join(folder, name)));
    }
    return { pages, error };
  });
}

const DRAWN = jupyterBundle(
  new Chart({
    title: "One dot",
    svg: '<svg xmlns="http://www.w3.org/2000/svg" width="9" viewBox="0 0 9 9"><svg>' +
      '<g aria-label="dot" class="fill"><circle r="3"><title>1</title></circle></g></svg></svg>',
    rows: [],
  }),
)["text/html"]!;

/** Markup that would load something, by the name of its notebook. */
const LOADING = {
  image: "<img src='https://example.org/x.png'>",
  script: "<script src='x.js'></script>",
};
const text = await Deno.readTextFile(join(FIXTURES, "good.ipynb"));
const markups = Object.entries({ other: JSON.stringify(DRAWN).slice(1, -1), ...LOADING });
const marked = markups.map(([name, markup]) => [
  `${name}.ipynb`,
  text.replace("<table>", `${markup}<table>`),
]);
const { pages, error } = await withFiles(Object.fromEntries(marked), (folder) =>
  gallery(
    ...["good", "changed_output"].map((name) => join(FIXTURES, `${name}.ipynb`)),
    ...markups.map(([name]) => join(folder, `${name}.ipynb`)),
  ));
const index = pages.get("index.html") ?? "";
const good = pages.get("good.html") ?? "";

Deno.test("writeGallery() begins with picture, question and line of each notebook", () => {
  const cards = index.split("<li ").slice(1);
  const [ofGood = "", ofChanged = ""] = cards;
  assertStringIncludes(ofGood, '<a href="good.html">');
  assertMatch(ofGood, /<div class="cover" aria-hidden="true"><svg .*steelblue/);
  assertStringIncludes(ofGood, "<h3>What does a good notebook show?</h3>");
  assertStringIncludes(ofGood, "<p>Fixed numbers, written in the cells; see the other one.</p>");
  assertStringIncludes(ofChanged, "<h3>What changed?</h3>");
  assertStringIncludes(ofChanged, '<div class="cover" aria-hidden="true"></div>');
  assertStringIncludes(cards.at(-1)!, '<a href="charts.html#auctionRanking">');
});

Deno.test("writeGallery() leads to the site of a dataset", () => {
  assertMatch(
    index,
    /<a href="site\/index.html">The dataset <code>market_1<\/code>.*: 12 pages of/,
  );
});

Deno.test("writeGallery() writes a page per notebook, one for the charts, and one that leads to them, which load nothing", () => {
  const names = ["changed_output", "charts", "good", "index", "other"];
  assertEquals([...pages.keys()].sort(), names.map((name) => `${name}.html`));
  for (const page of pages.values()) {
    assertEquals(
      page.match(/<link|<iframe|@import|src=(?!"data:)|https?:\/\/(?!www\.w3\.org)/g),
      null,
    );
  }
});

/** What pages have, by what it is for. */
const HELD: readonly (readonly [what: string, page: string, ...texts: string[]])[] = [
  [
    "every digit of outputs",
    "good",
    `${2n ** 255n}`,
    'user-select:all">12000</span> atoms',
  ],
  [
    "code as it is written, folded",
    "good",
    '<details class="code"><summary>Code, ',
    '&lt;clipPath id="clip"&gt;',
  ],
  ["links to pages of other notebooks", "good", '<a href="changed_output.html">the other one</a>'],
  ["the script and the image of a chart as they are", "other", DRAWN, '<div class="picture">'],
  [
    "what a chart needs, and its code",
    "charts",
    '<article id="auctionRanking" class="chart">',
    "<code>auction_id</code>, <code>ranking</code>",
    "Reads 1 more where they are there",
    'id="auctionRanking-drawn-clip"',
  ],
];

for (const [what, page, ...texts] of HELD) {
  Deno.test(`writeGallery() shows ${what}`, () => {
    for (const text of texts) assertStringIncludes(pages.get(`${page}.html`) ?? "", text);
  });
}

Deno.test("writeGallery() keeps SVG as it is, but for ids that two pictures share", () => {
  const ids = (pattern: RegExp) => [...good.matchAll(pattern)].map(([, id]) => id);
  assertEquals(ids(/<clipPath id="([^"]*)"/g), ["good-1-clip", "good-2-clip"]);
  assertEquals(ids(/<g clip-path="url\(#([^)]*)\)"/g), ["good-1-clip", "good-2-clip"]);
  assertStringIncludes(good, 'viewBox="0 0 320 120"');
  assertEquals(good.split('<div class="picture"><svg').length - 1, 2);
});

Deno.test("writeGallery() puts the answer of the cell tagged in-short at the top", () => {
  const [, short = ""] = /<section class="short"[^>]*>([^]*?)<\/section>/.exec(good) ?? [];
  assertStringIncludes(short, "<strong>2</strong> pictures");
  assert(good.indexOf('<section class="short"') < good.indexOf('<details class="code"'));
});

Deno.test("writeGallery() rejects outputs that would load something, and names each page", () => {
  assert(error instanceof TaskError);
  for (const [name, tag] of Object.entries(LOADING)) {
    assertStringIncludes(error.message, `${name}.html would load something: ${tag.slice(0, 11)}`);
  }
  assertEquals(error.message.match(/would load/g)?.length, 2);
});

/** Writes a notebook with a text as the page `mine.html` in the folder `pages`. */
async function writeAlone(prose: string, files: Readonly<Record<string, string>> = {}) {
  const cells = [
    { cell_type: "markdown", id: "prose", metadata: {}, source: prose },
    {
      cell_type: "code",
      id: "shown",
      metadata: {},
      source: "await show(explore(fills));",
      execution_count: 1,
      outputs: [{ output_type: "display_data", metadata: {}, data: { "text/html": DRAWN } }],
    },
  ];
  const notebook = JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
  const all = { "own/mine.ipynb": notebook, "built/mine.ipynb": notebook, ...files };
  return await withFiles(all, async (folder) => {
    const pages = join(folder, "pages");
    await writeGallery(await ensureJupyter(), {
      folder: pages,
      notebooks: [{
        source: join(folder, "own", "mine.ipynb"),
        target: join(folder, "built", "mine.ipynb"),
      }],
      charts: NO_CHARTS,
      alone: "mine.html",
      screen: new SilentScreen(),
    });
    const names = (await Array.fromAsync(Deno.readDir(pages))).map(({ name }) => name);
    return { names, page: await Deno.readTextFile(join(pages, "mine.html")) };
  });
}

Deno.test("writeGallery() writes one notebook as one page, which leads to no other", async () => {
  const { names, page } = await writeAlone(
    "# My fills\n\nSee [notes](notes/a%20b.md#top), [the rest](other.ipynb) and ![one](pixel.svg).",
    { "own/pixel.svg": "<svg/>" },
  );
  assertEquals(names, ["mine.html"]);
  assertStringIncludes(page, "<title>My fills</title>");
  assertStringIncludes(page, "<code>mine.ipynb</code>");
  assert(!page.includes("index.html"));
  assertStringIncludes(page, 'href="../own/notes/a%20b.md#top"');
  assertStringIncludes(page, 'href="../own/other.ipynb"');
  assertStringIncludes(page, `src="data:image/svg+xml;base64,${btoa("<svg/>")}"`);
  assertStringIncludes(page, DRAWN);
  assertStringIncludes(page, await Deno.readTextFile(join(PROJECT_ROOT, "tools/gallery/page.css")));
});

Deno.test("writeGallery() says that notebooks read what ships only where they do", async () => {
  const source = join(FIXTURES, "good.ipynb");
  for (const isShipped of [true, false]) {
    await withFolder(async (folder) => {
      await writeGallery(await ensureJupyter(), {
        folder,
        notebooks: [{ source, target: source }],
        charts: NO_CHARTS,
        isShipped,
        screen: new SilentScreen(),
      });
      const index = await Deno.readTextFile(join(folder, "index.html"));
      assertEquals(index.includes("read from what ships"), isShipped);
      assertStringIncludes(index, "Every table and picture is the output of code");
    });
  }
});

Deno.test("writeGallery() names an image that is missing", async () => {
  const { message } = await assertRejects(() => writeAlone("![one](none.svg)"), TaskError);
  assertEquals(
    message,
    "Cannot write the page (mine.ipynb shows the image none.svg, which is not there): " +
      "check the texts and outputs of the notebook it names",
  );
});

Deno.test("the script of the gallery finds pages by the words of their name, and unfolds all code", async () => {
  const script = await Deno.readTextFile(join(PROJECT_ROOT, "tools/gallery/page.js"));
  const run = (page: string) => {
    assertStringIncludes(page, script);
    const { document, Event } = parseHTML(page);
    new Function("document", script)(document);
    return {
      document,
      send: (element: Element, type: string) => element.dispatchEvent(new Event(type)),
    };
  };
  const of = run(index);
  const search = of.document.querySelector<HTMLInputElement>("#search")!;
  const shown = () =>
    [...of.document.querySelectorAll<HTMLElement>(".cards > li")].filter((card) =>
      !card.hidden && !card.closest("section")!.hidden
    ).map((card) => card.querySelector("a")!.getAttribute("href"));
  const found = (words: string) => {
    search.value = words;
    of.send(search, "input");
    return [shown(), of.document.querySelector<HTMLElement>("#none")!.hidden];
  };
  const all = shown();
  assertEquals(all.length, 6);
  assertEquals(found("RANKING auction"), [["charts.html#auctionRanking"], true]);
  assertEquals(found("no such chart"), [[], false]);
  assertEquals(found(""), [all, true]);

  const page = run(good);
  const unfold = page.document.querySelector("#unfold")!;
  const codes = [...page.document.querySelectorAll<HTMLDetailsElement>("details.code")];
  assert(codes.length > 0);
  for (const isOpen of [true, false]) {
    page.send(unfold, "click");
    for (const code of codes) assertEquals(code.open, isOpen);
    assertEquals(unfold.getAttribute("aria-pressed"), String(isOpen));
  }
});
