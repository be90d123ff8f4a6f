import { assert, assertEquals, assertThrows } from "@std/assert";
import { connect, InputError } from "orderlens";
import { exportDataset, mergeDatasets, openDataset, verifyDataset } from "orderlens/datasets";
import {
  bidsTable,
  feesTable,
  fillsTable,
  type Frame,
  outcomesTable,
  records,
} from "orderlens/tables";
import { groupByHex } from "orderlens/units";
import { inFolder } from "../sandbox/temp_folder.ts";
import {
  exported,
  exportedOnce,
  FEW,
  folderBytes,
  LATER,
  recorded,
  rowsOf,
  TWO_FILES,
} from "./exported.ts";
import { alteredBook } from "./altered_book.ts";

type Row = Record<string, unknown>;

/** Times are known by file: auctions of one do not bound those of the other. */
const BY_FILE = /^(auction|fill)_time_|^(auction|filled)_at|^time_basis$|^quote_age_|^gaps$/;

const DATASET = await openDataset("market_1");

/** Rows by key, without what depends on the file, says where a row is from, or is a dataset's alone. */
function byKey(rows: readonly Row[], key: readonly string[]): Map<string, Row> {
  return new Map(rows.map((row) => [
    key.map((name) => row[name]).join(" "),
    Object.fromEntries(
      Object.entries(row).filter(([name]) =>
        !BY_FILE.test(name) && !name.endsWith("_utc") &&
        !["network", "environment", "chain_id"].includes(name)
      ),
    ),
  ]));
}

Deno.test("answers of files know what the others have: as from all records at once", async () => {
  const [orders, trades, debugReports, competitions] = await Promise.all([
    Array.fromAsync(DATASET.orders()),
    Array.fromAsync(DATASET.trades()),
    Array.fromAsync(DATASET.debugReports()),
    Array.fromAsync(DATASET.competitions()),
  ]);
  const tokens = DATASET.deployment.tokens ?? [];
  const known = {
    decimals: new Map(tokens.map(({ address, decimals }) => [address, decimals])),
    symbols: new Map(tokens.map(({ address, symbol }) => [address, symbol])),
  };
  const tradesOf = groupByHex(trades, ({ orderUid }) => orderUid);
  const reportOf = new Map(debugReports.map((one) => [one.orderUid, one]));
  const gathered = orders.map((order) => ({
    order,
    trades: tradesOf.get(order.uid) ?? [],
    debugReport: reportOf.get(order.uid),
  }));
  const fill = ["block_number", "log_index"];
  const expected: readonly [table: string, key: string[], frame: Frame][] = [
    ["fills", fill, fillsTable(gathered, { ...known, competitions })],
    ["fees", [...fill, "position"], feesTable(gathered, { ...known, competitions })],
    [
      "bids",
      ["auction_id", "ranking", "order_uid"],
      bidsTable(competitions, { ...known, orders, trades }),
    ],
    ["outcomes", ["auction_id", "ranking"], outcomesTable(competitions, { trades, debugReports })],
  ];
  for (const [table, key, frame] of expected) {
    const own = byKey(await rowsOf(DATASET, table), key);
    assert(own.size > 0);
    assertEquals(
      own,
      new Map([...byKey(frame.toRecords(), key)].sort(
        ([a], [b]) => [...own.keys()].indexOf(a) - [...own.keys()].indexOf(b),
      )),
      table,
    );
  }
  // Both files have bids on orders that stand in the other.
  const placeOf = new Map((await rowsOf(DATASET, "orders")).map((row) => [row.order_uid, row]));
  assertEquals(
    (await rowsOf(DATASET, "bids")).filter((row) => !placeOf.has(row.order_uid as string)),
    [],
  );
});

