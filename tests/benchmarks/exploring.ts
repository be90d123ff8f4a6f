import { assert } from "@std/assert";
import process from "node:process";
import { explore, slippageByQuoteAge } from "../../lib/charts/mod.ts";
import { openDataset } from "../../lib/datasets/mod.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";
import { exploredFills } from "../charts/explore/explored_fills.ts";
import { openBrowser } from "../open_browser.ts";
import { measureServedMemory } from "./serving_memory.ts";
import {
  againstBar,
  type Benchmark,
  type Measurement,
  measurementOf,
  medianOf,
  millisecondsOf,
} from "./ratio.ts";

const ROUNDS = 12;
const WARM_UP = 3;
/** Requests over which memory is to be flat, and those after which it is compared. */
const REQUESTS = { all: 100_000, before: 50_000 };
/** Megabytes of a server of market_1 at most. */
const MAX_MEGABYTES = 800;

/** Pages that are made anew: 200 a second are 5 ms of one core each. */
const BARS = { cpuMs: 5, medianMs: 20 };

type Source = Parameters<typeof explorer>[0];

async function get(own: ReturnType<typeof explorer>, path: string, expected = 200): Promise<void> {
  const response = await own.fetch(new Request(`http://localhost${path}`));
  if (response.status !== expected) throw new Error(`${path} answered ${response.status}`);
  await response.arrayBuffer();
}

async function openOrders() {
  const dataset = await openDataset("market_1");
  const uids = await Array.fromAsync(dataset.orders(), ({ uid }) => uid);
  return { dataset, uids };
}

/** Makes every page of some orders once, in an explorer that has kept none. */
async function pagesOf(source: Source, uids: readonly string[]) {
  const own = explorer(source);
  // Whoever looks at pages comes from the first one, for which the records are read once.
  await get(own, "/");
  const { user, system } = process.cpuUsage();
  const times = await Array.fromAsync(
    uids,
    (uid) => millisecondsOf(() => get(own, `/orders/${uid}?pictures=no`)),
  );
  const used = process.cpuUsage({ user, system });
  const cpuMs = (used.user + used.system) / 1_000 / uids.length;
  return { cpuMs, medianMs: medianOf(times.sort((a, b) => a - b)) };
}

async function measurePages(what: keyof typeof BARS): Promise<Measurement> {
  const { dataset, uids } = await openOrders();
  const round = async () => (await pagesOf(dataset, uids))[what];
  const rounds = await Array.fromAsync({ length: WARM_UP + ROUNDS }, round);
  return againstBar(BARS[what], rounds.slice(WARM_UP));
}

/** Requests while a query never ends, and milliseconds that it may cost the slowest of them. */
const WHILE = { rounds: 6, requests: 30, barMs: 100 };

/** How much longer the slowest page takes while a query runs that never ends. */
async function measureEndless(): Promise<Measurement> {
  const { dataset, uids } = await openOrders();
  const own = explorer(dataset);
  await get(own, "/orders");
  await get(own, "/sql?q=SELECT+1");
  const slowest = async () =>
    Math.max(
      ...await Array.fromAsync({ length: WHILE.requests }, (_, each) => {
        const path = each % 5 === 0
          ? `/sql.json?q=SELECT+${Math.random()}`
          : `/orders/${uids[each]}?pictures=no`;
        return millisecondsOf(() => get(own, path));
      }),
    );
  await slowest();
  const costs: number[] = [];
  for (let round = 0; round < WHILE.rounds; round++) {
    const before = await slowest();
    const query = `SELECT+count(*)+%2B+${round}+FROM+range(1000000000000)`;
    const endless = get(own, `/sql?q=${query}`, 400);
    costs.push(Math.max(0, await slowest() - before));
    await endless;
  }
  return againstBar(WHILE.barMs, costs);
}

/** Orders whose pages are drawn, from all over the source, and bytes of the largest page at most. */
const DRAWN = { orders: 100, bytes: 300_000 };
/** Milliseconds of a page with its pictures at most, when it is made and when it is read again. */
const VIEW_BARS = { first: 25, again: 1 };

/**
 * Median time of pages of orders with their pictures, in two widths each, over HTTP of an explorer:
 * when nobody has seen any of them, and when each was seen once.
 */
async function measureViews(
  view: keyof typeof VIEW_BARS,
  openSource: () => Promise<{ source: Source; uids: readonly string[] }>,
): Promise<Measurement> {
  const { source, uids } = await openSource();
  const step = Math.max(1, Math.floor(uids.length / DRAWN.orders));
  const drawn = uids.filter((_, index) => index % step === 0).slice(0, DRAWN.orders);
  const rounds = await Array.fromAsync({ length: 4 }, async () => {
    const own = explorer(source);
    await get(own, "/");
    const views: Record<keyof typeof VIEW_BARS, number[]> = { first: [], again: [] };
    for (const uid of drawn) {
      for (const times of Object.values(views)) {
        const start = performance.now();
        const response = await own.fetch(new Request(`http://localhost/orders/${uid}`));
        const bytes = (await response.arrayBuffer()).byteLength;
        times.push(performance.now() - start);
        assert(response.status === 200 && bytes <= DRAWN.bytes, `${uid}: ${bytes} bytes`);
      }
    }
    await own.close();
    return medianOf(views[view].sort((a, b) => a - b));
  });
  // The first round warms up.
  return againstBar(VIEW_BARS[view], rounds.slice(1));
}

