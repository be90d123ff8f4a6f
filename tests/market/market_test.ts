import pl from "nodejs-polars";
import { timeToFill } from "orderlens/charts";
import { connect, InputError, recentAuctions } from "orderlens";
import { exportDataset, openDataset } from "orderlens/datasets";
import { type Market, openMarket } from "orderlens/market";
import { render } from "orderlens/notebook";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { querySql } from "orderlens/sql";
import * as tables from "orderlens/tables";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";

// Tests only read them.
const dataset = await openDataset("market_1");
const ofDataset = await openMarket(dataset);
const ruled = await openMarket(dataset, { rewardsOf: "mainnet" });
const SOLVERS = ["solver_b", "solver_c", "solver_d", "test_solver"];
const ofSixty = await openMarket("market_1", { last: 60 });

Deno.test("a market of a recording has the tables that buildTable makes of its records", async () => {
  const recording = await replay("market_3");
  const all = await recentAuctions(connect(recording), {
    auctions: 120,
    node: recording,
    orders: "listed",
  });
  const { competitions, records, orders, trades, debugReports, times } = all;
  const solvers = { solvers: recording.deployment!.solvers! };
  const settled = { ...solvers, trades, debugReports };
  const facts = { ...solvers, competitions, times };
  const rules = { network: "mainnet", cowPrice: 100_000_000_000_000n };
  const rewarding = { ...settled, ...rules, times, orders };
  const market = await openMarket("market_3", {
    last: 120,
    rewardsOf: "mainnet",
    cowPrice: "100000000000000",
  });
  const byHand = {
    fills: tables.buildTable(tables.FILLS, { records, ...facts }),
    fees: tables.buildTable(tables.FEES, { records, ...facts }),
    bestOtherBids: tables.buildTable(tables.BEST_OTHER_BIDS, { records, ...facts }),
    trades: tables.buildTable(tables.TRADES, { trades, ...facts, orders, debugReports }),
    orders: tables.buildTable(tables.ORDERS, { orders, ...solvers, competitions }),
    solutions: tables.buildTable(tables.SOLUTIONS, { competitions, ...settled, orders, times }),
    referenceScores: tables.buildTable(tables.REFERENCE_SCORES, { competitions, ...solvers }),
    missedBaselines: tables.buildTable(tables.MISSED_BASELINES, {
      competitions,
      ...solvers,
      orders,
      trades,
      debugReports,
    }),
    settlementAttempts: tables.buildTable(tables.SETTLEMENT_ATTEMPTS, { debugReports, ...solvers }),
    executions: tables.buildTable(tables.EXECUTIONS, { debugReports, ...solvers }),
    rewards: tables.buildTable(tables.REWARDS, { competitions, ...rewarding }),
    auctionRewards: tables.buildTable(tables.AUCTION_REWARDS, { competitions, ...rewarding }),
  };
  for (const [name, expected] of Object.entries(byHand)) {
    const found = await market[name as keyof typeof byHand]();
    assertEquals(found.columns, expected.columns, name);
    assertEquals(found.toRecords(), expected.toRecords(), name);
    assert(found.height > 0, name);
  }
  // The names of a recording's own solvers, in every table of bids, fills and attempts.
  const own = recording.deployment!.solvers!.map(({ name }) => name);
  for (const name of ["fills", "solutions", "settlementAttempts", "executions"] as const) {
    const names = (await market[name]()).getColumn("solver_name").toArray();
    assert(names.every((each) => own.includes(String(each))), `${name}: ${new Set(names)}`);
  }
  const prices = tables.priceSeries(
    tables.buildTable(tables.NATIVE_PRICES, { competitions, times })
      .rename({ auction_at: "time", token_price_native: "price_native" }).toRecords() as never,
  );
  assertEquals((await market.markout(prices)).height, trades.length);
});

