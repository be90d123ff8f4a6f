import { connect, InputError } from "orderlens";
import {
  type ChainProof,
  exportDataset,
  mergeDatasets,
  verifyDataset,
  type VerifyOptions,
} from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import pl, { type DataFrame } from "nodejs-polars";
import { withFolder } from "../sandbox/temp_folder.ts";
import { storedRun } from "../stored_run.ts";
import { alteredBook } from "./altered_book.ts";
import { AlteredNode, type SettlementFields } from "./altered_node.ts";
import { exported } from "./exported.ts";
import { NODE_RECORDS, parted, RECORDS } from "./folder_bytes.ts";
import { rewriteTable } from "./rewrite_table.ts";

const RECORDING = await replay("market_1");
const BOOK = connect(RECORDING);
const RANGE = { from: 1990, to: 2020 };
const SHARD = "0000002000-0000002999";

const whole = await exported("market_1", {
  auctions: RANGE,
  tables: NODE_RECORDS,
  isWithNode: true,
});

async function proofOf(folder: string, options: VerifyOptions = {}): Promise<ChainProof> {
  const { chain } = await verifyDataset(folder, { chain: RECORDING, ...options });
  assert(chain !== null);
  return chain;
}

function kindsOf({ differences }: ChainProof): Record<string, number> {
  return Object.fromEntries(differences.map(({ kind, count }) => [kind, count]));
}

for (const [name, kept] of [["market_1", true], ["market_3", false]] as const) {
  Deno.test(`all of ${name} is proved, ${kept ? "and the kept answers" : "without kept ones"}`, async () => {
    const stored = await storedRun(name);
    const recording = await replay(name);
    const ids = recording.recorded.auctionIds;
    const auctions = { from: ids[0]!, to: ids.at(-1)! };
    const settlements = stored.settlements.filter((one) => one.auction_id <= auctions.to);
    const late = settlements.filter(stored.isLate);
    await withFolder(async (folder) => {
      await exportDataset(connect(recording), folder, {
        auctions,
        tables: kept ? NODE_RECORDS : RECORDS,
        ...kept ? { node: recording, blockTimes: false } : {},
      });
      const { isWhole, chain } = await verifyDataset(folder, { chain: recording });
      assertEquals(isWhole, true);
      assertEquals(chain!.settlements, settlements.length);
      assertEquals([chain!.kept, chain!.agreeing], kept ? [637, 637] : [0, 0]);
      assertEquals([chain!.changed, chain!.notAudited], [[], {}]);
      assertEquals(kindsOf(chain!), late.length === 0 ? {} : { late: late.length });
      const trades = stored.order_execution.filter((one) => one.auction_id <= auctions.to);
      assertEquals(chain!.trades, trades.length);
      // Each trade has a row of fills, one of its order and one of a solution, or more.
      assert(chain!.rows >= 3 * trades.length, `${chain!.rows} rows`);
    });
  });
}

Deno.test("the proof finds orders and fills that stand in the file of an earlier auction", async () => {
  const before = RECORDING.recorded.auctionIds.findLast((id) => id < 2000)!;
  const after = RECORDING.recorded.auctionIds.find((id) => id >= 2000)!;
  const other = (await BOOK.competition(before)).transactionHashes[0]!;
  // Both auctions bid on the same orders, and each has a settlement; that of the second is another's.
  const book = alteredBook(RECORDING, (path, body) => {
    if (!path.endsWith(`/${before}`)) return;
    body.transactionHashes = [];
    for (const solution of body.solutions) solution.txHash = null;
  });
  const moved = connect({
    baseUrl: RECORDING.baseUrl,
    deployment: RECORDING.deployment,
    async send(request) {
      if (!request.path.endsWith(`/${after}`)) return await book.transport.send(request);
      const path = request.path.replace(String(after), String(before));
      const response = await RECORDING.send({ ...request, path });
      return {
        ...response,
        body: response.body.replace(`"auctionId":${before}`, `"auctionId":${after}`),
      };
    },
  });
  await withFolder(async (folder) => {
    const auctions = { from: before, to: after };
    await exportDataset(moved, folder, { auctions, node: RECORDING, blockTimes: false });
    const dataset = await pl.readParquet(`${folder}/settlements/${SHARD}.parquet`).toRecords();
    assertEquals(dataset.map(({ tx_hash: hash }) => hash), [other]);
    assertStringIncludes(String(dataset[0]!.unverified), "No orders were passed");
    const proof = await proofOf(folder);
    // The calldata names the auction that it is of, and its fill is compared.
    assertEquals(kindsOf(proof), { other_auction: 1 });
    assert(proof.rows >= 4, `${proof.rows} rows`);
  });
});

