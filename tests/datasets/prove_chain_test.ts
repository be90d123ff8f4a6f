import { auditSettlement, InputError } from "orderlens";
import {
  type ChainProof,
  exportDataset,
  verifyDataset,
  type VerifyOptions,
} from "orderlens/datasets";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl from "nodejs-polars";
import { DatasetPaths } from "../../lib/datasets/layout/files.ts";
import { readManifest } from "../../lib/datasets/layout/manifest.ts";
import { ChainTally, compareRows } from "../../lib/datasets/reading/chain_rows.ts";
import { HexMap } from "../../lib/units/mod.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { storedRun } from "../stored_run.ts";
import { alteredBook } from "./altered_book.ts";
import { AlteredNode, type SettlementFields } from "./altered_node.ts";
import { crossingExport, exported, inCopyOf, recorded, settledExport } from "./exported.ts";
import { rewriteTable } from "./rewrite_table.ts";

type Row = Record<string, unknown>;

const IS_HASH = /^0x[0-9a-f]{64}$/;
const RECORDING = await recorded("market_1");
const SHARD = "0000002000-0000002999";

const whole = await settledExport();

const inCopy = inCopyOf(() => whole);

async function proofOf(folder: string, options: VerifyOptions = {}): Promise<ChainProof> {
  const { chain } = await verifyDataset(folder, { chain: RECORDING, ...options });
  assert(chain !== null);
  return chain;
}

function kindsOf({ differences }: ChainProof): Record<string, number> {
  return Object.fromEntries(differences.map(({ kind, count }) => [kind, count]));
}

Deno.test("proveChain() proves a dataset without stored responses by those of the node", async () => {
  const auctions = { from: 985, to: 1011 };
  const recording = await recorded("market_3");
  const tables = ["solutions", "orders", "trades", "protocol_fees"];
  const folder = await exported("market_3", { auctions, tables, debugReports: false });
  const { isWhole, chain } = await verifyDataset(folder, { chain: recording });
  assertEquals(isWhole, true);
  const { settlements, order_execution } = await storedRun("market_3");
  const isWithin = (one: { auction_id: number }) =>
    auctions.from <= one.auction_id && one.auction_id <= auctions.to;
  assertEquals(chain!.settlements, settlements.filter(isWithin).length);
  assertEquals([chain!.kept, chain!.agreeing], [0, 0]);
  assertEquals([chain!.changed, chain!.notAudited, chain!.differences], [[], {}, []]);
  const trades = order_execution.filter(isWithin);
  assertEquals(chain!.trades, trades.length);
  // Each trade has a row of fills, one of its order and one of a solution, or more.
  assert(chain!.rows >= 3 * trades.length, `${chain!.rows} rows`);
});

Deno.test("proveChain() finds orders and fills in the file of an earlier auction", async () => {
  const { folder } = await crossingExport();
  const settlements = pl.readParquet(`${folder}/settlements/${SHARD}.parquet`).toRecords();
  const apart = /The orders of \d of \d trades are not in the file|No orders were passed/;
  assertEquals(settlements.map(({ unverified }) => apart.test(`${unverified}`)), [true, true]);
  const proof = await proofOf(folder);
  // The calldata names the auction that each is of, under the id that it was recorded with.
  assertEquals(kindsOf(proof), { other_auction: 4 });
  assert(proof.rows >= 16, `${proof.rows} rows`);
});

/** What is changed in the rows of a table, of which some are of the chain. */
const FALSE_ROWS: Readonly<Record<string, (rows: Row[]) => void>> = {
  trades(rows) {
    rows[0]!.sell_amount_atoms = "7";
    rows[2]!.log_index = 999;
    rows.pop();
  },
  solutions: (rows) => rows.find(({ tx_hash: hash }) => hash !== null)!.is_winner = false,
  orders: (rows) => rows.find((row) => row.executed_fee_atoms !== "0")!.executed_fee_atoms = "1",
  protocol_fees(rows) {
    rows[0]!.fee_atoms = `${10n ** 30n}`;
    // Of another log, and of another order in the same one: neither is a fee of that trade.
    const other = rows.find(({ order_uid: uid }) => uid !== rows[0]!.order_uid)!;
    rows.push({ ...rows[0]!, log_index: 998, fee_atoms: `${10n ** 32n}` });
    rows.push({ ...rows[0]!, order_uid: other.order_uid, fee_atoms: `${10n ** 33n}` });
  },
  settlements: (rows) => rows[0]!.gas_used = "1",
};