Deno.test("a market of a dataset reads its tables as they were published", async () => {
  const market = ofDataset;
  for (const [name, table] of [["fills", "fills"], ["orderListings", "order_listings"]] as const) {
    const frame = await market[name]();
    const published = await dataset.table(table).select(...frame.columns).collect();
    const names = frame.columns.filter((column) => column.endsWith("solver_name"));
    assertEquals(frame.drop(names).toRecords(), published.drop(names).toRecords());
    assertEquals(frame.columns.filter((column) => /^chain_id$|_utc$/.test(column)), []);
  }
  // Names of solvers that no list has are in the facts of its deployment.
  const named = (await market.leaderboard()).getColumn("solver_name").sort().toArray();
  const settled = (await market.fills()).getColumn("solver_name").unique().sort().toArray();
  assertEquals(named, SOLVERS);
  assertEquals(settled, named.slice(0, 3));
  assertEquals((await market.orders()).height, 41);
  // Tables that are not published, from its answers.
  assertEquals((await market.bestOtherBids()).height, 37);
  // Rules that it was not published with, too.
  assertEquals((await market.auctionRewards()).height, 0);
  assertEquals((await ruled.auctionRewards()).height, 37);
  // The cap on penalties of mainnet is 0.01 ether.
  const capsOf = (frame: tables.Frame) =>
    frame.toRecords().map(({ cap_atoms: cap }) => String(cap));
  assertEquals(new Set(capsOf(await market.attempts())), new Set(["null"]));
  assertEquals(new Set(capsOf(await ruled.attempts())), new Set(["10000000000000000"]));
});

Deno.test("Market reads all tables, of 0 auctions and of some", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 4 });
  const { competitions } = await recentAuctions(connect(sandbox), { auctions: 2_000 });
  const counts: number[] = [];
  for (const market of [await openMarket("edges"), await openMarket(sandbox)]) {
    for (const name of tableMethods(market)) await market[name]();
    const { auctions } = await market.describe();
    counts.push(auctions);
  }
  assertEquals(counts, [0, competitions.length]);
  assert(competitions.length > 1);
});

Deno.test("Market has every declared table, of datasets too", async () => {
  const market = await openMarket("edges");
  const names = tableMethods(market).map((method) =>
    // `tokens()` gives the same facts as options of `show`.
    String(method) === "tokenFacts"
      ? "tokens"
      : method.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  );
  // Markouts take prices, and flows one settlement: they are methods with an argument.
  const others = new Set(["markout", "winners_curse", "token_flows", "blocks"]);
  const all = Object.values(tables.TABLES).map(({ name }) => name);
  const missing = [...all, ...dataset.tables]
    .filter((name) => !names.includes(name) && !others.has(name));
  assertEquals(missing, []);
});

function tableMethods(market: Market) {
  return Object.keys(market).filter((name): name is "fills" =>
    typeof market[name as "fills"] === "function"
  );
}

Deno.test("Market.sql queries its tables, the views over them, and the caller's frames", async () => {
  const fills = await ofSixty.fills();
  const surplus = fills.getColumn("surplus_atoms").toArray()
    .reduce((sum: bigint, atoms) => sum + BigInt(String(atoms)), 0n);
  assertEquals(
    await ofSixty.sql("SELECT count(*) AS fills, sum(surplus_atoms) AS s FROM fills"),
    [{ fills: fills.height, s: String(surplus) }],
  );
  // A dataset of the same auctions, read as it was published and derived from its answers.
  const leaders =
    "SELECT * EXCLUDE solver_name FROM leaderboard ORDER BY score_won_atoms DESC, solver";
  const published = await querySql("market_1", leaders);
  const derived = await openMarket(dataset, { last: 60 });
  for (const market of [ofDataset, derived]) assertEquals(await market.sql(leaders), published);
  const names = await ofDataset.sql("SELECT solver_name FROM leaderboard ORDER BY 1");
  assertEquals(names.map((row) => row.solver_name), SOLVERS);
  // Rules that it was not published with.
  const [rewarded] = await ruled.sql("SELECT count(*) AS n FROM auction_rewards");
  assertEquals(rewarded, { n: (await ruled.auctionRewards()).height });

  const asked = "SELECT count(*) AS n, max(sum) AS sum FROM best_other_bids " +
    "JOIN fills USING (order_uid), (SELECT sum(x_atoms) AS sum FROM own)";
  const own = pl.DataFrame({ x_atoms: ["9007199254740993", "1"] });
  assertEquals(await ofDataset.sql(asked, { with: { own } }), [{ n: 37, sum: "9007199254740994" }]);
  for (
    const [named, words] of [
      [{ fills: own }, "Cannot query the frame fills in place of the table: no order_uid, "],
      [{ own: pl.DataFrame({ x_atoms: [["1"]] }) }, "is of type List"],
    ] as const
  ) await assertRejects(() => ofSixty.sql(asked, { with: named }), InputError, words);
  const limits = { maxRows: 2, memoryLimit: "500MB" };
  assertEquals((await ofSixty.sql("FROM fills", limits)).length, 2);

  const { message } = await assertRejects(() => ofSixty.sql("SELECT 1 FROM fils"), InputError);
  assertStringIncludes(message, 'Did you mean "fills"?');
  assertStringIncludes(message, "Query one of these tables and views: auctions, solutions");
  await assertRejects(() => ofSixty.sql(5 as never), InputError, "it is number");
  await assertRejects(() => ofSixty.sql("DROP TABLE fills"), InputError, "not SELECT");
});