/** What is changed in a table, and the kind and the text that name it. */
const FALSE_ROWS: readonly (readonly [
  table: string,
  change: (frame: DataFrame) => DataFrame,
  kind: string,
  reported: string,
])[] = [
  ["trades", (frame) => withFirst(frame, "sell_amount_atoms", "7"), "table_trade", "sold 7,"],
  ["trades", (frame) => frame.slice(1, frame.height - 1), "table_trade", "no row"],
  ["trades", (frame) => withFirst(frame, "log_index", 999), "table_trade", "log 999"],
  ["solutions", (frame) => withFirst(frame, "is_winner", false), "table_winner", "no winner"],
  ["orders", (frame) => withFirst(frame, "executed_fee_atoms", "1"), "table_fee", "1"],
  [
    "protocol_fees",
    (frame) => withFirst(frame, "fee_atoms", `${10n ** 30n}`),
    "table_fee",
    "of protocol fees",
  ],
  ["settlements", (frame) => withFirst(frame, "gas_used", "1"), "table_settlement", "gas 1 at"],
];

/** The frame with another value in the row that has the first transaction. */
function withFirst(frame: DataFrame, column: string, value: string | number | boolean): DataFrame {
  const names = frame.columns;
  const rows = frame.toRecords() as Record<string, unknown>[];
  const settled = rows.findIndex((row) =>
    names.includes("tx_hash") ? row.tx_hash !== null : row.executed_fee_atoms !== "0"
  );
  rows[settled] = { ...rows[settled], [column]: value };
  const schema = Object.fromEntries(frame.getColumns().map(({ name, dtype }) => [name, dtype]));
  return pl.DataFrame(rows, { schema }).select(...names);
}

for (const [table, change, kind, reported] of FALSE_ROWS) {
  Deno.test(`a row of ${table} that is not on the chain is named (${reported})`, async () => {
    const undo = await rewriteTable(whole, `${table}/${SHARD}.parquet`, change);
    try {
      const { differences } = await proofOf(whole);
      assertEquals(differences.map((one) => one.kind).includes(kind as never), true, `${kind}`);
      const { first } = differences.find((one) => one.kind === kind)!;
      assertEquals(first.some((place) => place.reported.includes(reported)), true, reported);
      assert(first.every(({ txHash }) => /^0x[0-9a-f]{64}$/.test(txHash)));
    } finally {
      await undo();
    }
    assertEquals((await proofOf(whole)).differences, []);
  });
}

Deno.test("what a service reports otherwise than the chain is named, wherever it lies", async () => {
  await withFolder(async (folder) => {
    const [settled] = pl.readParquet(`${whole}/trades/${SHARD}.parquet`).toRecords();
    const book = alteredBook(RECORDING, (path, body) => {
      // The fill is asked for with those of its account, and alone: the lie is the same in both.
      for (const fill of path.startsWith("/api/v2/trades") ? body : []) {
        if (fill.txHash !== settled!.tx_hash) continue;
        fill.sellAmount = `${BigInt(fill.sellAmount) + 1n}`;
        fill.sellAmountBeforeFees = fill.sellAmount;
      }
    });
    await exportDataset(book, folder, { auctions: RANGE, node: RECORDING, blockTimes: false });
    const proof = await proofOf(folder);
    assertEquals(kindsOf(proof), { other_fill: 1, table_trade: 1 });
    const [one, two] = proof.differences.map(({ first }) => first[0]!);
    assertEquals(one!.txHash, two!.txHash);
  });
});

