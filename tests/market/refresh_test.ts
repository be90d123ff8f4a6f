import { connect, type OrderBook, recentAuctions } from "orderlens";
import { exportDataset } from "orderlens/datasets";
import { type Market, openMarket } from "orderlens/market";
import { replay } from "orderlens/recordings";
import { openSandbox, type Sandbox } from "orderlens/sandbox";
import type { Frame } from "orderlens/tables";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { largeOrder, OWNER, setting } from "../client/trading_setting.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

/** A book of a sandbox, and the requests that it gets. */
function watch(sandbox: Sandbox, newest: { id?: number } = {}) {
  const requests: string[] = [];
  const fetch: typeof globalThis.fetch = (url, init) => {
    requests.push(`${init?.method ?? "GET"} ${new URL(String(url)).pathname}`);
    const path = newest.id === undefined ? url : String(url).replace(/latest$/, `${newest.id}`);
    return sandbox.fetch(String(path), init);
  };
  const { deployment, clock } = sandbox;
  return { requests, book: connect({ fetch, deployment, clock }) };
}

/** The texts of all tables and views of a market, by their methods. */
async function readTables(market: Market): Promise<Map<string, string>> {
  const texts = new Map<string, string>();
  for (const [name, read] of Object.entries(market)) {
    if (typeof read !== "function") continue;
    const frame: Frame = await read();
    texts.set(name, JSON.stringify(frame.toRecords()));
  }
  return texts;
}

async function assertLikeOpened(market: Market, book: OrderBook, last?: number): Promise<void> {
  const opened = await readTables(await openMarket(book, { last }));
  for (const [name, text] of await readTables(market)) {
    assert(opened.get(name) === text, `${name} differs from that of a market that is opened now`);
  }
  assert(opened.size > 30);
}

const countReports = (requests: readonly string[]) =>
  requests.filter((line) => line.includes("/debug/")).length;

Deno.test("Market.refresh requests only new auctions and orders that may change", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 20 });
  const { book, requests } = watch(sandbox);
  await using market = await openMarket(book);
  const [before] = await market.sql("SELECT count(*) AS n, max(auction_id) AS last FROM auctions");
  const { competitions } = await market.records();
  const toRequest = (id: number) => `GET /api/v2/solver_competition/${id}`;
  const ids = competitions.map(({ auctionId }) => auctionId);
  // A competition may still appear under them.
  const gaps = Array.from({ length: ids.at(-1)! - ids[0]! }, (_, index) => ids[0]! + index)
    .filter((id) => !ids.includes(id)).map(toRequest);
  assertEquals(gaps.length, 2);
  const unsettled = competitions.filter(({ solutions }) =>
    solutions.some(({ isWinner, txHash }) => isWinner && txHash == null)
  ).map(({ auctionId }) => toRequest(auctionId));
  const sent = requests.length;
  assertEquals((await market.describe()).requests, sent);

  requests.length = 0;
  const unchanged = await market.refresh();
  assertEquals(requests, [
    "GET /api/v2/solver_competition/latest",
    ...gaps,
    "POST /api/v1/orders/by_uids",
  ]);
  assertEquals(unchanged, {
    auctions: 0,
    orders: 0,
    requests: 4,
    summary: "New or changed: 0 auctions and 0 orders, 4 requests",
  });

  await sandbox.advance({ auctions: 6 });
  requests.length = 0;
  const changes = await market.refresh();
  const [after] = await market.sql("SELECT count(*) AS n, max(auction_id) AS last FROM auctions");
  const newer = Array.from(
    { length: Number(after!.last) - Number(before!.last) - 1 },
    (_, index) => toRequest(Number(before!.last) + 1 + index),
  );
  assertEquals(changes.requests, requests.length);
  // Those that were settled since are among them.
  assert(changes.auctions >= Number(after!.n) - Number(before!.n) && changes.orders > 0);
  const walked = requests.filter((line) => line.includes("competition/")).slice(1);
  assertEquals(walked.filter((line) => ![...gaps, ...newer, ...unsettled].includes(line)), []);
  assertEquals(requests.filter((line) => line.includes("by_uids")).length, 1);
  assert(countReports(requests) <= changes.orders + 40);
  assertEquals((await market.describe()).requests, sent + 4 + requests.length);
  await assertLikeOpened(market, book);
});