Deno.test("Market.sql joins the caller's files by path, and rejects other values by name", async () => {
  const folder = await Deno.makeTempDir();
  const path = `${folder}/prices.csv`;
  await Deno.writeTextFile(path, "app,x_atoms\nBot,9007199254740993\nDesk,1\n");
  const own = pl.DataFrame({ app: ["Bot"] });
  const query = "SELECT sum(x_atoms) AS sum FROM files JOIN frame USING (app)";
  for (const market of [ofSixty, ofDataset]) {
    const rows = await market.sql(query, { with: { files: path, frame: own } });
    assertEquals(rows, [{ sum: "9007199254740993" }]);
  }
  for (
    const [tables, words] of [
      [{ files: `${folder}/none.csv` }, "none.csv as the table files"],
      [{ fills: path }, "a table or view of the dataset has this name"],
      [{ files: 5 }, "Cannot query 5 as the table files\nFix: Pass a frame, an array of rows, or"],
      [{ files: Promise.resolve(own) }, "Cannot query a Promise as the table files"],
      [{ files: [] }, "Cannot query rows as the table files: there are none"],
      [{ files: own.lazy() }, "as the table files\nFix: Pass a frame"],
      [path, "Fix: Pass frames, rows or paths by name as with"],
    ] as const
  ) await assertRejects(() => ofSixty.sql(query, { with: tables as never }), InputError, words);
  await assertRejects(
    () => ofSixty.sql("FROM fills", { memoryLimit: "much" }),
    InputError,
    "500MB",
  );
  await Deno.remove(folder, { recursive: true });
});

Deno.test("Market.sql writes nothing, runs several queries at once, and keeps no process alive", async () => {
  const program = new URL("unclosed_market.ts", import.meta.url).pathname;
  const { stdout } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-check", "--allow-read", "--allow-ffi", "--allow-sys", program],
    stderr: "inherit",
  }).output();
  const [fills, ...asked] = JSON.parse(new TextDecoder().decode(stdout));
  assertEquals([fills, ...asked], [4, 4, 4, 1, 4]);
});

Deno.test("Market reads each table once, and again after a failure", async () => {
  const recording = await replay("market_1");
  let sent = 0;
  let isDown = true;
  const market = await openMarket({
    baseUrl: recording.baseUrl,
    deployment: recording.deployment,
    send(request) {
      sent++;
      return isDown ? Promise.reject(new Error("down")) : recording.send(request);
    },
  }, { last: 5 });
  await assertRejects(() => market.fills(), Error, "down");
  await assertRejects(() => market.sql("SELECT 1 AS one FROM fills"), Error, "down");
  isDown = false;
  const [counted] = await market.sql("SELECT count(*) AS n FROM fills");
  const first = await market.fills();
  assertEquals(counted, { n: first.height });
  const after = sent;
  assertEquals(await market.fills() === first, true);
  await market.solutions();
  assertEquals(sent, after);
});

