import { auditKept } from "../../lib/datasets/shards/settlement_audits.ts";
import { connect } from "orderlens";
import {
  type DatasetManifest,
  exportDataset,
  openDataset,
  planExport,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { withFolder } from "../sandbox/temp_folder.ts";
import { type StoredRun, storedRun, type StoredSettlement } from "../stored_run.ts";
import { AlteredNode, type SettlementFields } from "./altered_node.ts";
import { folderBytes, LATER } from "./folder_bytes.ts";

type Row = Record<string, unknown>;

async function rowsOf(folder: string, table: string): Promise<Row[]> {
  const dataset = await openDataset(folder);
  return (await dataset.table(table).collect()).toRecords();
}

for (
  const [name, auctions] of [
    ["market_1", { from: 1900, to: 2099 }],
    ["market_3", { from: 950, to: 1026 }],
  ] as const
) {
  Deno.test(`an export has the settlements of ${name} as the service stored them`, async () => {
    const stored = await storedRun(name);
    const within = stored.settlements.filter(({ auction_id: id }) =>
      auctions.from <= id && id <= auctions.to
    );
    const recording = await replay(name);
    await withFolder(async (folder) => {
      const node = new AlteredNode(recording);
      const options = { auctions, node, blockTimes: false };
      const { manifest } = await exportDataset(connect(recording), folder, options);
      assertEquals(manifest.items.receipt, { present: within.length });
      const most = Math.max(...node.requests.map((calls) => calls.length));
      assert(most <= 100, `${most} calls in one request`);
      assertEquals(node.settlementCalls, 2 * within.length);

      const rows = new Map((await rowsOf(folder, "settlements")).map((row) => [row.tx_hash, row]));
      assertEquals(rows.size, within.length);
      const late: string[] = [];
      for (const one of within) {
        const row = rows.get(one.tx_hash)!;
        const trades = stored.trades.filter(({ block_number, log_index }) =>
          block_number === one.block_number && log_index < one.log_index &&
          log_index > logBefore(stored, one)
        );
        assertEquals([row.auction_id, row.block_number, row.solver, row.trade_count], [
          one.auction_id,
          one.block_number,
          one.solver,
          trades.length,
        ]);
        assertEquals(
          row.gas_cost_atoms,
          String(BigInt(one.gas_used) * BigInt(one.effective_gas_price)),
        );
        assertEquals([row.succeeded, row.audit_reason], [true, null]);
        if (stored.isLate(one)) late.push(one.tx_hash);
      }
      const differences = await rowsOf(folder, "chain_differences");
      assertEquals(
        differences.map(({ what, tx_hash: hash }) => `${what} ${hash}`).sort(),
        late.map((hash) => `late ${hash}`).sort(),
      );
      // The recorded chain has the logs of the settlement contract alone.
      const imbalances = await rowsOf(folder, "imbalances");
      assertEquals(
        new Set(imbalances.map((row) => row.imbalance_reason)),
        new Set(["logs_incomplete"]),
      );
      assertEquals(imbalances.length, within.length);
      assertEquals((await verifyDataset(folder)).problems, []);
    });
  });
}

/** The place of the settlement before one in its block: trades stand between the two. */
function logBefore({ settlements }: StoredRun, one: StoredSettlement): number {
  const before = settlements.filter(({ block_number, log_index }) =>
    block_number === one.block_number && log_index < one.log_index
  );
  return Math.max(-1, ...before.map(({ log_index }) => log_index));
}

const SANDBOX = await openSandbox({ seed: 7, auctions: 24, clock: "virtual" });
const CONTRACT = SANDBOX.deployment.settlementContract.toLowerCase();
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

Deno.test("imbalances are the sums of the Transfer logs of each receipt", async () => {
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(connect(SANDBOX), folder, { last: 24, node: SANDBOX });
    const count = manifest.items.receipt?.present ?? 0;
    assert(count > 20, `${count} settlements`);
    const wanted = new Map<string, bigint>();
    const hashes = (await rowsOf(folder, "settlements")).map((row) => String(row.tx_hash));
    assertEquals(hashes.length, count);
    for (const hash of hashes) {
      const [answer] = await SANDBOX.rpc([
        { method: "eth_getTransactionReceipt", params: [hash] },
      ]);
      assert(answer !== undefined && "result" in answer);
      const { logs } = answer.result as {
        logs: { address: string; topics: string[]; data: string }[];
      };
      for (const { address, topics: [event, from = "", to = ""], data } of logs) {
        if (event !== TRANSFER) continue;
        const key = `${hash} ${address.toLowerCase()}`;
        const isOut = from.endsWith(CONTRACT.slice(2));
        const isIn = to.endsWith(CONTRACT.slice(2));
        const sign = BigInt(isIn) - BigInt(isOut);
        if (isIn || isOut) wanted.set(key, (wanted.get(key) ?? 0n) + sign * BigInt(data));
      }
    }
    const found = new Map(
      (await rowsOf(folder, "imbalances"))
        .filter(({ token }) => !String(token).startsWith("0xeeee"))
        .map((row) => [`${row.tx_hash} ${row.token}`, BigInt(String(row.net_amount_atoms))]),
    );
    assertEquals([...found].sort(), [...wanted].sort());
  });
});

