import { assert, assertEquals, assertRejects, assertThrows } from "@std/assert";
import { connect, InputError } from "orderlens";
import { exportDataset, openDataset, verifyDataset } from "orderlens/datasets";
import {
  BIDS,
  buildTable,
  FEES,
  FILLS,
  type Frame,
  LIFECYCLE,
  NATIVE_PRICES,
  OUTCOMES,
  REWARDS,
} from "orderlens/tables";
import { groupByHex } from "orderlens/units";
import { inFolder } from "../sandbox/temp_folder.ts";
import {
  crossingExport,
  exported,
  FEW,
  folderBytes,
  LATER,
  parted,
  recorded,
  rowsOf,
  TWO_FILES,
} from "./exported.ts";

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

/** Compares the answers of a dataset with those that follow from all of its records at once. */
async function compareAnswers(folder: string, except?: string): Promise<void> {
  const dataset = await openDataset(folder);
  const [orders, trades, debugReports, competitions] = await Promise.all([
    Array.fromAsync(dataset.orders()),
    Array.fromAsync(dataset.trades()),
    Array.fromAsync(dataset.debugReports()),
    Array.fromAsync(dataset.competitions()),
  ]);
  const tokens = dataset.deployment.tokens ?? [];
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
  // A life counts the auctions of the dataset alone.
  const ids = new Set(competitions.map(({ auctionId }) => auctionId));
  const lives = gathered.map(({ debugReport, ...one }) => ({
    ...one,
    // Fills of orders without a bid here were not asked for.
    trades: one.order.executedBuyAmount > 0n && one.trades.length === 0 ? null : one.trades,
    debugReport: debugReport && {
      ...debugReport,
      auctions: debugReport.auctions.filter(({ id }) => ids.has(id)),
    },
  }));
  const { times } = await dataset.recent({ auctions: 4 });
  const now = Temporal.Instant.from("2027-01-01T00:00:00Z");
  const expected: readonly [table: string, key: string[], frame: Frame][] = [
    ["fills", fill, buildTable(FILLS, { records: gathered, ...known, competitions })],
    [
      "fees",
      [...fill, "position"],
      buildTable(FEES, { records: gathered, ...known, competitions }),
    ],
    [
      "bids",
      ["auction_id", "ranking", "order_uid"],
      buildTable(BIDS, { competitions, ...known, orders, trades }),
    ],
    [
      "outcomes",
      ["auction_id", "ranking"],
      buildTable(OUTCOMES, { competitions, trades, debugReports }),
    ],
    [
      "lifecycle",
      ["order_uid"],
      buildTable(LIFECYCLE, { evidence: lives, ...known, now, competitions }),
    ],
    [
      "native_prices",
      ["auction_id", "token"],
      buildTable(NATIVE_PRICES, { competitions, ...known }),
    ],
    // Both files are within one week.
    [
      "rewards",
      ["week_start", "solver"],
      buildTable(REWARDS, { competitions, orders, trades, debugReports, times }),
    ],
  ];
  for (const [table, key, frame] of expected) {
    if (table === except || !dataset.tables.includes(table)) continue;
    const own = byKey(await rowsOf(dataset, table), key);
    assert(own.size > 0);
    assertEquals(
      own,
      new Map([...byKey(frame.toRecords(), key)].sort(
        ([a], [b]) => [...own.keys()].indexOf(a) - [...own.keys()].indexOf(b),
      )),
      table,
    );
  }
}

Deno.test("deriveTables() derives each file as from all records at once", async () => {
  await compareAnswers((await crossingExport()).folder);
});

inFolder.test("an interrupted run leaves no derived tables, readers report it, and the same call adds them", async (folder) => {
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
  assert(problems.some(({ problem }) => problem.includes("derived tables are missing")));
  await exportDataset(book, folder, TWO_FILES);
  assertEquals(await folderBytes(folder), await folderBytes(whole));
});

inFolder.test("derived tables are the same without tables of records and reports", async (folder) => {
  const { book, options: { auctions } } = await crossingExport();
  const tables = ["fills", "lifecycle", "rewards"];
  const { manifest } = await exportDataset(book, folder, { auctions, tables, debugReports: false });
  assertEquals(manifest.derived === null, false);
  assertEquals((await verifyDataset(folder)).problems, []);
  // Without reports, times of a life are known by file too.
  await compareAnswers(folder, "lifecycle");
  await assertRejects(() => rowsOf(folder, "orders"), InputError, "orders");
});

Deno.test("lifecycle has a row per listed order, with whether it had a bid", async () => {
  const [listed, bidOn] = [new Set<unknown>(), new Set<unknown>()];
  const book = connect(await recorded("market_1"));
  for (const auctionId of await DATASET.auctionIds()) {
    const { auction, solutions } = await book.competition(auctionId);
    for (const uid of auction.orders) listed.add(uid);
    for (const { orders } of solutions) for (const { id } of orders) bidOn.add(id);
  }
  // Counted in the recording: 41 are listed, and 37 of them are in a solution.
  assertEquals([listed.size, bidOn.size], [41, 37]);
  const rows = await rowsOf(DATASET, "lifecycle");
  assertEquals(
    rows.map(({ order_uid, had_bid }) => [order_uid, had_bid]).sort(),
    [...listed.union(bidOn)].map((uid) => [uid, bidOn.has(uid)]).sort(),
  );
  const uidsOf = (some: readonly Row[]) => some.map(({ order_uid }) => order_uid).sort();
  assertEquals(uidsOf(await rowsOf(DATASET, "orders")), uidsOf(rows));
  // Three were filled by auctions behind the range: their fills are missing, not none.
  const behind = rows.filter(({ had_bid, gaps }) => !had_bid && String(gaps).includes("fills"));
  assertEquals(behind.map(({ fill_count }) => fill_count), [null, null, null]);
  // Of orders without a report, nothing says how many events and attempts they had.
  const unreported = rows.filter(({ had_bid }) => !had_bid);
  assertEquals(
    new Set(unreported.map((row) => [row.event_count, row.failed_attempt_count].join())),
    new Set([","]),
  );
  for await (const { orderUid } of DATASET.trades()) assert(bidOn.has(orderUid));
});

inFolder.test("an export has each order once, with its first bid, however its range grows and wherever it stops", async (folder) => {
  const { book, options: { auctions } } = await crossingExport();
  const options = { auctions, tables: [...FEW, "lifecycle"] };
  const whole = `${folder}/whole`;
  await exportDataset(book, whole, options);
  const one = `${folder}/one`;
  const uidsOf = async (folder: string, table: string, hadBid?: boolean) =>
    (await rowsOf(folder, table)).filter(({ had_bid }) => had_bid === hadBid)
      .map(({ order_uid }) => order_uid);
  await exportDataset(book, one, { ...options, auctions: parted(auctions)[0]! });
  const unbid = new Set(await uidsOf(one, "lifecycle", false));
  // Solvers bid on some of them in an auction of the other file.
  const waiting = unbid.intersection(new Set(await uidsOf(whole, "lifecycle", true)));
  assert(waiting.size > 0);
  let stops = 0;
  for (let isStopped = true; isStopped; stops++) {
    assert(stops < 40, "it ends");
    const { stopped } = await exportDataset(book, one, { ...options, maxRequests: 3 });
    isStopped = stopped !== null;
    const uids = await uidsOf(one, "orders");
    assertEquals(uids.length, new Set(uids).size, `after ${stops + 1} runs`);
    assert(unbid.isSubsetOf(new Set(uids)) || isStopped);
  }
  assert(stops > 2, `${stops} runs`);
  assertEquals(await folderBytes(one), await folderBytes(whole));
});