Deno.test("show(market) prints its span, its orders and its gaps", async (t) => {
  const descriptions = [
    ofSixty,
    ofDataset,
    await openMarket("market_1", { last: 60, accounts: 2, label: "two accounts" }),
    await openMarket("market_1", { last: 60, orders: "winning" }),
    await openMarket("edges"),
  ];
  const texts = await Promise.all(descriptions.map(async (market) => {
    return (await render(market))["text/plain"];
  }));
  await t.assertSnapshot(texts.join("\n\n"));
});

Deno.test("a local market holds every listed order, and charts name the orders of a share", async () => {
  const market = await openMarket("market_1");
  const listed = new Set(
    (await market.records()).competitions.flatMap(({ auction }) => auction.orders),
  );
  const lives = (await market.lifecycle()).toRecords();
  assertEquals(new Set(lives.map(({ order_uid: uid }) => uid)), listed);
  // By hand: 891 orders are listed, solvers bid on 673 of them, and 662 were filled.
  const [counts] = await market.sql(
    "SELECT count(*) AS orders, count_if(fill_count > 0) AS filled, count_if(NOT had_bid) AS unbid " +
      "FROM lifecycle",
  );
  assertEquals(counts, { orders: 891, filled: 662, unbid: 218 });
  const chart = timeToFill(await market.lifecycle(), market.caption);
  assertStringIncludes(chart.title, "fill: 74% of listed orders filled,");
  assertStringIncludes(
    chart.finding,
    "662 of 891 (74%) listed orders were filled, completely or in",
  );

  const bidOn = await openMarket("market_1", { orders: "bid" });
  const some = timeToFill(await bidOn.lifecycle(), bidOn.caption);
  assertStringIncludes(some.title, "fill: 98.4% of orders that solvers bid on filled,");
  assertEquals((await bidOn.lifecycle()).height, 673);

  // Of accounts, some orders are in no auction.
  const accounts = await openMarket("market_1", { accounts: 50 });
  const all = timeToFill(await accounts.lifecycle(), accounts.caption);
  assertStringIncludes(all.title, "of orders filled");
});

Deno.test("a market of a URL reads the orders with a bid, and refuses a query for others", async () => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12 });
  const { transport } = connect(sandbox);
  const url = {
    baseUrl: "http://book.example",
    deployment: sandbox.deployment,
    send: (request: Parameters<typeof transport.send>[0]) => transport.send(request),
  };
  const ofUrl = await openMarket(url, { last: 12 });
  const { ordersHeld, missing } = await ofUrl.describe();
  assertEquals(ordersHeld, "orders that solvers bid on");
  assertStringIncludes(missing.join("\n"), "Orders that nobody bid on: pass `orders: ");
  for (
    const condition of [
      "NOT had_bid",
      "not (l.had_bid)",
      "had_bid = false",
      "had_bid IS FALSE",
      "had_bid is not true",
      "had_bid <> TRUE",
    ]
  ) {
    await assertRejects(
      () => ofUrl.sql(`SELECT count(*) FROM lifecycle AS l WHERE ${condition}`),
      InputError,
      "Cannot query orders without a bid: this market does not hold them",
    );
  }
  const byBid = "SELECT had_bid, count(*) > 0 AS some FROM lifecycle GROUP BY had_bid";
  assertEquals(await ofUrl.sql(byBid), [{ had_bid: true, some: true }]);
  const unbid = "SELECT count(*) > 0 AS some FROM lifecycle WHERE NOT had_bid";
  const ofAll = await openMarket(url, { last: 12, orders: "listed" });
  const local = await openMarket(sandbox, { last: 12 });
  for (const market of [ofAll, local]) assertEquals(await market.sql(unbid), [{ some: true }]);
  assertEquals((await ofAll.lifecycle()).height, (await local.lifecycle()).height);
});