const DRAWN_SOURCES = {
  recording: async () => {
    const source = await replay("market_1");
    return { source, uids: source.recorded.orderUids };
  },
  dataset: async () => {
    const { dataset, uids } = await openOrders();
    return { source: dataset, uids };
  },
};

/** Megabytes of `orderlens serve` after half of all requests, and after all: measured once. */
let servedMegabytes: Promise<readonly [before: number, after: number]> | undefined;

async function serveRequests(): Promise<readonly [before: number, after: number]> {
  const measured = await Array.fromAsync(measureServedMemory(REQUESTS.all));
  const at = (count: number) => measured.find(({ requests }) => requests === count)!.megabytes;
  return [at(REQUESTS.before), at(REQUESTS.all)];
}

/** Memory after all requests against memory after half of them. */
async function measureGrowth(): Promise<Measurement> {
  return measurementOf([[...await (servedMegabytes ??= serveRequests())]], "MB");
}

async function measureServed(): Promise<Measurement> {
  const [, after] = await (servedMegabytes ??= serveRequests());
  return againstBar(MAX_MEGABYTES, [after], "MB");
}

/** Bytes of an exploration of 50,000 fills. */
function measureExploration(): Measurement {
  const { html } = explore(exploredFills(50_000));
  return againstBar(3, [html.length / 1e6], "MB");
}

/** The time of one interaction with an exploration in a real browser: all is done before the event ends. */
async function measureInteraction(rows: number, script: string): Promise<Measurement> {
  const { html } = explore(exploredFills(rows));
  await using browser = await openBrowser();
  const page = await browser.newPage({ viewport: { width: 1200, height: 1000 } });
  await page.setContent(`<!doctype html><meta charset="utf-8">${html}`);
  const times = await page.evaluate(`Array.from({ length: 20 }, (_, at) => {
    const find = (selector) => document.querySelectorAll("figure " + selector);
    const start = performance.now();
    ${script};
    return performance.now() - start;
  })`);
  return againstBar(100, times as number[]);
}

/** Interactions by the number of fills. */
const INTERACTIONS = {
  redraw: [
    50_000,
    `const select = find("select[aria-label=Pair]")[0];
    select.selectedIndex = at % 4;
    select.dispatchEvent(new Event("change"))`,
  ],
  search: [
    50_000,
    `const search = find("[type=search]")[0];
    search.value = ["a", "solver", "weth", "no such text"][at % 4];
    search.dispatchEvent(new Event("input"))`,
  ],
  sort: [20_000, `find("th button")[at % 6].click()`],
} as const;

/** A picture of 10,000 fills in three widths, as a notebook shows it. */
async function measurePicture(): Promise<Measurement> {
  const fills = exploredFills(10_000).map((row, at) => ({
    ...row,
    quote_age_seconds: 1 + at % 99,
  }));
  const draw = () => assert(slippageByQuoteAge(fills).html.length > 0);
  const times = await Array.fromAsync({ length: 5 }, () => millisecondsOf(draw));
  return againstBar(2_000, times);
}

/** Pages of the explorer against what is promised of them. */
export function exploringBenchmarks(): Benchmark[] {
  const made = "page of a dataset without pictures, made anew";
  type Claim = [name: string, measure: Benchmark["measure"], bar?: number];
  const claims: Claim[] = [
    ["a picture of 10,000 fills / 2 s", measurePicture],
    ["an exploration of 50,000 fills / 3 MB", measureExploration],
    ...Object.entries(INTERACTIONS).map(([name, [rows, script]]): Claim => [
      `${name} in an exploration of ${rows.toLocaleString("en-US")} fills / 100 ms`,
      () => measureInteraction(rows, script),
    ]),
    [`CPU of an order ${made} / 5 ms (200 a second on one core)`, () => measurePages("cpuMs")],
    [`median time of an order ${made} / 20 ms`, () => measurePages("medianMs")],
    ...Object.entries(DRAWN_SOURCES).flatMap(([name, openSource]): Claim[] => [
      [
        `median time of an order page of a ${name} with pictures, made anew / 25 ms`,
        () => measureViews("first", openSource),
      ],
      [
        `median time of an order page of a ${name} with pictures, seen before / 1 ms`,
        () => measureViews("again", openSource),
      ],
    ]),
    ["memory of orderlens serve after 100,000 requests / after 50,000", measureGrowth, 1.1],
    ["memory of orderlens serve after 100,000 requests / 800 MB", measureServed],
    ["what a query that never ends costs the slowest other page / 100 ms", measureEndless],
  ];
  return claims.map(([name, measure, bar = 1]) => ({ name, bar, measure }));
}