Deno.test("tables of settlements are built from the answers alone", async () => {
  await withFolder(async (folder) => {
    const { manifest } = await exportDataset(connect(SANDBOX), folder, { last: 6, node: SANDBOX });
    const before = await folderBytes(folder);
    for (const table of ["settlements", "imbalances", "chain_differences"]) {
      await Deno.remove(`${folder}/${table}`, { recursive: true });
    }
    assertEquals(await rebuildDataset(folder), manifest);
    assertEquals(await folderBytes(folder), before);
    const [raw] = [...before.keys()].filter((path) => path.startsWith("raw/0"));
    const recording = await replay(`${folder}/${raw}`);
    assertEquals(recording.recorded.auctionIds.length > 0, true);
  });
});

const OTHER = `0x${"0f".repeat(32)}`;

/** What a hostile node does to one settlement, and the reason that the manifest gives. */
const LIES: readonly (readonly [string, (fields: SettlementFields) => void, string])[] = [
  ["is pruned", (fields) => fields.transaction = null, "does not have the transaction"],
  ["has no receipt", (fields) => fields.receipt = null, "does not have a receipt"],
  [
    "returns an error",
    (fields) => fields.receipt = new Error("missing trie node\nof 0xab"),
    "-32000 missing trie node of 0xab",
  ],
  ["returns another transaction", ({ transaction }) => transaction.hash = OTHER, "contradict"],
  ["returns another receipt", ({ receipt }) => receipt.transactionHash = OTHER, "contradict"],
  ["is in two blocks", ({ transaction }) => transaction.blockHash = OTHER, "contradict"],
  ["drops logs", ({ receipt }) => receipt.logs.length = 1, "contradict"],
  ["has no logs", ({ receipt }) => delete receipt.logs, "it has no logs"],
  ["has text for gas", ({ receipt }) => receipt.gasUsed = "much", "`gasUsed` is not hex"],
];

