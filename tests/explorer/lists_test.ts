import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { ORDER_COLUMNS } from "../../lib/explorer/list_rows.ts";
import { listCsv } from "../../lib/explorer/list_pages.ts";
import { ask, askJson, askSql, market } from "./explore.ts";
import { explorer } from "../../lib/explorer/mod.ts";

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
    for (const row of rows) ids.push(row.auctionId);
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
  assertEquals(head, ORDER_COLUMNS.map(({ name }) => name));
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
  const columns = [{ name: "text", of: ({ text }: { text: string }) => text }];
  const stream = listCsv(rows, columns, (some) => Promise.resolve(some));
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
  const page = await ask("/trades?sort=-order_uid&page=2");
  assertStringIncludes(page.text, "By order uid, descending");
  assertStringIncludes(page.text, 'href="/trades?sort=-order_uid&amp;page=3" rel="next"');
  assertStringIncludes(page.text, 'href="/trades.csv?sort=-order_uid"');
});

/** What is wrong with queries, as far as a page says it. */
const REFUSED: Readonly<Record<string, string>> = {
  "/trades?sort=colour": "it is not sorted by &quot;colour&quot;",
  "/trades?sort=block&sort=owner": "it is not sorted by &quot;block, owner&quot;",
  "/trades?page=2&page=3": "&quot;2, 3&quot; is not a page",
  "/trades?page=0": "&quot;0&quot; is not a page",
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
    '<option value="expired" selected>',
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
