import { assert, assertEquals, assertThrows } from "@std/assert";
import { connect, InputError } from "orderlens";
import { exportDataset, openDataset, rebuildDataset, verifyDataset } from "orderlens/datasets";
import {
  bidsTable,
  feesTable,
  fillsTable,
  type Frame,
  outcomesTable,
  records,
} from "orderlens/tables";
import { groupByHex } from "orderlens/units";
import { withFolder } from "../sandbox/temp_folder.ts";
import { exported, recorded, TWO_FILES } from "./exported.ts";
import { folderBytes, LATER } from "./folder_bytes.ts";

type Row = Record<string, unknown>;

/** Times are known by file: auctions of one do not bound those of the other. */
const BY_FILE = /^(auction|fill)_time_|^(auction|filled)_at|^time_basis$|^quote_age_|^gaps$/;

const DATASET = await openDataset("market_1");

async function rowsOf(table: string, from = DATASET): Promise<Row[]> {
  return records<Row>(await from.table(table).collect());
}

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
    const own = byKey(await rowsOf(table), key);
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
  const placeOf = new Map((await rowsOf("orders")).map((row) => [row.order_uid, row]));
  assertEquals((await rowsOf("bids")).filter((row) => !placeOf.has(row.order_uid as string)), []);
});

Deno.test("each order has a life, with the auctions and bids of all files", async () => {
  const [lives, listings, bids] = await Promise.all(
    ["lifecycle", "order_listings", "bids"].map((table) => rowsOf(table)),
  );
  assertEquals(lives!.length, (await rowsOf("orders")).length);
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

Deno.test("without an end a run leaves no answers, readers say so, and the same call adds them", async () => {
  const book = connect(await recorded("market_1"), { clock: LATER });
  const whole = await exported("market_1", TWO_FILES);
  await withFolder(async (folder) => {
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
    assert((await rowsOf("trades", dataset)).length >= 0);
    const { problems } = await verifyDataset(folder);
    assert(problems.some(({ problem }) => problem.includes("not derived yet")));
    await exportDataset(book, folder, TWO_FILES);
    assertEquals(await folderBytes(folder), await folderBytes(whole));
    assertEquals((await verifyDataset(folder)).isWhole, true);
    await Deno.remove(`${folder}/fills`, { recursive: true });
    await rebuildDataset(folder);
    assertEquals(await folderBytes(folder), await folderBytes(whole));
  });
});

Deno.test("answers alone need no table of records, and are the same", async () => {
  const book = connect(await recorded("market_1"));
  const auctions = { from: 1990, to: 2049 };
  await withFolder(async (folder) => {
    const tables = ["fills", "rewards", "lifecycle"];
    const { manifest } = await exportDataset(book, folder, { auctions, tables });
    assertEquals(manifest.derived === null, false);
    assertEquals((await verifyDataset(folder)).problems, []);
    const dataset = await openDataset(folder);
    for (const table of tables) {
      assertEquals(await rowsOf(table, dataset), await rowsOf(table), table);
    }
  });
});

Deno.test("a week that spans files has one row a solver, as from all auctions at once", async () => {
  const rewards = await rowsOf("rewards");
  const weeks = rewards.map(({ week_start, solver }) => `${week_start} ${solver}`);
  assertEquals(new Set(weeks).size, weeks.length);
  // The market of two files is within one week.
  assertEquals(new Set(rewards.map(({ week_start }) => week_start)).size, 1);
  const outcomes = await rowsOf("outcomes");
  for (const { solver, auctions_bid, winning_count, in_time, margin_atoms } of rewards) {
    const own = outcomes.filter((row) => row.solver === solver);
    assertEquals(auctions_bid, new Set(own.map(({ auction_id }) => auction_id)).size);
    assertEquals(winning_count, own.filter(({ is_winner }) => is_winner === true).length);
    assertEquals(in_time, own.filter(({ outcome }) => outcome === "in_time").length);
    const margin = own.reduce((sum, row) => sum + BigInt(String(row.margin_atoms ?? 0)), 0n);
    assertEquals(margin_atoms, String(margin));
  }
});