Deno.test("what a hostile node says of a settlement is a reason, and never a row", async () => {
  await withFolder(async (root) => {
    const options = { last: 24, tables: ["settlements", "imbalances", "chain_differences"] };
    const book = connect(SANDBOX);
    await exportDataset(book, `${root}/honest`, { ...options, node: SANDBOX });
    const honest = await rowsOf(`${root}/honest`, "settlements");
    const victims = new Map(LIES.map((lie, place) => [String(honest[2 * place]!.tx_hash), lie]));
    const node = new AlteredNode(SANDBOX, (hash, fields) => victims.get(hash)?.[1](fields));
    const folder = `${root}/lied_to`;
    const { manifest } = await exportDataset(book, folder, { ...options, node });
    assertEquals(manifest.isComplete, false);
    const left = manifest.failures.filter(({ kind }) => kind === "receipt");
    assertEquals(left.map(({ key }) => key), [...victims.keys()].sort());
    for (const { key, reason } of left) assertStringIncludes(reason, victims.get(key)![2]);
    const isOf = ({ tx_hash: hash }: Row) => !victims.has(String(hash));
    for (const table of ["settlements", "imbalances", "chain_differences"]) {
      assertEquals(
        await rowsOf(folder, table),
        (await rowsOf(`${root}/honest`, table)).filter(isOf),
      );
    }
    assertEquals((await verifyDataset(folder)).problems, []);
    // An honest node fills the gaps, and is asked for nothing else.
    const later = new AlteredNode(SANDBOX);
    const again = await exportDataset(book, folder, { ...options, node: later });
    assertEquals(again.manifest.isComplete, true);
    assertEquals(later.settlementCalls >= 2 * victims.size, true);
    assertEquals(await folderBytes(folder), await folderBytes(`${root}/honest`));
  });
});

Deno.test("a transaction that does not call the settlement contract has a row with the reason", async () => {
  await withFolder(async (folder) => {
    const [first, second] = await settlementsOf(2);
    const node = new AlteredNode(SANDBOX, (hash, { transaction, receipt }) => {
      if (hash === first) transaction.input = "0xdeadbeef";
      if (hash !== second) return;
      const other = `0x${"ab".repeat(20)}`;
      [transaction.to, receipt.to] = [other, other];
      for (const log of receipt.logs) if (log.address === CONTRACT) log.address = other;
      delete receipt.logsBloom;
    });
    const tables = ["settlements", "imbalances"];
    const { manifest } = await exportDataset(connect(SANDBOX), folder, { last: 24, node, tables });
    assertEquals(manifest.failures, []);
    const rows = new Map((await rowsOf(folder, "settlements")).map((row) => [row.tx_hash, row]));
    for (
      const [hash, why] of [
        [first, "It does not call the settlement contract"],
        [second, `It calls 0x${"ab".repeat(20)}, which is not the settlement contract`],
      ]
    ) {
      const { audit_reason, auction_id, ...others } = rows.get(hash)!;
      assertEquals(audit_reason, why);
      assert(Number(auction_id) > 0);
      const { chain_id: _, tx_hash: __, ...facts } = others;
      assertEquals(new Set(Object.values(facts)), new Set([null]));
    }
    const imbalances = await rowsOf(folder, "imbalances");
    assertEquals(imbalances.some((row) => [first, second].includes(String(row.tx_hash))), false);
    assertEquals((await verifyDataset(folder)).problems, []);
  });
});

Deno.test("an auction whose transactions were emptied is found by the calldata", async () => {
  const found = await Array.fromAsync(connect(SANDBOX).competitions({ last: 24 }));
  const competition = found.flatMap(({ competition }) => competition ?? [])
    .find(({ transactionHashes }) => transactionHashes.length === 1)!;
  const [txHash] = competition.transactionHashes as [string];
  const [transaction, receipt] = (await SANDBOX.rpc([
    { method: "eth_getTransactionByHash", params: [txHash] },
    { method: "eth_getTransactionReceipt", params: [txHash] },
  ])).map((answer) => Object(answer).result);
  const { chainId, settlementContract } = SANDBOX.deployment;
  const source = { network: null, environment: null, chainId, settlementContract };
  const [kept] = await auditKept([{ txHash, transaction, receipt }], {
    competitions: [{ ...competition, transactionHashes: [] }],
    orders: [],
    trades: [],
    answeredFills: new Set(),
  }, { source });
  assertEquals(kept?.auctionId, competition.auctionId);
  const [difference] = kept?.audit?.differences ?? [];
  assertEquals(difference?.what, "transaction_not_reported");
});