Deno.test("Market.refresh finds a competition that appears after later ones", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12 });
  const shown = (await recentAuctions(connect(sandbox), { auctions: 20 })).competitions;
  const late = shown.at(-3)!.auctionId;
  let isHidden = true;
  const fetch: typeof globalThis.fetch = (url, init) => {
    const isLate = String(url).endsWith(`/${late}`);
    // The answer of the service to an id without a competition.
    if (isHidden && isLate) return sandbox.fetch(String(url).replace(/\d+$/, "999999"), init);
    return sandbox.fetch(String(url), init);
  };
  const { deployment, clock } = sandbox;
  const market = await openMarket(connect({ fetch, deployment, clock }), { last: 20 });
  const readIds = async () => (await market.records()).competitions.map((held) => held.auctionId);
  const ids = shown.map(({ auctionId }) => auctionId);
  assertEquals(await readIds(), ids.filter((id) => id !== late));

  isHidden = false;
  assertEquals((await market.refresh()).auctions, 1);
  assertEquals(await readIds(), ids);
});

Deno.test("Market.refresh of an auction range moves it, and takes one request if all is final", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 40 });
  const { book } = watch(sandbox);
  const market = await openMarket(book, { last: 10, orders: "winning" });
  await market.records();
  await sandbox.advance({ auctions: 7 });
  await market.refresh();
  const { ids, competitions } = await market.records();
  const opened = await recentAuctions(connect(sandbox), { auctions: 10 });
  assertEquals(
    [ids, competitions.map(({ auctionId }) => auctionId)],
    [10, opened.competitions.map(({ auctionId }) => auctionId)],
  );

  // The newest auction is one whose orders were filled by one settlement each.
  await sandbox.advance({ auctions: 20 });
  const all = await recentAuctions(connect(sandbox), { auctions: 30 });
  const isFinal = new Map(
    all.orders.map((
      { uid, status, partiallyFillable },
    ) => [uid, status === "fulfilled" && !partiallyFillable]),
  );
  const newest = all.competitions.find(({ solutions }) =>
    solutions.every(({ isWinner, txHash, orders }) =>
      !isWinner || txHash != null && orders.every(({ id }) => isFinal.get(id))
    )
  );
  const quiet = watch(sandbox, { id: newest!.auctionId });
  const settled = await openMarket(quiet.book, { last: 1, orders: "winning" });
  assert((await settled.records()).orders.length > 0);
  quiet.requests.length = 0;
  const changes = await settled.refresh();
  assertEquals([changes.auctions, changes.orders, changes.requests], [0, 0, 1]);
  assertEquals(quiet.requests, ["GET /api/v2/solver_competition/latest"]);
});

Deno.test("Market.refresh has the fills, cancellation and expiry of orders that were open", async () => {
  const own = await setting({ auctions: 5 });
  const { sandbox, book, request } = own;
  const filled = await largeOrder({ book, request: { ...request, validFor: 120 } });
  const cancelled = await largeOrder({ book, request: { ...request, validFor: 500 } });
  await sandbox.advance();
  await using market = await openMarket(book);
  const read = async () => {
    const rows = await market.sql<{ order_uid: string; status: string; fills: number }>(
      `SELECT order_uid, status, count(tx_hash) AS fills FROM orders LEFT JOIN trades USING (order_uid)
      WHERE orders.owner = '${OWNER}' GROUP BY ALL`,
    );
    return Object.fromEntries(
      rows.map(({ order_uid: uid, status, fills }) => [uid, [status, fills]]),
    );
  };
  assertEquals((await read())[cancelled.uid]?.[0], "open");
  await cancelled.cancel({ waitMs: 0 });
  const { orders, requests } = await market.refresh();
  assert(orders > 0 && requests! < 10, `${orders} orders, ${requests} requests`);
  assertEquals((await read())[cancelled.uid]?.[0], "cancelled");

  // It takes several settlements.
  await sandbox.advance({ auctions: 3 });
  await market.refresh();
  const some = Number((await read())[filled.uid]?.[1]);
  assert(some > 0);
  await sandbox.advance({ auctions: 5 });
  await market.refresh();
  assert(Number((await read())[filled.uid]?.[1]) > some);
  await sandbox.advance({ auctions: 65 });
  await market.refresh();
  assert(["expired", "fulfilled"].includes(String((await read())[filled.uid]?.[0])));
  await assertLikeOpened(market, book);
});

Deno.test("Market.refresh keeps the market whole if the deployment fails in the middle", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 15 });
  const { deployment, clock } = sandbox;
  const book = connect({ fetch: sandbox.fetch, deployment, clock }, { retries: 0 });
  await using market = await openMarket(book);
  const before = await readTables(market);
  await sandbox.advance({ auctions: 5 });
  for (const operation of ["competition", "orders", "trades", "debugReport"] as const) {
    const fault = sandbox.fault({ kind: "serverError", operation });
    await assertRejects(() => market.refresh(), Error, "InternalServerError");
    assert(fault.hits > 0, operation);
    fault.remove();
    assertEquals(
      (await market.sql("SELECT count(*) AS n FROM auctions"))[0]?.n,
      JSON.parse(before.get("auctions")!).length,
    );
    for (const [name, text] of await readTables(market)) assert(before.get(name) === text, name);
  }
  assertEquals((await market.refresh()).auctions > 0, true);
  await assertLikeOpened(market, book);
});