Deno.test("each order has a life, with the auctions and bids of all files", async () => {
  const [lives, listings, bids] = await Promise.all(
    ["lifecycle", "order_listings", "bids"].map((table) => rowsOf(DATASET, table)),
  );
  assertEquals(lives!.length, (await rowsOf(DATASET, "orders")).length);
  for (const life of lives!) {
    const own = bids!.filter(({ order_uid }) => order_uid === life.order_uid);
    assertEquals([life.bid_count, life.had_bid], [own.length, own.length > 0]);
    const intervals = listings!.filter(({ order_uid }) => order_uid === life.order_uid);
    const isListed = (id: number) =>
      intervals.some((one) =>
        Number(one.first_auction_id) <= id && id <= Number(one.last_auction_id)
      );
    const unlisted = new Set(
      own.map(({ auction_id }) => Number(auction_id)).filter((id) => !isListed(id)),
    );
    const listed = intervals.reduce((sum, one) => sum + Number(one.auction_count), 0);
    assertEquals(life.auction_count, listed + unlisted.size);
    assertEquals(life.status_agrees, true);
  }
});

inFolder.test("without an end a run leaves no answers, readers say so, and the same call adds them", async (folder) => {
  const book = connect(await recorded("market_1"), { clock: LATER });
  const whole = await exported("market_1", TWO_FILES);
  const stop = new AbortController();
  // It ends after the tables of the first file are in place.
  await exportDataset(book, folder, {
    ...TWO_FILES,
    signal: stop.signal,
    onProgress: ({ phase }) => {
      if (phase === "tables") stop.abort();
    },
  }).catch(() => {});
  const dataset = await openDataset(folder);
  assertEquals(dataset.manifest.derived, null);
  const { message } = assertThrows(() => dataset.table("fills"), InputError);
  assert(message.includes("Run the same export again"));
  await rowsOf(dataset, "trades");
  const { problems } = await verifyDataset(folder);
  assert(problems.some(({ problem }) => problem.includes("not derived yet")));
  await exportDataset(book, folder, TWO_FILES);
  assertEquals(await folderBytes(folder), await folderBytes(whole));
  assertEquals((await verifyDataset(folder)).isWhole, true);
});

inFolder.test("answers alone need no table of records, and are the same", async (folder) => {
  const book = connect(await recorded("market_1"));
  const auctions = { from: 1990, to: 2049 };
  const tables = ["fills", "rewards", "lifecycle"];
  const { manifest } = await exportDataset(book, folder, { auctions, tables });
  assertEquals(manifest.derived === null, false);
  assertEquals((await verifyDataset(folder)).problems, []);
  const dataset = await openDataset(folder);
  for (const table of tables) {
    assertEquals(await rowsOf(dataset, table), await rowsOf(DATASET, table), table);
  }
});

Deno.test("a week that spans files has one row a solver, as from all auctions at once", async () => {
  const rewards = await rowsOf(DATASET, "rewards");
  const weeks = rewards.map(({ week_start, solver }) => `${week_start} ${solver}`);
  assertEquals(new Set(weeks).size, weeks.length);
  // The market of two files is within one week.
  assertEquals(new Set(rewards.map(({ week_start }) => week_start)).size, 1);
  const outcomes = await rowsOf(DATASET, "outcomes");
  for (const { solver, auctions_bid, winning_count, in_time, margin_atoms } of rewards) {
    const own = outcomes.filter((row) => row.solver === solver);
    assertEquals(auctions_bid, new Set(own.map(({ auction_id }) => auction_id)).size);
    assertEquals(winning_count, own.filter(({ is_winner }) => is_winner === true).length);
    assertEquals(in_time, own.filter(({ outcome }) => outcome === "in_time").length);
    const margin = own.reduce((sum, row) => sum + BigInt(String(row.margin_atoms ?? 0)), 0n);
    assertEquals(margin_atoms, String(margin));
  }
});

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING);

/** UIDs that auctions list, and those that a solution of theirs contains. */
async function listedIn(ids: readonly number[]) {
  const [listed, bidOn] = [new Set<string>(), new Set<string>()];
  for (const id of ids) {
    const { auction, solutions } = await BOOK.competition(id);
    for (const uid of auction.orders) listed.add(uid);
    for (const { orders } of solutions) for (const { id } of orders) bidOn.add(id);
  }
  return { listed, bidOn };
}

