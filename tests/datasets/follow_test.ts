import { connect } from "orderlens";
import { exportDataset, type ExportResult, openDataset, verifyDataset } from "orderlens/datasets";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals } from "@std/assert";
import { inFolder, withFolder } from "../sandbox/temp_folder.ts";
import { presentIn, rowsOf } from "./exported.ts";

const TABLES = ["auctions", "solutions", "trades", "blocks"];

inFolder.test("an export follows new auctions until it is stopped, and the same call goes on", async (folder) => {
  const sandbox = await openSandbox({ seed: 7, auctions: 12 });
  const book = connect(sandbox);
  const latest = async () => (await book.competition("latest")).auctionId;

  /** Follows for a number of auctions, and stops it in a phase. */
  async function followFor(ids: number, stopIn: "order" | "tables"): Promise<ExportResult> {
    const stop = new AbortController();
    const begin = await latest();
    return await exportDataset(book, folder, {
      last: 3,
      follow: true,
      node: sandbox,
      tables: TABLES,
      signal: stop.signal,
      onProgress: ({ phase }) => {
        if (phase === stopIn && sandbox.description.auctionId >= begin + ids) stop.abort();
      },
    });
  }
  const begin = await latest();
  const first = await followFor(4, "order");
  assertEquals(first.manifest.range?.from, begin - 2);
  assert(first.manifest.range!.to > begin + 1, `${first.manifest.range?.to} after ${begin}`);
  assertEquals(first.manifest.request.last, 3);

  await sandbox.advance({ auctions: 3 });
  const second = await followFor(2, "tables");
  assertEquals(second.manifest.range?.from, begin - 2);
  assert(second.manifest.range!.to > first.manifest.range!.to + 3);
  assert((await verifyDataset(folder)).isWhole);

  const auctions = await rowsOf(folder, "auctions");
  assertEquals(auctions.map((row) => row.auction_id), presentIn(second.manifest));
  assertEquals(new Set(auctions.map((row) => row.time_basis)), new Set(["block"]));

  await withFolder(async (other) => {
    const { manifest } = await exportDataset(book, other, {
      auctions: second.manifest.range!,
      tables: ["auctions"],
    });
    assertEquals(manifest.ids.present, second.manifest.ids.present);
  });
});

inFolder.test("an export that follows has every fill, and counts and dates the orders that are open", async (folder) => {
  const sandbox = await openSandbox({ seed: 11, auctions: 20 });
  const book = connect(sandbox);
  const begin = (await book.competition("latest")).auctionId;
  const stop = new AbortController();
  const { manifest } = await exportDataset(book, folder, {
    last: 10,
    follow: true,
    tables: ["auctions", "orders", "trades"],
    debugReports: false,
    signal: stop.signal,
    onProgress: ({ phase }) => {
      if (phase === "order" && sandbox.description.auctionId >= begin + 20) stop.abort();
    },
  });
  // What the deployment says of every order when the export has ended.
  const dataset = await openDataset(folder);
  const kept = new Map<string, number>();
  for await (const { orderUid } of dataset.trades()) {
    kept.set(orderUid, (kept.get(orderUid) ?? 0) + 1);
  }
  const [missing, open]: [string[], string[]] = [[], []];
  const bidOn = new Set<string>();
  for await (const { solutions } of dataset.competitions()) {
    for (const { orders } of solutions) for (const { id } of orders) bidOn.add(id);
  }
  for await (const { uid } of dataset.orders()) {
    if (!bidOn.has(uid)) continue;
    const fills = await Array.fromAsync(book.trades({ orderUid: uid }));
    if (fills.length !== (kept.get(uid) ?? 0)) missing.push(uid);
    if ((await book.order(uid)).status === "open") open.push(uid);
  }
  assertEquals(missing, []);
  assert(kept.size > 15, `${kept.size} orders with fills`);
  assert(manifest.openOrders !== undefined && manifest.openOrders.count >= open.length);
  const asked = Date.parse(manifest.openOrders.askedSince ?? "");
  assert(asked <= sandbox.now.epochMilliseconds && asked > 0, `${asked}`);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  assert(
    card.includes(`still open when asked for last, from ${manifest.openOrders.askedSince} on`),
  );
});