Deno.test("Market.refresh runs once at a time, after queries that are running", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 15 });
  const { book, requests } = watch(sandbox);
  await using market = await openMarket(book);
  const count = () =>
    market.sql(
      "SELECT count(*) AS n, (SELECT max(auction_id) FROM solutions) AS last FROM auctions",
    );
  const [before] = await count();
  await sandbox.advance({ auctions: 5 });
  requests.length = 0;
  const slow = market.sql("SELECT max(auction_id) AS last FROM solutions, range(300000)");
  const [first, second] = await Promise.all([market.refresh(), market.refresh()]);
  assertEquals(first, second);
  assertEquals(requests.filter((line) => line.endsWith("/latest")).length, 1);
  assertEquals((await slow)[0]?.last, before?.last);
  assert(Number((await count())[0]?.n) > Number(before?.n));
});

inFolder.test("a market that is opened again with its cache folder requests what is new", async (folder) => {
  const sandbox = await openSandbox({ seed: 7, auctions: 30, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const requests: string[] = [];
  const { chainId, settlementContract } = sandbox.deployment;
  const connectAgain = () => {
    requests.length = 0;
    const book = connect(server.url, {
      chainId,
      settlementContract,
      cacheFolder: folder,
      clock: sandbox.clock,
      fetch: (url, init) => {
        requests.push(`${init?.method} ${new URL(String(url)).pathname}`);
        return fetch(url, init);
      },
    });
    return openMarket(book, { last: 20, cacheFolder: folder });
  };
  const first = await (await connectAgain()).records();
  const final = first.orders.filter(({ status, partiallyFillable, executedFee = 0n }) =>
    status === "fulfilled" && !partiallyFillable && executedFee > 0n
  );
  assert(final.length > 5);
  assertEquals(
    requests.filter((line) => line.endsWith("/trades")).length,
    first.orders.filter(({ executedBuyAmount }) => executedBuyAmount > 0n).length,
  );

  const again = await connectAgain();
  const texts = await readTables(again);
  assertEquals((await again.records()).orders, first.orders);
  const settled = first.competitions.filter(({ solutions }) =>
    solutions.some(({ isWinner }) => isWinner) &&
    solutions.every(({ isWinner, txHash }) => !isWinner || txHash != null)
  );
  const isFinal = new Set(final.map(({ uid }) => uid));
  const open = first.orders.filter(({ uid }) => !isFinal.has(uid));
  const executed = open.filter(({ executedBuyAmount: bought }) => bought > 0n);
  const trades = requests.filter((line) => line.endsWith("/trades"));
  assertEquals(trades.length, executed.length);
  assertEquals(countReports(requests), first.orders.length - final.length);
  for (const { auctionId } of settled.slice(0, -1)) {
    assertEquals(requests.includes(`GET /api/v2/solver_competition/${auctionId}`), false);
  }
  assertEquals((await again.describe()).requests, requests.length);

  // A damaged file counts as absent.
  for await (const { name } of Deno.readDir(folder)) {
    if (name.endsWith(".json")) await Deno.writeTextFile(`${folder}/${name}`, "{");
  }
  const damaged = await readTables(await connectAgain());
  for (const [name, text] of texts) assert(damaged.get(name) === text, name);
  assert(requests.some((line) => line.endsWith("/trades")));
});

inFolder.test("Market.refresh reads a dataset again if its manifest changed", async (folder) => {
  const book = connect(await replay("market_1"));
  const tables = ["auctions", "orders"];
  await exportDataset(book, folder, { auctions: { from: 2620, to: 2623 }, tables });
  await using market = await openMarket(folder);
  const read = async () => (await market.auctions()).getColumn("auction_id").toArray();
  assertEquals(await read(), [2623]);
  const same = await market.refresh();
  assertEquals(same, {
    auctions: 0,
    orders: 0,
    requests: 0,
    summary: "Nothing changed: the dataset is as it was read",
  });
  await exportDataset(book, folder, { auctions: { from: 2620, to: 2624 }, tables });
  const { auctions, orders, requests } = await market.refresh();
  assertEquals([auctions, orders > 0, requests], [1, true, 0]);
  assertEquals(await read(), [2623, 2624]);
  assertEquals(await market.sql("SELECT count(*) AS n FROM auctions"), [{ n: 2 }]);

  const recording = await openMarket("market_1", { last: 5 });
  const fills = await recording.fills();
  assertEquals((await recording.refresh()).summary, "Nothing can change: a recording is complete");
  assert(await recording.fills() === fills);
  assertEquals((await recording.describe()).requests, null);
});