inCopy.test("proveChain() reports exactly the rows that differ from the chain", async (folder) => {
  for (const [table, change] of Object.entries(FALSE_ROWS)) {
    await rewriteTable(folder, `${table}/${SHARD}.parquet`, (frame) => {
      const rows = frame.toRecords() as Row[];
      change(rows);
      const schema = Object.fromEntries(
        frame.getColumns().map(({ name, dtype }) => [name, dtype]),
      );
      return pl.DataFrame(rows, { schema }).select(...frame.columns);
    });
  }
  const { differences } = await proofOf(folder);
  const found = differences.flatMap(({ kind, first }) =>
    first.map(({ onChain, reported }) => `${kind}: ${onChain}; ${reported}`)
  );
  const cases = [
    /^table_fee: \d+; 1$/,
    /^table_fee: \d+ of all fees; \d{31} of protocol fees$/,
    /^table_fee: no event; 10{32} of protocol fees of 0x\w{112}, log 998$/,
    /^table_fee: no event; 10{33} of protocol fees of 0x\w{112}, log \d+$/,
    /^table_settlement: block \d+, .+ gas \d{2,} at .+; block \d+, .+ gas 1 at /,
    /^table_trade: no event; .+ log 999$/,
    /^table_trade: .+ sold \d{2,}, .+; .+ sold 7, /,
    // The one whose row has another log index, and the last.
    /^table_trade: .+ sold .+; no row$/,
    /^table_trade: .+ sold .+; no row$/,
    /^table_winner: winner 0x.+; no winner 0x/,
  ];
  for (const expected of cases) {
    const place = found.findIndex((text) => expected.test(text));
    assert(place !== -1, `${expected} in ${found.join("\n")}`);
    found.splice(place, 1);
  }
  assertEquals(found, []);
  assert(differences.every(({ first }) => first.every(({ txHash }) => IS_HASH.test(txHash))));
});

Deno.test("compareRows() compares no rows of trades with a settlement whose calldata is unknown", async () => {
  const paths = new DatasetPaths(whole);
  const [row] = pl.readParquet(`${whole}/settlements/${SHARD}.parquet`).toRecords();
  const txHash = String(row!.tx_hash);
  const audit = {
    ...await auditSettlement(RECORDING, txHash),
    isDecoded: false,
    trades: [],
  };
  const tally = new ChainTally();
  await compareRows(
    { paths, manifest: await readManifest(paths), name: SHARD },
    [{ txHash, auctionId: audit.auctionId, audit, why: null, isKept: true }],
    {
      reported: { orders: new HexMap(), trades: [], answeredFills: new Set() },
      tally,
    },
  );
  // The row counts the trades, which this audit does not know.
  const [found, ...others] = tally.result();
  assertEquals([found!.kind, found!.count, others], ["table_settlement", 1, []]);
  const [place] = found!.first;
  assertStringIncludes(place!.onChain, ", an unknown number of trades, gas ");
  assertStringIncludes(place!.reported, `, ${row!.trade_count} trades, gas `);
});

inFolder.test("proveChain() reports every record that differs from the chain", async (folder) => {
  const [settled] = pl.readParquet(`${whole}/trades/${SHARD}.parquet`).toRecords();
  const book = alteredBook(RECORDING, (path, body) => {
    // The fill is asked for with those of its account, and alone: the lie is the same in both.
    for (const fill of path.startsWith("/api/v2/trades") ? body : []) {
      if (fill.txHash !== settled!.tx_hash) continue;
      fill.sellAmount = `${BigInt(fill.sellAmount) + 1n}`;
      fill.sellAmountBeforeFees = fill.sellAmount;
    }
  });
  await exportDataset(book, folder, {
    auctions: { from: 2000, to: 2012 },
    tables: ["trades", "settlements"],
    node: RECORDING,
    blockTimes: false,
  });
  const proof = await proofOf(folder);
  assertEquals(kindsOf(proof), { other_fill: 1, table_trade: 1 });
  const [one, two] = proof.differences.map(({ first }) => first[0]!);
  assertEquals(one!.txHash, two!.txHash);
});

