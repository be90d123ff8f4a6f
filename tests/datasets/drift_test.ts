import { assert, assertEquals } from "@std/assert";
import { describeDataset, describeText, exportDataset, rebuildDataset } from "orderlens/datasets";
import { openMarket } from "orderlens/market";
import { openSql } from "orderlens/sql";
import { readManifest } from "../../lib/datasets/layout/manifest.ts";
import { DatasetPaths } from "../../lib/datasets/layout/files.ts";
import { DriftCounter } from "../../lib/datasets/shards/shard_records.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { alteredBook, TestClock } from "./altered_book.ts";
import { exported, LATER, recorded, rowsOf } from "./exported.ts";

const RECORDING = await recorded("market_1");
const WANTED = {
  auctions: { from: 2_610, to: 2_624 },
  tables: ["auctions", "solutions", "orders", "trades", "protocol_fees", "fees"],
};
const altered = (alter: Parameters<typeof alteredBook>[1]) =>
  alteredBook(RECORDING, alter, new TestClock(LATER.now()));

inFolder.test("a field that responses no longer have is counted in manifest, card, description and SQL", async (folder) => {
  const trades = (await rowsOf(await exported("market_1", WANTED), "trades")).length;
  const book = altered((path, body) => {
    for (const trade of path.startsWith("/api/v2/trades?") ? body : []) {
      delete trade.executedProtocolFees;
    }
  });
  const { manifest } = await exportDataset(book, folder, WANTED);
  const missing = {
    kind: "trade",
    path: "executedProtocolFees",
    since: "2024-10-01",
    count: trades,
  };
  assertEquals(manifest.drift.missingFields, [missing]);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  const row = `| trade | \`executedProtocolFees\` | missing, sent since 2024-10-01 | ${trades} |`;
  assert(card.includes(row), card);

  const sentence = "Responses lack fields that they had before, whose columns are null: " +
    `trade executedProtocolFees, sent since 2024-10-01 (${trades} times)`;
  const text = describeText(await describeDataset(folder), { columns: 400 });
  assert(text.includes(`\nDrift\n  ${sentence}\n`), text);
  using sql = await openSql(folder);
  assertEquals(sql.warnings.map((line) => line.slice(-sentence.length)), [sentence]);
  const market = await openMarket(folder);
  assert((await market.describe()).missing.includes(`${sentence}.`));
});

inFolder.test("unreadable members of app data are counted, and only their columns are null", async (folder) => {
  let uid = "";
  const book = altered((path, body) => {
    if (path !== "/api/v1/orders/by_uids") return;
    for (const { order } of body) {
      if (uid !== "" && order.uid !== uid || !order.fullAppData?.includes("appCode")) continue;
      uid = order.uid;
      const document = JSON.parse(order.fullAppData);
      document.metadata = { ...document.metadata, orderClass: "market", hooks: 7 };
      order.fullAppData = JSON.stringify(document);
    }
  });
  const { manifest } = await exportDataset(book, folder, WANTED);
  assertEquals(manifest.drift.unreadableMembers, [
    { kind: "order_by_uid", path: "order.fullAppData.metadata.hooks", count: 1 },
    { kind: "order_by_uid", path: "order.fullAppData.metadata.orderClass", count: 1 },
  ]);
  const row = (await rowsOf(folder, "orders")).find((order) => order.order_uid === uid);
  assert(row !== undefined && row.app_code !== null);
  assertEquals([row.order_class, row.hook_count], [null, null]);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  const line = "| order_by_uid | `order.fullAppData.metadata.hooks` | cannot be read | 1 |";
  assert(card.includes(line), card);
  assertEquals((await rebuildDataset(folder)).drift, manifest.drift);
});

Deno.test("DriftCounter.sum() counts no field that responses did not have yet", () => {
  const counter = new DriftCounter();
  const exchange = {
    method: "GET",
    path: `/api/v2/trades?orderUid=0x${"ab".repeat(56)}`,
    status: 200,
    contentType: "application/json",
    responseBody: "",
  };
  counter.add(exchange, [{ blockNumber: 1, logIndex: 2 }, { blockNumber: 1, logIndex: 3 }]);
  const missingAt = (time: string) =>
    counter.sum(Temporal.Instant.from(time)).missingFields.map(({ path, count }) => [path, count]);
  assertEquals(missingAt("2024-09-30T23:59:59Z"), []);
  assertEquals(missingAt("2024-10-01T00:00:00Z"), [["executedProtocolFees", 2]]);
});