const OTHER = `0x${"0f".repeat(32)}`;
const MOVED = "0x7f";

/** What a node answers otherwise today, and what of it the proof says. */
const CHANGES: readonly (readonly [
  name: string,
  change: (fields: SettlementFields) => void,
  what: string,
  detail: string,
  isWhole: boolean,
])[] = [
  ["is pruned", (fields) => fields.transaction = null, "missing", "does not have", true],
  ["fails", (fields) => fields.receipt = new Error("busy"), "missing", "-32000 busy", true],
  ["lies", ({ transaction }) => transaction.hash = OTHER, "contradictory", "hash", true],
  ["drops logs", ({ receipt }) => receipt.logs.length = 1, "contradictory", "contradict", true],
  [
    "is reorganized",
    ({ transaction, receipt }) => {
      for (const part of [transaction, receipt, ...receipt.logs]) part.blockNumber = MOVED;
    },
    "reorganized",
    `is "${MOVED}"`,
    false,
  ],
  [
    "reports other gas",
    ({ receipt }) => receipt.gasUsed = "0x5208",
    "different",
    'receipt.gasUsed was "0x',
    false,
  ],
];

for (const [name, change, what, detail, isWhole] of CHANGES) {
  Deno.test(`a node that ${name} is told of one settlement, and the others are proved`, async () => {
    const hashes = pl.readParquet(`${whole}/settlements/${SHARD}.parquet`).toRecords()
      .map(({ tx_hash: hash }) => String(hash));
    const node = new AlteredNode(RECORDING, (hash, fields) => {
      if (hash === hashes[1]) change(fields);
    });
    const verification = await verifyDataset(whole, { chain: node });
    assertEquals(verification.isWhole, isWhole);
    const proof = verification.chain!;
    assertEquals(proof.changed.map((one) => [one.txHash, one.what]), [[hashes[1], what]]);
    assertStringIncludes(proof.changed[0]!.detail, detail);
    assertEquals(proof.agreeing, proof.settlements - 1);
    // The kept answers are audited, whatever the node says today.
    assertEquals(proof.differences, []);
    const { problems } = verification;
    assertEquals(problems.map(({ file }) => file), isWhole ? [] : [`raw/${SHARD}.ndjson.zst`]);
    for (const { problem } of problems) assertStringIncludes(problem, hashes[1]!);
  });
}

Deno.test("a sample asks for so many settlements, the same for the same seed", async () => {
  const all = await proofOf(whole);
  const asked = async (seed: number) => {
    const node = new AlteredNode(RECORDING);
    const { settlements } = await proofOf(whole, { chain: node, sample: 3, seed });
    assertEquals([settlements, node.settlementCalls], [3, 6]);
    return node.requests.flat().flatMap(({ params }) => params);
  };
  assertEquals(await asked(1), await asked(1));
  assertEquals((await proofOf(whole, { sample: 1_000 })).settlements, all.settlements);
  await assertRejects(() => verifyDataset(whole, { sample: 3 }), InputError, "without chain");
});

Deno.test("a node of another chain proves nothing", async () => {
  const node = {
    rpc: (calls: readonly unknown[]) => Promise.resolve(calls.map(() => ({ result: "0x64" }))),
  };
  await assertRejects(() => verifyDataset(whole, { chain: node }), InputError, "another chain");
});

Deno.test("a merged dataset is proved as the datasets that it was merged from", async () => {
  await withFolder(async (root) => {
    const options = { node: RECORDING, blockTimes: false };
    for (const [place, auctions] of parted(RANGE).entries()) {
      await exportDataset(BOOK, `${root}/${place + 1}`, { ...options, auctions });
    }
    await mergeDatasets([`${root}/1`, `${root}/2`], `${root}/all`);
    assertEquals(await proofOf(`${root}/all`), await proofOf(whole));
  });
});