async function settlementsOf(count: number): Promise<string[]> {
  const found = await Array.fromAsync(connect(SANDBOX).competitions({ last: 24 }));
  return found.flatMap(({ competition }) => competition?.transactionHashes ?? []).slice(0, count);
}

Deno.test("a settlement is asked for again until it is an hour old, and never after", async () => {
  const recording = await replay("simulated_1");
  const auctions = { from: 1200, to: 1239 };
  const [answer] = await recording.rpc([{
    method: "eth_getBlockByNumber",
    params: ["0x4b0", false],
  }]);
  const { timestamp } = (answer as { result: { timestamp: string } }).result;
  let nowMs = Number(timestamp) * 1_000 + 60_000;
  const book = connect(recording, { clock: { ...LATER, now: () => nowMs } });
  const tables = ["settlements", "imbalances", "chain_differences"];
  await withFolder(async (folder) => {
    const first = new AlteredNode(recording);
    const { manifest } = await exportDataset(book, folder, { auctions, tables, node: first });
    const count = manifest.items.receipt?.present ?? 0;
    assertEquals(first.settlementCalls, 2 * count);
    const before = await folderBytes(folder);
    for (const [afterMs, asked] of [[60_000, 2 * count], [2 * 3_600_000, 2 * count], [1, 0]]) {
      nowMs += afterMs!;
      const node = new AlteredNode(recording);
      await exportDataset(book, folder, { auctions, tables, node });
      assertEquals(node.settlementCalls, asked);
      assertEquals(await folderBytes(folder), before);
    }
  });
});

Deno.test("a settlement that a node lacked for long is asked for again while its block is young", async () => {
  const recording = await replay("simulated_1");
  const auctions = { from: 1200, to: 1239 };
  const [answer] = await recording.rpc([{
    method: "eth_getBlockByNumber",
    params: ["0x4b0", false],
  }]);
  const minedMs = Number((answer as { result: { timestamp: string } }).result.timestamp) * 1_000;
  let nowMs = minedMs - 2 * 3_600_000;
  const book = connect(recording, { clock: { ...LATER, now: () => nowMs } });
  const tables = ["settlements"];
  await withFolder(async (folder) => {
    const lacking = new AlteredNode(recording, (_, fields) => {
      fields.transaction = fields.receipt = null;
    });
    const { manifest } = await exportDataset(book, folder, { auctions, tables, node: lacking });
    const count = manifest.items.receipt?.failed ?? 0;
    assert(count > 0);
    for (
      const [nextMs, asked] of [[60_000, count], [120_000, count], [7_200_000, count], [
        7_200_001,
        0,
      ]]
    ) {
      nowMs = minedMs + nextMs!;
      const node = new AlteredNode(recording);
      await exportDataset(book, folder, { auctions, tables, node });
      assertEquals(node.settlementCalls, 2 * asked!, `${nextMs} ms after the block`);
    }
  });
});

Deno.test("an export with settlements resumes after kill -9, and the bytes are the same", async () => {
  const recording = await replay("simulated_1");
  const auctions = { from: 1190, to: 1215 };
  const book = connect(recording, { clock: LATER });
  await withFolder(async (root) => {
    await exportDataset(book, `${root}/whole`, { auctions, node: recording });
    const bytes = await folderBytes(`${root}/whole`);
    for (const step of [9, 17]) {
      const folder = `${root}/${step}`;
      const { signal } = await new Deno.Command(Deno.execPath(), {
        args: [
          ...["run", "-A", "--no-check"],
          new URL("./export_until_killed.ts", import.meta.url).pathname,
          ...[folder, "simulated_1", auctions.from, auctions.to, step, "all", "node"].map(String),
        ],
        stdout: "null",
        stderr: "null",
      }).output();
      assertEquals(signal, "SIGKILL");
      const node = new AlteredNode(recording);
      const { manifest } = await exportDataset(book, folder, { auctions, node });
      assertEquals(await folderBytes(folder), bytes, `killed at step ${step}`);
      const count = manifest.items.receipt?.present ?? 0;
      assert(node.settlementCalls <= 2 * count);
    }
  });
});