inFolder.test("readManifest() reads a manifest of an earlier version with fewer kinds of drift", async (folder) => {
  await exportDataset(altered(() => {}), folder, WANTED);
  const file = `${folder}/manifest.json`;
  const manifest = JSON.parse(await Deno.readTextFile(file));
  manifest.drift = { unknownFields: [], unknownValues: [] };
  await Deno.writeTextFile(file, JSON.stringify(manifest));
  assertEquals((await readManifest(new DatasetPaths(folder))).drift, {
    unknownFields: [],
    unknownValues: [],
    unreadableMembers: [],
    missingFields: [],
  });
});

inFolder.test("partners has every fee of a partner whose document is odd elsewhere, and counts unknown ones", async (root) => {
  const paid = { auctions: { from: 2_010, to: 2_050 }, tables: ["fees"] };
  const QUERY = `SELECT app_code, recipient, fills, fees_atoms, unknown_count
    FROM partners ORDER BY app_code, recipient`;
  const exportAltered = async (
    name: string,
    alter: (metadata: Record<string, unknown>) => void,
  ) => {
    const book = altered((path, body) => {
      if (path !== "/api/v1/orders/by_uids") return;
      for (const { order } of body) {
        if (!order.fullAppData?.includes("partnerFee")) continue;
        const document = JSON.parse(order.fullAppData);
        alter(document.metadata);
        order.fullAppData = JSON.stringify(document);
      }
    });
    await exportDataset(book, `${root}/${name}`, paid);
    using sql = await openSql(`${root}/${name}`);
    return await sql.query(QUERY);
  };
  const expected = [
    ["Bot", 2, 74_271_215_578_373n + 0n],
    ["Explorer", 1, 5_607_720_841_750_653n],
    ["Orderlens market", 2, 265_289_207_809_186n + 459_863_906_867_934n],
    ["Orderlens market", 2, 177_036_508_381_171n + 306_882_820_732_689n],
  ];
  const rows = await exportAltered("odd", (metadata) => {
    Object.assign(metadata, { orderClass: "market", quote: 7, signer: null });
  });
  assertEquals(
    rows.map((row) => [row.app_code, row.fills, BigInt(String(row.fees_atoms))]),
    expected,
  );
  assertEquals(rows.map((row) => row.unknown_count), [0, 0, 0, 0]);

  // Of a fill with a fee that may be a partner's, every fee may be.
  const unknown = await exportAltered("unknown", (metadata) => {
    metadata.partnerFee = "1 %";
  });
  assertEquals(
    unknown.map((
      row,
    ) => [row.app_code, row.recipient, row.fills, row.fees_atoms, row.unknown_count]),
    [
      ["Bot", null, 2, null, 6],
      ["Explorer", null, 1, null, 3],
      ["Orderlens market", null, 2, null, 8],
    ],
  );
});

inFolder.test("pairs has the bids whose tokens are not known in rows without tokens", async (folder) => {
  const jitUid = `0x${"77".repeat(56)}`;
  let solver = "";
  let auctionId = 0;
  const book = altered((_, body) => {
    if (body.solutions === undefined || (solver !== "" && body.auctionId !== auctionId)) return;
    auctionId = body.auctionId;
    const [solution] = body.solutions;
    solver = solution.solverAddress;
    const { sellAmount, buyAmount } = solution.orders[0];
    solution.orders.push({ id: jitUid, sellAmount, buyAmount });
  });
  await exportDataset(book, folder, { auctions: { from: 2_622, to: 2_624 }, tables: ["bids"] });
  using sql = await openSql(folder);
  const rows = await sql.query(
    "SELECT solver, sell_token, buy_token, bids FROM pairs WHERE sell_token IS NULL",
  );
  assertEquals(rows, [{ solver, sell_token: null, buy_token: null, bids: 1 }]);
});