Deno.test("every listed order has a row that says whether it had a bid", async () => {
  const dataset = await openDataset("market_1");
  const { listed, bidOn } = await listedIn(await dataset.auctionIds());
  // Counted in the recording: 41 are listed, and 37 of them are in a solution.
  assertEquals([listed.size, bidOn.size], [41, 37]);
  const rows = records<{ order_uid: string; had_bid: boolean; fill_count: number; gaps: string }>(
    await dataset.table("lifecycle").collect(),
  );
  assertEquals(
    rows.map(({ order_uid, had_bid }) => [order_uid, had_bid]).sort(),
    [...listed.union(bidOn)].map((uid) => [uid, bidOn.has(uid)]).sort(),
  );
  const orders = records<{ order_uid: string }>(await dataset.table("orders").collect());
  assertEquals(
    orders.map(({ order_uid }) => order_uid).sort(),
    rows.map(({ order_uid }) => order_uid).sort(),
  );
  // Three were filled by auctions behind the range: their fills are missing, not none.
  const behind = rows.filter(({ had_bid, gaps }) => !had_bid && gaps.includes("fills"));
  assertEquals(behind.map(({ fill_count }) => fill_count), [0, 0, 0]);
  for await (const { orderUid } of dataset.trades()) assert(bidOn.has(orderUid));
});

inFolder.test("an order stands with its first bid, however a range came together", async (folder) => {
  const [first, second] = [1999, 2000];
  const { bidOn } = await listedIn([first, second]);
  const inFirst = (await listedIn([first])).bidOn;
  const waiting = [...bidOn].filter((uid) => !inFirst.has(uid));
  assert(waiting.length > 0);
  // Of the first auction: orders that solvers bid on, there or in the second one, which has a file of its own.
  const book = alteredBook(RECORDING, (path, body) => {
    if (path.endsWith(`/${first}`)) body.auction.orders = [...inFirst, ...waiting];
    if (path.endsWith(`/${second}`)) body.auction.orders = [...bidOn];
  });
  const tables = [...FEW, "app_data", "order_listings", "lifecycle"];
  const ids = (from: number, to = from) => ({ auctions: { from, to }, tables });
  const place = (name: string) => `${folder}/${name}`;
  await exportDataset(book, place("whole"), ids(first, second));
  const whole = await folderBytes(place("whole"));
  assertEquals([...whole.keys()].filter((path) => path.includes("unbid")), []);
  await exportDataset(book, place("grown"), ids(first));
  const before = await openDataset(place("grown"));
  const unbid = await before.sql("SELECT order_uid FROM lifecycle WHERE NOT had_bid");
  assertEquals(
    records<{ order_uid: string }>(await unbid.collect()).map((row) => row.order_uid).sort(),
    waiting.sort(),
  );
  await exportDataset(book, place("second"), ids(second));
  await mergeDatasets([place("grown"), place("second")], place("merged"));
  await exportDataset(book, place("grown"), ids(first, second));
  assertEquals(await folderBytes(place("grown")), whole);
  const merged = await folderBytes(place("merged"));
  assertEquals([...merged.keys()].sort(), [...whole.keys()].sort());
  for (const [path, sha256] of whole) {
    if (path.includes("/")) assertEquals(merged.get(path), sha256, path);
  }
});

inFolder.test("no order stands twice in a range that grows, wherever it is stopped", async (folder) => {
  const uidsOf = async (folder: string) =>
    (await rowsOf(folder, "orders")).map(({ order_uid }) => order_uid);
  const auctions = (to: number) => ({
    auctions: { from: 1990, to },
    debugReports: false,
    tables: ["auctions", "orders", "trades"],
  });
  await exportDataset(BOOK, folder, auctions(1999));
  const unbid = new Set(await uidsOf(folder));
  let stops = 0;
  // Many of these ids have no auction: a few requests a run are enough.
  for (let isStopped = true; isStopped; stops++) {
    assert(stops < 40, "it ends");
    const { stopped } = await exportDataset(BOOK, folder, { ...auctions(2010), maxRequests: 5 });
    isStopped = stopped !== null;
    const uids = await uidsOf(folder);
    assertEquals(uids.length, new Set(uids).size, `after ${stops + 1} runs`);
    assert(unbid.isSubsetOf(new Set(uids)) || isStopped);
  }
  assert(stops > 2, `${stops} runs`);
  assertEquals(await folderBytes(folder), (await exportedOnce(BOOK, auctions(2010))).bytes);
});
