import { assert, assertEquals } from "@std/assert";
import { connect } from "orderlens";
import { exportDataset, mergeDatasets, openDataset } from "orderlens/datasets";
import { records } from "orderlens/tables";
import { withFolder } from "../sandbox/temp_folder.ts";
import { recorded, rowsOf } from "./exported.ts";
import { alteredBook } from "./altered_book.ts";
import { FEW, folderBytes } from "./folder_bytes.ts";

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

Deno.test("an order stands with its first bid, however a range came together", async () => {
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
  await withFolder(async (folder) => {
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
});

Deno.test("no order stands twice in a range that grows, wherever it is stopped", async () => {
  const uidsOf = async (folder: string) =>
    (await rowsOf(folder, "orders")).map(({ order_uid }) => order_uid);
  await withFolder(async (folder) => {
    const auctions = (to: number) => ({
      auctions: { from: 1990, to },
      debugReports: false,
      tables: ["auctions", "orders", "trades"],
    });
    await exportDataset(BOOK, folder, auctions(1999));
    const unbid = new Set(await uidsOf(folder));
    let stops = 0;
    for (let isStopped = true; isStopped && stops < 20; stops++) {
      const { stopped } = await exportDataset(BOOK, folder, { ...auctions(2010), maxRequests: 8 });
      isStopped = stopped !== null;
      const uids = await uidsOf(folder);
      assertEquals(uids.length, new Set(uids).size, `after ${stops + 1} runs`);
      assert(unbid.isSubsetOf(new Set(uids)) || isStopped);
    }
    assert(stops > 2, `${stops} runs`);
    await withFolder(async (whole) => {
      await exportDataset(BOOK, whole, auctions(2010));
      assertEquals(await folderBytes(folder), await folderBytes(whole));
    });
  });
});