const OTHER = `0x${"0f".repeat(32)}`;
const MOVED = "0x7f";

interface Change {
  readonly change: (fields: SettlementFields) => void;
  readonly what: string;
  readonly detail: string;
  readonly isProblem?: boolean;
}

/** What a node answers otherwise today, what of it the proof says, and whether the dataset is to blame. */
const CHANGES: readonly Change[] = [
  { change: (one) => one.transaction = null, what: "missing", detail: "does not have" },
  { change: (one) => one.receipt = new Error("busy"), what: "missing", detail: "-32000 busy" },
  { change: ({ transaction }) => transaction.hash = OTHER, what: "contradictory", detail: "hash" },
  {
    change: ({ receipt }) => receipt.logs.length = 1,
    what: "contradictory",
    detail: "contradict",
  },
  {
    change({ transaction, receipt }) {
      for (const part of [transaction, receipt, ...receipt.logs]) part.blockNumber = MOVED;
    },
    what: "reorganized",
    detail: `is "${MOVED}"`,
    isProblem: true,
  },
  {
    change: ({ receipt }) => receipt.gasUsed = "0x5208",
    what: "different",
    detail: 'receipt.gasUsed was "0x',
    isProblem: true,
  },
];

Deno.test("proveChain() reports settlements that changed, and proves the others", async () => {
  const hashes = pl.readParquet(`${whole}/settlements/${SHARD}.parquet`).toRecords()
    .map(({ tx_hash: hash }) => String(hash));
  const changes = new Map(CHANGES.map((one, place) => [hashes[place]!, one]));
  const node = new AlteredNode(RECORDING, (hash, fields) => changes.get(hash)?.change(fields));
  const { isWhole, problems, chain } = await verifyDataset(whole, { chain: node });
  assertEquals(isWhole, false);
  assertEquals(
    new Map(chain!.changed.map(({ txHash, what }) => [txHash, what])),
    new Map([...changes].map(([hash, { what }]) => [hash, what])),
  );
  for (const { txHash, detail } of chain!.changed) {
    assertStringIncludes(detail, changes.get(txHash)!.detail);
  }
  assertEquals(chain!.agreeing, chain!.settlements - changes.size);
  // The kept answers are audited, whatever the node says today.
  assertEquals(chain!.differences, []);
  const named = [...changes].filter(([, { isProblem }]) => isProblem === true);
  assertEquals(problems.map(({ file }) => file), named.map(() => `raw/${SHARD}.ndjson.zst`));
  for (const [hash] of named) {
    assertEquals(problems.filter(({ problem }) => problem.includes(hash)).length, 1);
  }
});

Deno.test("proveChain() requests a sample of settlements, equal for equal seeds", async () => {
  const asked = async (seed: number) => {
    const node = new AlteredNode(RECORDING);
    const { settlements } = await proofOf(whole, { chain: node, sample: 3, seed });
    assertEquals([settlements, node.settlementCalls], [3, 6]);
    return node.requests.flat().flatMap(({ params }) => params);
  };
  assertEquals(await asked(1), await asked(1));
  const { settlements, differences } = await proofOf(whole, { sample: 1_000 });
  assertEquals([settlements, differences], [8, []]);
  await assertRejects(() => verifyDataset(whole, { sample: 3 }), InputError, "without chain");
});

Deno.test("proveChain() rejects a node of another chain", async () => {
  const node = {
    rpc: (calls: readonly unknown[]) => Promise.resolve(calls.map(() => ({ result: "0x64" }))),
  };
  await assertRejects(() => verifyDataset(whole, { chain: node }), InputError, "another chain");
});
