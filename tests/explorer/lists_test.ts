import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import { Listing } from "../../lib/explorer/listing.ts";
import { LISTS } from "../../lib/explorer/lists.ts";
import { streamCsv } from "../../lib/explorer/list_pages.ts";
import { ask, askJson, askSql, market } from "./explore.ts";
import { explorer } from "../../lib/explorer/mod.ts";
import { replay } from "../../lib/recordings/mod.ts";

const { recording: RECORDING } = await market();

const NEWEST =
  "0x819a1385a8a7fc93bbdffe4c2a2321fe87b92bbda3601cf692ddedd172b9f46ad217e8a0924a6806c7616a4ab0c39df86e0bf8896b01b8f3";

const OWNER = "0xd217e8a0924a6806c7616a4ab0c39df86e0bf889";

// Counted in the recorded bodies with another program.
const COUNTS: Readonly<Record<string, number>> = {
  "/orders.json": 938,
  "/orders.json?status=expired": 241,
  "/orders.json?status=fulfilled&page=2": 661,
  "/orders.json?token=WETH": 396,
  "/orders.json?token=0x5FBDB2315678AFECB367F032D93F642F64180AA3": 396,
  "/orders.json?owner=0xae8be95be03288071217078950278910001dcbc8": 240,
  [`/orders.json?text=${NEWEST.slice(10, 40)}`]: 1,
  "/orders.json?text=nowhere": 0,
  "/auctions.json": 569,
  "/auctions.json?solver=solver_b": 523,
  "/auctions.json?text=0x8c4dbf8f11a525cc6ae5": 1,
  "/trades.json": 664,
  "/orders.json?from=2026-11-21T15:00": 884,
  "/orders.json?from=2026-11-21&to=2026-11-22": 938,
  "/orders.json?to=2026-11-21": 0,
};

for (const [path, count] of Object.entries(COUNTS)) {
  Deno.test(`${path.slice(0, 60)} has ${count}`, async () => {
    assertEquals((await askJson(path)).total, count);
  });
}

Deno.test("lists are newest first, each row on one page", async () => {
  const seen: string[] = [];
  for (let page = 1; page <= 4; page++) {
    const { rows } = await askJson(`/orders.json?owner=${OWNER}&page=${page}`);
    for (const row of rows) seen.push(row.uid);
  }
  assertEquals(seen[0], NEWEST);
  // A UID has its owner in it, behind the digest.
  const own = RECORDING.recorded.orderUids.filter((uid) => uid.slice(66, 106) === OWNER.slice(2));
  assertEquals([seen.length, seen.toSorted()], [162, own]);
  const ids: number[] = [];
  for (let page = 1; page <= 12; page++) {
    const { rows } = await askJson(`/auctions.json?page=${page}`);
    for (const row of rows) ids.push(row.auction_id);
  }
  assertEquals([ids[0], ids.toReversed()], [2624, [...RECORDING.recorded.auctionIds]]);
});

Deno.test("orders are filtered by what their verdicts begin or end with", async () => {
  const totals = [];
  for (const verdict of ["expired", "filled", "nonsense"]) {
    totals.push((await askJson(`/orders.json?owner=${OWNER}&verdict=${verdict}`)).total);
  }
  // All 45 expired ones of the account, of which none was filled; 112 filled ones.
  assertEquals(totals, [45, 112, 0]);
});

Deno.test("judging many orders lets other requests go on", async () => {
  let asked = 0;
  const few = {
    ...RECORDING,
    recorded: {
      ...RECORDING.recorded,
      orderUids: RECORDING.recorded.orderUids.slice(0, 60),
      auctionIds: [],
    },
    send(request: Parameters<typeof RECORDING.send>[0]) {
      asked++;
      return RECORDING.send(request);
    },
  };
  const from = explorer(few);
  await ask("/orders?text=nowhere", { from });
  asked = 0;
  const long = askJson("/orders.json?verdict=filled", from);
  await new Promise((resolve) => setTimeout(resolve, 0));
  const { status } = await ask("/nowhere", { from });
  const askedMeanwhile = asked;
  assert((await long).total > 0);
  assertEquals(status, 404);
  assert(askedMeanwhile < asked, `${askedMeanwhile} of ${asked} requests`);
});

/** Splits CSV as RFC 4180 has it. */
function csvCells(text: string): string[][] {
  return text.split("\r\n").slice(0, -1).map((line) =>
    [...line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,"]*))/g)]
      .map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain!)
  );
}

