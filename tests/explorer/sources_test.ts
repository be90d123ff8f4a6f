import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import { openDataset } from "../../lib/datasets/mod.ts";
import { createFillsExplorer, explainNoView } from "../../lib/explorer/explorations.ts";
import { openSource } from "../../lib/explorer/explorer_source.ts";
import { Cache } from "../../lib/explorer/cache.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { join } from "node:path";
import pl from "nodejs-polars";
import { copyFolder } from "../copy_folder.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { rewriteTable } from "../datasets/rewrite_table.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { ask, askJson } from "./explore.ts";
import { explorer } from "../../lib/explorer/mod.ts";

const UID = `0x${"ab".repeat(56)}`;
const SETTLEMENT = `0x${"90".repeat(20)}`;
const NEVER_AGAIN = { retries: 0 };

function failing(answer: () => Response | Promise<Response>) {
  const book = connect({
    fetch: () => Promise.resolve(answer()),
    deployment: { chainId: 1, settlementContract: SETTLEMENT },
  }, NEVER_AGAIN);
  return explorer(book);
}

Deno.test("failures of a deployment are pages that say what, why and what to do", async () => {
  for (
    const [answer, status] of [
      [() => new Response("busy", { status: 503 }), 503],
      [() => new Response("slow down", { status: 429 }), 503],
      [() => new Response("<html>", { status: 200 }), 502],
      [() => new Response("{}", { status: 200 }), 502],
      [() => Promise.reject(new TypeError("connection refused")), 502],
    ] as const
  ) {
    const from = failing(answer);
    for (const path of [`/orders/${UID}`, "/", "/orders.csv", "/auctions/1.json"]) {
      const page = await ask(path, { from });
      assertEquals([path, page.status], [path, status]);
      assertStringIncludes(page.text, "What to do");
    }
  }
});

Deno.test("pages about failures show no key of the deployment", async () => {
  const secret = "s3cr3t-key-of-a-partner";
  const book = connect("http://127.0.0.1:9", {
    chainId: 1,
    headers: { "x-api-key": secret },
    fetch: () => Promise.resolve(new Response(`no ${secret}`, { status: 500 })),
    ...NEVER_AGAIN,
  });
  const page = await ask("/", { from: explorer(book) });
  assert(page.status >= 502, String(page.status));
  assert(!page.text.includes(secret));
});

Deno.test("pages say why they have no view of more than 100,000 fills, and read none", async () => {
  const opened = openSource(await openDataset("market_1"));
  const view = createFillsExplorer(opened, () => Promise.reject(new Error("it reads fills")));
  const shown = await view(100_001, () => true, opened as never);
  const reason =
    "No page has a view of the fills: there are 100,001, and views read 100,000 at most.";
  assertEquals(String(shown?.intro), `<p>${reason}</p>`);
  assertEquals([explainNoView(100_001), explainNoView(100_000)], [reason, null]);
});

Deno.test("a solver that a deployment names twice has its last name", () => {
  const solvers = ["first", "last"].map((name) => ({ address: SETTLEMENT, name }));
  const deployment = { chainId: 1, settlementContract: SETTLEMENT, solvers };
  const source = { baseUrl: "any://book", deployment, send: () => Promise.reject() };
  assertEquals(openSource(source).solverName(SETTLEMENT), "last");
});

Deno.test("an order book without auctions has empty lists", async () => {
  const from = explorer(await openSandbox({ seed: 7 }));
  for (const path of ["/", "/orders", "/auctions", "/trades", "/live"]) {
    assertEquals([path, (await ask(path, { from })).status], [path, 200]);
  }
});

Deno.test("a sandbox has its newest auctions, their orders and fills; its pages go on with it", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 8 });
  const from = explorer(sandbox, { pollMs: 1 });
  const list = async (name: string) => JSON.parse((await ask(`/${name}.json`, { from })).text);
  const { rows: [auction] } = await list("auctions");
  const { rows: [fill] } = await list("trades");
  const { rows: [order] } = await list("orders");
  for (
    const path of [
      `/auctions/${auction.auction_id}`,
      `/orders/${order.uid}`,
      `/orders/${fill.order_uid}`,
      `/accounts/${fill.owner}`,
      `/transactions/${fill.tx_hash}`,
      `/tokens/${fill.sell_token}`,
      `/solvers/${auction.winners.split(" ")[0]}`,
      "/orders?verdict=filled",
    ]
  ) {
    assertEquals([path, (await ask(path, { from })).status], [path, 200]);
  }
  const data = await ask("/dataset", { from });
  // Every page links to it.
  assertEquals(data.status, 200);
  assertStringIncludes(data.text, "has no files to describe");
  const fills = async () =>
    Map.groupBy<string, { order_uid: string }>(
      (await list("trades")).rows,
      (row) => row.order_uid,
    );
  const earlier = await fills();
  await sandbox.advance({ auctions: 10 });
  const { rows: [newer] } = await list("auctions");
  assert(newer.auction_id > auction.auction_id);
  const later = await fills();
  assert(earlier.entries().some(([uid, own]) => (later.get(uid)?.length ?? 0) > own.length));
});

