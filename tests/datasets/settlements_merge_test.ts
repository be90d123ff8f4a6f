import { auditRange, auditSettlement, connect, InputError } from "orderlens";
import {
  convertDataset,
  describeDataset,
  exportDataset,
  mergeDatasets,
  openDataset,
} from "orderlens/datasets";
import { settlement } from "orderlens/evm";
import { replay } from "orderlens/recordings";
import { openSql } from "orderlens/sql";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import { inFolder } from "../sandbox/temp_folder.ts";
import { AlteredNode } from "./altered_node.ts";
import { SETTLEMENT_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import {
  contentOf,
  folderBytes,
  LATER,
  recorded,
  rowsOf,
  SETTLED,
  settledExport,
} from "./exported.ts";

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING, { clock: LATER });
const NODE = { ...SETTLED, node: RECORDING, blockTimes: false };

const whole = await settledExport();

inFolder.test("mergeDatasets() keeps each settlement once, with the most fields", async (root) => {
  const richer = new AlteredNode(RECORDING, (_, { transaction }) => transaction.nonce = "0x7");
  const auctions = { from: 2001, to: 2013 };
  await exportDataset(BOOK, `${root}/2`, { ...NODE, auctions, node: richer });
  const { items } = await mergeDatasets([whole, `${root}/2`], `${root}/all`);
  const { manifest } = await openDataset(whole);
  assertEquals(items.receipt, manifest.items.receipt);
  for (const table of SETTLEMENT_TABLES) {
    for (const { path } of manifest.files.filter(({ path }) => path.startsWith(`${table}/`))) {
      assertEquals(
        await Deno.readFile(`${root}/all/${path}`),
        await Deno.readFile(`${whole}/${path}`),
      );
    }
  }
  const merged = await openDataset(`${root}/all`);
  const found = await rowsOf(merged, "settlements");
  let nonces = 0;
  for (const { tx_hash: hash, auction_id: id } of found) {
    const [answer] = await merged.rpc([
      { method: "eth_getTransactionByHash", params: [String(hash)] },
    ]);
    const { nonce } = (answer as { result: { nonce?: string } }).result;
    assertEquals(nonce, Number(id) >= 2001 ? "0x7" : undefined);
    nonces += Number(nonce !== undefined);
  }
  assert(nonces > 3, `${nonces} of ${found.length}`);
});

inFolder.test("mergeDatasets() fills in settlements that one node lacked", async (root) => {
  const { manifest } = await openDataset(whole);
  const [{ tx_hash: hash }] = await rowsOf(whole, "settlements") as [Record<string, unknown>];
  const pruned = new AlteredNode(RECORDING, (txHash, fields) => {
    if (txHash === hash) fields.transaction = null;
  });
  const first = await exportDataset(BOOK, `${root}/1`, { ...NODE, node: pruned });
  assertEquals(first.manifest.failures.map(({ kind, key }) => [kind, key]), [["receipt", hash]]);
  const merged = await mergeDatasets([`${root}/1`, whole], `${root}/all`);
  assertEquals([merged.failures, merged.isComplete], [[], true]);
  assertEquals(merged.items, manifest.items);
  assertEquals(await contentOf(`${root}/all`), await contentOf(whole));
});

inFolder.test("mergeDatasets() rejects contradictory responses about a settlement", async (root) => {
  const other = new AlteredNode(RECORDING, (_, { receipt }) => receipt.gasUsed = "0x5208");
  const auctions = { from: 2012, to: 2012 };
  await exportDataset(BOOK, `${root}/2`, { ...NODE, auctions, node: other });
  await assertRejects(
    () => mergeDatasets([whole, `${root}/2`], `${root}/all`),
    InputError,
    "response for: receipt 0x",
  );
});

inFolder.test("Dataset.rpc serves its settlements as a recording of its responses does", async (folder) => {
  const dataset = await openDataset(whole);
  const book = connect(dataset);
  const recording = await replay(whole);
  const rows = await rowsOf(dataset, "settlements");
  const hashes = rows.map((row) => String(row.tx_hash));
  for (const hash of hashes.slice(0, 3)) {
    const wanted = await settlement(RECORDING, hash);
    assertEquals(await settlement(dataset, hash), wanted);
    assertEquals(await settlement(recording, hash), wanted);
    const competition = await book.competition(hash);
    assertEquals((await auditSettlement(dataset, hash, { competition })).differences, []);
  }
  const trades = await Array.fromAsync(dataset.trades());
  const orders = await Array.fromAsync(dataset.orders());
  const found = await Array.fromAsync(
    auditRange(dataset, dataset.competitions(), { trades, orders }),
  );
  assertEquals(found.map(({ txHash }) => txHash).sort(), hashes.toSorted());
  assertEquals(found.map(({ audit }) => audit?.differences), found.map(() => []));
  const unknown = `0x${"0f".repeat(32)}`;
  await assertRejects(() => settlement(dataset, unknown), Error, "no such");
  // It is the node of another export.
  await exportDataset(BOOK, folder, { ...NODE, node: dataset });
  assertEquals(await folderBytes(folder), await folderBytes(whole));
});

inFolder.test("tables of settlements are described, converted and queried like others", async (root) => {
  const { tables } = await describeDataset(whole);
  const count = tables.find(({ name }) => name === "settlements")!.rows;
  assertEquals(count, 8);
  await convertDataset(whole, `${root}/all.sqlite`, { format: "sqlite" });
  const database = new DatabaseSync(`${root}/all.sqlite`, { readOnly: true });
  const rows = database.prepare("SELECT tx_hash, gas_cost_atoms, solver FROM settlements").all();
  const imbalances = database.prepare("SELECT count(*) AS n FROM imbalances").get();
  database.close();
  assertEquals([rows.length, imbalances?.n], [count, count]);
  using sql = await openSql(whole);
  const [row] = await sql.query(
    `SELECT count(*) AS n, sum(gas_cost_atoms) AS gas FROM settlements
     JOIN auctions USING (chain_id, auction_id)`,
  );
  const gas = rows.reduce((sum, row) => sum + BigInt(String(row.gas_cost_atoms)), 0n);
  assertEquals([Number(row?.n), String(row?.gas)], [count, `${gas}`]);
});