Deno.test("CSV has the same rows as the list, with every digit", async () => {
  const { text, headers } = await ask("/orders.csv?status=expired");
  assertEquals(headers.get("content-disposition"), 'attachment; filename="orders.csv"');
  assertStringIncludes(headers.get("content-type")!, "text/csv");
  const [head, ...rows] = csvCells(text);
  assertEquals(head, Object.keys(LISTS.orders.columns));
  assertEquals(rows.length, 241);
  const own = rows.find(([uid]) => uid === NEWEST)!;
  const body = await RECORDING.send({
    method: "POST",
    path: "/api/v1/orders/by_uids",
    body: JSON.stringify([NEWEST]),
  });
  const [found] = JSON.parse(body.body);
  const order = found.order ?? found;
  assertEquals(own[head!.indexOf("sell_amount_atoms")], order.sellAmount);
  assertEquals(own[head!.indexOf("buy_amount_atoms")], order.buyAmount);
  assert(own[head!.indexOf("verdict")]!.startsWith("expired_"));
});

Deno.test("CSV keeps text from being a formula, and quotes what needs it", async () => {
  const rows = ["=1+1", "@SUM(A1)", "-1", "a,b", 'a"b', "line\nbreak", ""].map((text) => ({
    text,
  }));
  const stream = streamCsv(() => Promise.resolve(rows), ["text"]);
  assertEquals(
    await new Response(stream).text(),
    `text\r\n'=1+1\r\n'@SUM(A1)\r\n-1\r\n"a,b"\r\n"a""b"\r\n"line\nbreak"\r\n""\r\n`,
  );
});

Deno.test("lists are sorted by a column, either way, and links keep it", async () => {
  const { rows } = await askJson("/auctions.json?sort=-solutions");
  const counts: number[] = rows.map((row: { solutions: number }) => row.solutions);
  assertEquals(counts, counts.toSorted((a, b) => b - a));
  const csv = await ask("/orders.csv?sort=created_at&status=cancelled");
  const times = csvCells(csv.text).slice(1).map(([, createdAt]) => createdAt!);
  assertEquals([times.length, times], [33, times.toSorted()]);
  // As text, 15:28:27Z is after 15:28:27.5Z.
  const all = csvCells((await ask("/orders.csv?sort=-created_at")).text).slice(1);
  const ms = all.map(([, createdAt]) => Temporal.Instant.from(createdAt!).epochMilliseconds);
  assertEquals(ms, ms.toSorted((a, b) => b - a));
  const page = await ask("/trades?sort=-order_uid&page=2");
  assertStringIncludes(page.text, "By order uid, descending");
  assertStringIncludes(page.text, 'href="/trades?sort=-order_uid&amp;page=3" rel="next"');
  assertStringIncludes(page.text, 'href="/trades.csv?sort=-order_uid"');
});

/** What is wrong with queries, as far as a page says it. */
const REFUSED: Readonly<Record<string, string>> = {
  "/trades?sort=colour": "it cannot be sorted by &quot;colour&quot;",
  "/trades?sort=block&sort=owner": "it cannot be sorted by &quot;block, owner&quot;",
  "/trades?page=2&page=3": "&quot;2, 3&quot; is not a page",
  "/trades?page=0": "Cannot show this list: &quot;0&quot; is not a page",
  [`/accounts/0x${"ab".repeat(20)}?page=0`]: `Cannot show accounts/0x${
    "ab".repeat(20)
  }: &quot;0&quot; is not a page`,
  "/trades?page=1000000": "is not a page",
  "/trades?from=x": "is not a time",
  "/trades?to=2026-02-30": "is not a time",
  "/orders?status=foo": "presignaturePending, open, fulfilled, cancelled, expired",
};

Deno.test("a query that is not understood is refused, and says why", async () => {
  for (const [path, why] of Object.entries(REFUSED)) {
    const { status, text } = await ask(path);
    assertEquals(status, 400, path);
    assertStringIncludes(text, why);
  }
  assertEquals((await ask("/trades?page=&sort=")).status, 200);
});

Deno.test("the page before one that is far behind the last is the last", async () => {
  const { text } = await ask("/auctions?page=999999");
  assertStringIncludes(text, 'href="/auctions?page=12" rel="prev"');
  assertStringIncludes(text, "569 rows as CSV");
  assertStringIncludes((await ask(`/orders?text=${NEWEST}`)).text, "1 row as CSV");
});

Deno.test("a range of time has the auctions and fills in it, to its end and without it", async () => {
  const [fromMs, toMs] = [Date.UTC(2026, 10, 21, 15, 10), Date.UTC(2026, 10, 21, 15, 20)];
  const inRange = (table: string, column: string) =>
    askSql(
      `FROM ${table} SELECT count(*) AS n WHERE ${column} >= ${fromMs} AND ${column} < ${toMs}`,
    );
  const range = "from=2026-11-21T15:10&to=2026-11-21+15:20:00Z";
  assertEquals(
    [
      (await askJson(`/auctions.json?${range}`)).total,
      (await askJson(`/trades.json?${range}`)).total,
    ],
    [
      (await inRange("auctions", "auction_at_ms")).n,
      (await inRange("trades", "filled_at_ms")).n,
    ],
  );
});