Deno.test("a market of newest auctions of a dataset counts orders whose fills it does not have", async () => {
  const market = await openMarket(dataset, { last: 60 });
  const { orders, ordersHeld, missing } = await market.describe();
  assertEquals([orders, ordersHeld], [41, "every order that an auction lists"]);
  assertStringIncludes(missing.join("\n"), "Fills of 3 orders that nobody bid on");
  // Nobody bid on it in these auctions; a later one settled it.
  const uid =
    "0x6998116e830497bc1cbf3813f2cdcc975b0244a78a9b234a75c956ae1633214a27e3adda06fa9a47c83ab55a1f4f6635fd0875b36b01b5bd";
  const [row] = await market.sql(`SELECT had_bid, gaps FROM lifecycle WHERE order_uid = '${uid}'`);
  assertEquals([row?.had_bid, /\bfills\b/.test(String(row?.gaps))], [false, true]);
});

Deno.test("a market of a dataset names tables and records that were not published", async () => {
  await withFolder(async (folder) => {
    const book = connect(await replay("market_1"));
    const some = { tables: ["orders", "trades"], debugReports: false };
    await exportDataset(book, folder, { last: 8, ...some });
    const { missing } = await (await openMarket(folder)).describe();
    assertEquals(missing.map((line) => line.split(":")[0]), [
      "Debug reports",
      "Settlements on the chain",
      "Tables that it lacks, derived here from its responses",
      "Rewards",
    ]);
  });
  await withFolder(async (folder) => {
    await exportDataset(connect(await replay("market_1")), folder, { last: 3, tables: ["orders"] });
    const market = await openMarket(folder);
    const listed = await (await openMarket("market_1", { last: 3 })).orderListings();
    assertEquals((await market.orders()).height, listed.height);
    const message = "Cannot derive fills of";
    const error = await assertRejects(() => market.fills(), Error, message);
    assertStringIncludes(error.message, "Read one of orders, or");
  });
});

Deno.test("a market has one time, and its reports the orders of its tables", async () => {
  const market = await openMarket("market_3");
  const { now, debugReports } = await market.records();
  // The latest order that had expired was valid until 04:56:50.
  assertEquals(String(now), "2026-11-22T04:56:51Z");
  const events = debugReports.flatMap(({ events }) => events.map(({ timestamp }) => timestamp));
  assertEquals(events.some((time) => Temporal.Instant.compare(time, now) > 0), false);
  const reported = new Map<unknown, unknown>();
  const lives = await market.sql("SELECT order_uid, status, status_agrees FROM lifecycle");
  assertEquals(lives.filter(({ status_agrees: agrees }) => agrees !== true), []);
  // The recording asked for the first three by themselves, while they were open, and for all of them later.
  const asked = ["0x61839c60", "0x9aa09956", "0xd1c2ee68", "0x096ac636"];
  for (const { order_uid: uid, status } of lives) {
    if (!asked.includes(String(uid).slice(0, 10))) continue;
    const report = await market.order(String(uid));
    reported.set(String(uid).slice(0, 10), [status, report.status?.reported, String(report.asOf)]);
  }
  const expired = ["expired", "expired", String(now)];
  assertEquals(asked.map((uid) => reported.get(uid)), [
    expired,
    expired,
    expired,
    ["open", "open", String(now)],
  ]);
});

Deno.test("a market's reports equal those of its order book", async () => {
  const market = await openMarket("market_1", { last: 20 });
  const [fill] = (await market.fills()).toRecords();
  const order = await market.order(String(fill?.order_uid));
  assertEquals(order.verdict, "filled");
  const transaction = await market.transaction(String(fill?.tx_hash));
  assertEquals(transaction.txHash, fill?.tx_hash);
  const auction = await market.auction(Number(fill?.auction_id));
  assertEquals(auction.isFound, true);
  const solver = await market.solver(String(fill?.solver));
  assertEquals(solver.auctions?.found, (await market.auctions()).height);
  const account = await market.account(order.order!.owner);
  assertEquals(account.account, order.order!.owner);
  assertEquals((await market.tokenFlows(String(fill?.tx_hash))).height > 0, true);
});