Deno.test("a public deployment is asked for its lists once in a while, whoever looks", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 20 });
  let asked = 0;
  const book = connect("http://127.0.0.1:9", {
    chainId: sandbox.deployment.chainId,
    settlementContract: sandbox.deployment.settlementContract,
    rateLimit: Infinity,
    fetch: (url, init) => {
      asked++;
      return sandbox.fetch(new URL(url).pathname + new URL(url).search, init);
    },
  });
  const from = explorer(book);
  await Promise.all([1, 2, 3].map(() => ask("/", { from })));
  const first = asked;
  for (const path of ["/", "/orders", "/trades.csv", "/auctions", "/live"]) {
    await ask(path, { from });
  }
  assertEquals(asked, first);
  // The latest auction, 25 before it, two lists of orders, and fills of at most 20 orders.
  assert(first <= 1 + 25 + 2 + 20, String(first));
});

Deno.test("the first page has volume and surplus without fills at absurd native prices", async () => {
  await withFolder(async (root) => {
    const folder = `${root}/overpriced`;
    await copyFolder(join(PROJECT_ROOT, "data", "datasets", "market_1"), folder);
    const { text: sound } = await ask("/", { from: explorer(await openDataset(folder)) });
    assertStringIncludes(sound, ">Volume<");
    assert(!sound.includes("Volume without"));
    let count = 0;
    await rewriteTable(folder, "fills/0000002000-0000002999.parquet", (frame) => {
      count = frame.height;
      return frame.withColumns(pl.lit("absurd").alias("price_sides"));
    });
    const { text } = await ask("/", { from: explorer(await openDataset(folder)) });
    for (const amount of ["Volume", "Surplus"]) {
      assertStringIncludes(text, `${amount} without ${count} fills at absurd native prices`);
    }
  });
});

Deno.test("a dataset has lists of its records, pages of its orders, and an overview with its gaps", async () => {
  const dataset = await openDataset("market_1");
  const asked: string[] = [];
  const { send } = dataset;
  dataset.send = (request) => {
    asked.push(request.path);
    return send.call(dataset, request);
  };
  const from = explorer(dataset);
  const orders = await askJson("/orders.json", from);
  // As its manifest and its card say.
  assertEquals([orders.total, (await askJson("/auctions.json", from)).total], [41, 32]);
  const { rows: [{ tx_hash: txHash }] } = await askJson("/trades.json", from);
  assertEquals((await ask(`/transactions/${txHash}`, { from })).status, 200);
  // The lists know its auction: nothing looks for it in the tables.
  assert(asked.length > 0 && !asked.some((path) => path.includes("by_tx_hash")), `${asked}`);
  const page = await ask(`/orders/${orders.rows[0]!.uid}`, { from });
  assertEquals(page.status, 200);
  const absent = await ask(`/orders/0x${"01".repeat(56)}`, { from });
  assertEquals(absent.status, 404);
  assertStringIncludes(absent.text, "It holds a part of its deployment");
  const overview = await ask("/dataset", { from });
  assertStringIncludes(overview.text, "What it contains and lacks");
  assertStringIncludes(overview.text, "How to cite it");
  const json = await askJson("/dataset.json", from);
  assertEquals([json.schema, json.ids.present.count], ["orderlens/describe@1", 32]);
  assert(!overview.text.includes(dataset.folder), "the folder is a matter of this machine");
  const solver = await ask("/solvers/0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344", { from });
  // It won 29 solutions; the trades of 28 of them are in the range.
  assertStringIncludes(
    solver.text,
    "of 29 winning solutions it settled 28 in time; the outcome of 1 is unknown",
  );
});

function kept(options: { maxWeight: number; freshMs?: number; now?: () => number }) {
  const made: string[] = [];
  const own = new Cache<string>({ now: () => 0, weigh: (text) => text.length, ...options });
  const get = (name: string) =>
    own.get(name, () => {
      made.push(name);
      return Promise.resolve(name);
    });
  return { own, get, made };
}

Deno.test("Cache evicts the least recently used value, and never exceeds its bound", async () => {
  const { own, get, made } = kept({ maxWeight: 4 });
  for (const name of ["aa", "bb", "aa", "cc", "aa", "bb", "too long"]) {
    await get(name);
    assertEquals(own.weight <= 4, true);
  }
  assertEquals(made, ["aa", "bb", "cc", "bb", "too long"]);
});

Deno.test("Cache computes a value once, also for concurrent requests, until it is no longer fresh", async () => {
  let now = 0;
  const { own, get, made } = kept({ maxWeight: 10, freshMs: 5, now: () => now });
  assertEquals(await Promise.all([get("a"), get("a")]), ["a", "a"]);
  now = 5;
  await get("a");
  assertEquals(made, ["a"]);
  now = 6;
  await get("a");
  assertEquals([made.length, own.weight], [2, 1]);
});

Deno.test("Cache does not cache failures", async () => {
  const own = new Cache<string>({ maxWeight: 1, now: () => 0 });
  await assertRejects(() => own.get("a", () => Promise.reject(new Error("no"))), Error, "no");
  assertEquals(await own.get("a", () => Promise.resolve("b")), "b");
});