const FILTERED = "owner=0xae8be95be03288071217078950278910001dcbc8";

/** What lists have: filters in their form and in links, statuses in colour, times with their age. */
const HELD: Readonly<Record<string, readonly (string | RegExp)[]>> = {
  [`/orders?status=expired&${FILTERED}`]: [
    '<option value="expired" selected>Expired</option>',
    '<option value="presignaturePending">Not signed yet</option>',
    '<option value="ready_in_no_stored_auction">only in auctions that were not stored</option>',
    'value="0xae8be95be03288071217078950278910001dcbc8"',
  ],
  "/orders?status=expired": [
    'href="/orders?status=expired&amp;page=2"',
    'href="/orders.csv?status=expired"',
    '<span class="pill tone-bad">',
    /<time [^>]+>2026-11-21 15:28:45 UTC<\/time> \((?:in\u00a0)?\d+\u00a0/,
    /<\/a> <button type="button" class="copy">Copy<\/button>/,
  ],
  "/trades": [/2026-11-21 15:28:44 UTC<\/time>/],
  // What is known of the beginning of an auction is an interval.
  "/auctions": [/>2026-11-21 15:28:\d\d to 15:3\d:\d\d UTC<\/time> \(/],
};

for (const [path, parts] of Object.entries(HELD)) {
  Deno.test(`${path} has what it is filtered by, and what its rows are`, async () => {
    const { text } = await ask(path);
    for (const part of parts) {
      if (typeof part === "string") assertStringIncludes(text, part);
      else assertMatch(text, part);
    }
  });
}

Deno.test("lists count the most frequent values of their filters, with links to these", async () => {
  const { facets } = await askJson("/orders.json");
  const statuses = facets.filter(({ filter }: { filter: string }) => filter === "status");
  // Counted in the recorded bodies with another program, but for the 3 that are left of 938.
  assertEquals(
    statuses.map(({ value, rows }: { value: string; rows: number }) => [value, rows]),
    [["fulfilled", 661], ["expired", 241], ["cancelled", 33], ["open", 3]],
  );
  const { text } = await ask("/orders?status=expired&sort=owner&page=2");
  const [counts = ""] = /<nav class="facets"[^]*?<\/nav>/.exec(text) ?? [];
  const [, link = "", rows] =
    /<a href="(\/orders\?[^"]*token=0x5fbd[^"]*)">WETH<\/a> (\d+)/.exec(counts) ?? [];
  const path = link.replaceAll("&amp;", "&");
  assertEquals(new URLSearchParams(path.split("?")[1]).get("sort"), "owner");
  assert(!path.includes("page="));
  const listed = await askJson(path.replace("/orders", "/orders.json"));
  assertEquals([listed.filters.status, listed.total], ["expired", Number(rows)]);
});

Deno.test("what a filter is set to is a value, and never a part of a query", async () => {
  for (const value of ["' OR true --", '" OR true --', "$limit", "%", "_", "0x') OR (true"]) {
    for (const filter of ["text", "owner", "token", "solver", "verdict"]) {
      const { status, text } = await ask(
        `/orders.json?${new URLSearchParams({ [filter]: value })}`,
      );
      assertEquals([filter, value, status, JSON.parse(text).total], [filter, value, 200, 0]);
    }
  }
});

Deno.test("a recording lists orders that no auction lists", async () => {
  const { total, rows: [row] } = await askJson("/orders.json", explorer(await replay("edges")));
  assertEquals([total, row.uid], [1, (await replay("edges")).recorded.orderUids[0]]);
});

Deno.test("an auction has its settlements by hash, and its winners by rank from the last", async () => {
  // Its settlements are 0x39b8… and 0x183e…, in this order.
  const competition = await connect(RECORDING).competition(2596);
  const [first, second] = competition.transactionHashes;
  const { rows: [row] } = await askJson("/auctions.json?text=2596");
  assertEquals([first!.slice(0, 6), row.tx_hashes], ["0x39b8", `${second} ${first}`]);
  const winners = competition.solutions.filter(({ isWinner }) => isWinner)
    .toSorted((a, b) => b.ranking - a.ranking).map(({ solverAddress }) => solverAddress);
  assertEquals(row.winners, [...new Set(winners)].join(" "));
});

Deno.test("Listing closes the database of a market that was replaced after its last query", async () => {
  const [running, closed] = [Promise.withResolvers<void>(), [] as string[]];
  const market = {
    sql: () => running.promise.then(() => (closed.push("read"), [])),
    [Symbol.asyncDispose]: () => Promise.resolve(void closed.push("closed")),
  } as never;
  const addresses = { solver: [], token: [] };
  const names = { addresses, isToken: () => false, isSolver: () => false };
  const listing = new Listing({ market, note: "", names, running: new Set() });
  const rows = listing.select("SELECT 1");
  await listing.replace();
  assertEquals(closed, []);
  running.resolve();
  await rows;
  assertEquals(closed, ["read", "closed"]);
});

Deno.test("the live page has the newest auctions, without times that its script does not know", async () => {
  const { text } = await ask("/live");
  assertEquals([...text.matchAll(/data-name="Auction"/g)].length, 25);
  assert(!text.includes('data-name="Began"'));
});

Deno.test("a range of time begins with its first instant and ends before its last", async () => {
  // One order was created then.
  const at = "2026-11-21T15:28:40.786";
  const count = async (range: string) => (await askJson(`/orders.json?${range}`)).total;
  const [before, from] = [await count(`to=${at}`), await count(`from=${at}`)];
  assertEquals([before + from, await count(`from=${at}&to=${at}`)], [938, 0]);
  assertEquals(await count(`from=${at}&to=2026-11-21T15:28:40.787`), 1);
});

/** What a solver won and bid for, in the recorded bodies. */
async function solverFacts(solver: string) {
  const book = connect(RECORDING);
  const auctions = await Promise.all(
    RECORDING.recorded.auctionIds.map((id) => book.competition(id)),
  );
  const own = auctions.map(({ solutions }) =>
    solutions.filter(({ solverAddress }) => solverAddress === solver)
  );
  const won = own.map((solutions) => solutions.filter(({ isWinner }) => isWinner));
  const uidsOf = (solutions: typeof own) =>
    new Set(solutions.flat().flatMap(({ orders }) => orders.map(({ id }) => id)));
  return {
    auctionsWon: won.filter(({ length }) => length > 0).length,
    auctionsBid: own.filter(({ length }) => length > 0).length,
    ordersWon: uidsOf(won).size,
    ordersBid: uidsOf(own).size,
  };
}

Deno.test("lists by solver have what it won, and the auctions in which it bid", async () => {
  const solver = "0xf985d2cf3f3c5cfc798d8e9e4ebdd6777653c3cb";
  const { auctionsWon, auctionsBid, ordersWon, ordersBid } = await solverFacts(solver);
  assert(auctionsWon < auctionsBid && ordersWon < ordersBid);
  assertEquals(
    [
      (await askJson(`/orders.json?solver=${solver}`)).total,
      (await askJson(`/auctions.json?solver=${solver}`)).total,
    ],
    [ordersWon, auctionsBid],
  );
  const { text } = await ask(`/solvers/${solver}`);
  const [section = ""] =
    /<section[^>]*aria-labelledby="listed-auctions[^]*?<\/section>/.exec(text) ?? [];
  assertEquals([...section.matchAll(/data-name="Auction"/g)].length, auctionsWon);
});

Deno.test("search by both ends finds only what has both", async () => {
  const search = async (ends: string) =>
    (await ask(`/search?q=${encodeURIComponent(ends)}`)).status;
  assertEquals([NEWEST.slice(0, 6), NEWEST.slice(-4)], ["0x819a", "b8f3"]);
  assertEquals([await search("0x819a…b8f3"), await search("0x819a…b8f4")], [302, 404]);
});

Deno.test("/orders has the terms, the filled part and the surplus of each order", async () => {
  const { text } = await ask("/orders?text=0x4bf7d77554a2a385143c");
  assertStringIncludes(text, "Open, 50.0% filled");
  assertStringIncludes(text, "sell 2.63148 WETH for at least 268.442 T0");
  // It sold 1.31591 for 134.244, of which 0.00506811 are above the limit.
  assertStringIncludes(text, "+0.38 bps");
  const expired = await ask(`/orders?text=${NEWEST.slice(0, 30)}`);
  assertStringIncludes(expired.text, 'class="pill tone-bad"><span title="expired">Expired</span>');
  assertEquals(expired.text.includes("Over limit"), false);
});

Deno.test("facets of lists name tokens that only a node knows", async () => {
  const word = (hex: string) => `0x${hex}`;
  const rpc = (
    calls: readonly { readonly method: string; readonly params: readonly unknown[] }[],
  ) =>
    Promise.resolve(calls.map(({ method, params }) => {
      if (method === "eth_chainId") return { result: "0x1" };
      const { data } = Object(params[0]);
      if (data === "0x313ce567") return { result: word("12".padStart(64, "0")) };
      return { result: data === "0x95d89b41" ? word("4e4f4445".padEnd(64, "0")) : "0x" };
    }));
  const own = explorer(await replay("hooks__partial_fills"), { node: { rpc } });
  // No order is on this page, so that only its facets name tokens.
  const { text } = await ask("/orders?page=99", { from: own });
  const [, facets] = /<nav class="facets"([\s\S]*?)<\/nav>/.exec(text)!;
  assertMatch(facets!, /token=0x3aa5\w+">NODE/);
  await own.close();
});