Deno.test("an export with a node leaves out settlements or block times", async () => {
  const book = connect(SANDBOX);
  await withFolder(async (root) => {
    const node = new AlteredNode(SANDBOX);
    const without = await exportDataset(book, `${root}/1`, { last: 4, node, settlements: false });
    assertEquals(node.settlementCalls, 0);
    assertEquals(ofNode(without.manifest), ["blocks"]);
    const untimed = await exportDataset(book, `${root}/2`, { last: 4, node, blockTimes: false });
    assertEquals(ofNode(untimed.manifest), ["settlements", "imbalances", "chain_differences"]);
    assertEquals(untimed.manifest.items.block, undefined);
    for (
      const [folder, word] of [["1", "--rpc-url URL --no-settlements"], [
        "2",
        "--rpc-url URL --no-block-times",
      ]] as const
    ) {
      assertStringIncludes(await Deno.readTextFile(`${root}/${folder}/README.md`), word);
    }
  });
  const invalid = { last: 4, settlements: false, tables: ["imbalances"], node: SANDBOX };
  await assertRejects(() => planExport(book, invalid), Error, "imbalances without `settlements`");
  const { node: _, ...noNode } = { ...invalid, settlements: true };
  await assertRejects(() => planExport(book, noNode), Error, "imbalances without a node");
});

function ofNode({ request }: DatasetManifest): string[] {
  const names = ["blocks", "settlements", "imbalances", "chain_differences"];
  return request.tables.filter((table) => names.includes(table));
}

Deno.test("an export with a node and without settlements gets them when they are asked for", async () => {
  const book = connect(SANDBOX);
  await withFolder(async (folder) => {
    const whole = await exportDataset(book, `${folder}/whole`, { last: 4, node: SANDBOX });
    const earlier = { last: 4, node: SANDBOX, settlements: false };
    await exportDataset(book, `${folder}/earlier`, earlier);
    const again = await exportDataset(book, `${folder}/earlier`, { last: 4, node: SANDBOX });
    assertEquals(again.manifest, whole.manifest);
    await assertRejects(
      () => exportDataset(book, `${folder}/earlier`, earlier),
      Error,
      "other settings",
    );
  });
});

Deno.test("a plan counts the requests for settlements, 50 in each", async () => {
  const book = connect(SANDBOX);
  const auctions = { from: 1, to: 5_000 };
  const asked = { auctions, node: SANDBOX, blockTimes: false };
  const { nodeRequests, bytes } = await planExport(book, asked);
  assertEquals(nodeRequests, 100);
  const without = await planExport(book, { ...asked, settlements: false });
  assertEquals(without.nodeRequests, 0);
  assert(bytes > without.bytes);
});

Deno.test("settlements of single orders are those of their fills", async () => {
  await withFolder(async (folder) => {
    const recording = await replay("market_1");
    const book = connect(recording);
    // Of three trades.
    const txHash = "0x0a4d7a245ded4066e2a66e51a2d8b59f69c1ae523610b9941965a772d7d99d5c";
    const { solutions } = await book.competition(txHash);
    const { orders } = solutions.find((one) => one.txHash === txHash)!;
    assertEquals(orders.length, 3);
    await exportDataset(book, folder, {
      uids: [orders[0]!.id],
      node: recording,
      blockTimes: false,
    });
    const rows = await rowsOf(folder, "settlements");
    const row = rows.find((one) => one.tx_hash === txHash)!;
    assertStringIncludes(
      String(row.unverified),
      `The fills of ${orders.length - 1} of ${orders.length} trades are not in the file`,
    );
    assertEquals(row.difference_count, 0);
    assertEquals(await rowsOf(folder, "chain_differences"), []);
  });
});
