import { connect } from "orderlens";
import { exportDataset, planExport, verifyDataset } from "orderlens/datasets";
import { openSandbox } from "orderlens/sandbox";
import type { Instance } from "orderlens/schemas";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { NODE_TABLES, SETTLEMENT_TABLES } from "../../lib/datasets/shards/published_tables.ts";
import { auditSettlements } from "../../lib/datasets/shards/settlement_audits.ts";
import { toSettlementCalls } from "../../lib/evm/node/read_settlement_logs.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { type StoredRun, storedRun, type StoredSettlement } from "../stored_run.ts";
import { AlteredNode, type SettlementFields } from "./altered_node.ts";
import { folderBytes, LATER, newFolder, recorded, rowsOf } from "./exported.ts";

type Row = Record<string, unknown>;

const cases = [
  ["market_1", { from: 1605, to: 2624 }],
  ["market_3", { from: 695, to: 1026 }],
] as const;
for (const [name, auctions] of cases) {
  inFolder.test(`the settlements of ${name} are as the service stored them, and proved`, async (folder) => {
    const stored = await storedRun(name);
    const isWithin = ({ auction_id: id }: { auction_id: number }) =>
      auctions.from <= id && id <= auctions.to;
    const within = stored.settlements.filter(isWithin);
    const recording = await recorded(name);
    const node = new AlteredNode(recording);
    const tables = ["solutions", "orders", "trades", ...SETTLEMENT_TABLES];
    const options = { auctions, node, blockTimes: false, tables, debugReports: false };
    const { manifest } = await exportDataset(connect(recording), folder, options);
    assertEquals(manifest.items.receipt, { present: within.length });
    const most = Math.max(...node.requests.map((calls) => calls.length));
    assert(most <= 100, `${most} calls in one request`);
    assertEquals(node.settlementCalls, 2 * within.length);

    const rows = new Map((await rowsOf(folder, "settlements")).map((row) => [row.tx_hash, row]));
    assertEquals(rows.size, within.length);
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
    }
    const late = within.filter(stored.isLate).map((one) => one.tx_hash);
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

    const { problems, chain } = await verifyDataset(folder, { chain: recording });
    assertEquals(problems, []);
    const { settlements, kept, agreeing, changed, notAudited } = chain!;
    assertEquals([settlements, kept, agreeing], Array(3).fill(within.length));
    assertEquals([changed, notAudited], [[], {}]);
    assertEquals(
      chain!.differences.map(({ kind, count }) => [kind, count]),
      late.length === 0 ? [] : [["late", late.length]],
    );
    assertEquals(chain!.trades, stored.order_execution.filter(isWithin).length);
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
const ALL = { last: 24, tables: SETTLEMENT_TABLES };
/** keccak256 of `Transfer(address,address,uint256)`. */
const TRANSFER = "0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef";

/** The export of an honest node. */
const HONEST = await newFolder();
await exportDataset(connect(SANDBOX), HONEST, { ...ALL, node: SANDBOX });

Deno.test("imbalances are the sums of the Transfer logs of each receipt", async () => {
  const wanted = new Map<string, bigint>();
  const hashes = (await rowsOf(HONEST, "settlements")).map((row) => String(row.tx_hash));
  assert(hashes.length > 20, `${hashes.length} settlements`);
  for (const hash of hashes) {
    const [answer] = await SANDBOX.rpc([{ method: "eth_getTransactionReceipt", params: [hash] }]);
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
    (await rowsOf(HONEST, "imbalances"))
      .filter(({ token }) => !String(token).startsWith("0xeeee"))
      .map((row) => [`${row.tx_hash} ${row.token}`, BigInt(String(row.net_amount_atoms))]),
  );
  assertEquals([...found].sort(), [...wanted].sort());
});

Deno.test("settlement_slippage is what imbalances, prices and reported fees add up to", async () => {
  const folder = await newFolder();
  const { tables: _, ...all } = ALL;
  await exportDataset(connect(SANDBOX), folder, { ...all, node: SANDBOX });
  const read = async (table: string) => await rowsOf(folder, table);
  const atoms = (row: Row | undefined, column: string) => BigInt(String(row?.[column] ?? 0));
  const prices = new Map(
    (await read("native_prices")).map((row) => [
      `${row.auction_id} ${String(row.token).toLowerCase()}`,
      atoms(row, "native_price"),
    ]),
  );
  const orders = new Map((await read("orders")).map((row) => [row.order_uid, row]));
  const trades = Map.groupBy(await read("trades"), (row) => row.tx_hash);
  const fills = Map.groupBy([...trades.values()].flat(), (row) => row.order_uid);
  const charged = Map.groupBy(
    await read("protocol_fees"),
    (row) => `${row.block_number} ${row.log_index}`,
  );
  const nets = Map.groupBy(await read("imbalances"), (row) => row.tx_hash);
  const rows = await read("settlement_slippage");
  assertEquals(rows.length, (await read("settlements")).length);
  let compared = 0;
  for (const row of rows) {
    const priceOf = (token: unknown) => prices.get(`${row.auction_id} ${token}`)!;
    const settled = trades.get(row.tx_hash) ?? [];
    // An order reports the fees of all its fills together.
    if (settled.some((trade) => fills.get(trade.order_uid)!.length > 1)) continue;
    let value = nets.get(row.tx_hash)!.reduce(
      (sum, net) => sum + atoms(net, "net_amount_atoms") * priceOf(net.token),
      0n,
    );
    for (const trade of settled) {
      const order = orders.get(trade.order_uid)!;
      const fees = charged.get(`${trade.block_number} ${trade.log_index}`) ?? [];
      const protocol = fees.reduce((sum, fee) => sum + atoms(fee, "fee_atoms"), 0n);
      const executed = atoms(order, "executed_fee_atoms");
      const [sold, bought] = [atoms(trade, "sell_amount_atoms"), atoms(trade, "buy_amount_atoms")];
      const isSell = order.kind === "sell";
      const share = isSell
        ? (2n * protocol * (sold - executed) + bought) / (2n * bought)
        : protocol;
      value -= protocol * priceOf(isSell ? trade.buy_token : trade.sell_token);
      value -= (executed - share) * priceOf(trade.sell_token);
    }
    const floor = value >= 0n ? value / 10n ** 18n : -((-value + 10n ** 18n - 1n) / 10n ** 18n);
    assertEquals(
      [row.slippage_low_atoms, row.slippage_high_atoms, row.slippage_reason],
      [`${floor}`, `${floor}`, null],
      String(row.tx_hash),
    );
    compared++;
  }
  assert(compared > 20, `${compared} settlements`);
});

Deno.test("auditSettlements() takes the auction that names a settlement, and reports no fill of unknown settlement as missing", async () => {
  const recording = await recorded("market_1");
  const [txHash = ""] = recording.recorded.txHashes;
  const [transaction, receipt] = (await recording.rpc(toSettlementCalls(txHash)))
    .map((answer) => Object(answer).result);
  const book = connect(recording);
  const competition = await book.competition(txHash);
  const orders = await book.transactionOrders(txHash);
  const trades = await Array.fromAsync(book.trades({ orderUid: orders[0]!.uid }));
  const { auctionId } = competition;
  const unnamed = { ...competition, transactionHashes: [] };
  const other = structuredClone(competition);
  other.solutions.find(({ isWinner }) => isWinner)!.orders[0]!.sellAmount++;
  const { chainId, settlementContract } = recording.deployment!;
  const source = { network: null, environment: null, chainId, settlementContract };
  const cases = [
    [{}, auctionId, []],
    [{ trades: [] }, auctionId, ["fill_not_reported"]],
    [{ trades: trades.map((trade) => ({ ...trade, txHash: null })) }, auctionId, []],
    [{ competitions: [other], trades: [], answeredFills: new Set([]) }, auctionId, [
      "other_amounts",
    ]],
    [{ competitions: [unnamed, { ...competition, auctionId: 7 }] }, 7, ["other_auction"]],
  ] as const;
  for (const [changes, id, differences] of cases) {
    const answeredFills = new Set(orders.map(({ uid }) => uid));
    const instances: Instance[] = [];
    const records = {
      ...{ competitions: [competition], orders, trades, answeredFills, instances },
      ...changes,
    };
    const [found] = await auditSettlements([{ txHash, transaction, receipt }], records, { source });
    assertEquals(found?.auctionId, id);
    assertEquals(found?.audit?.differences.map(({ what }) => what), [...differences]);
  }
});

Deno.test("auditSettlements() takes from the instance whose unlisted orders capture surplus", async () => {
  const recording = await recorded("market_1");
  const [txHash = ""] = recording.recorded.txHashes;
  const [transaction, receipt] = (await recording.rpc(toSettlementCalls(txHash)))
    .map((answer) => Object(answer).result);
  const book = connect(recording);
  const listed = await book.competition(txHash);
  const orders = await book.transactionOrders(txHash);
  const trades = await Array.fromAsync(book.trades({ orderUid: orders[0]!.uid }));
  const competition = { ...listed, auction: { ...listed.auction, orders: [OTHER] } };
  const { chainId, settlementContract } = recording.deployment!;
  const source = { network: null, environment: null, chainId, settlementContract };
  const audit = async (auction: { readonly orders: readonly string[] }, ...owners: string[][]) => {
    const records = {
      competitions: [{ ...competition, auction: { ...competition.auction, ...auction } }],
      ...{ orders, trades, answeredFills: new Set(orders.map(({ uid }) => uid)) },
      instances: owners.map((surplusCapturingJitOrderOwners) => {
        return { id: competition.auctionId, surplusCapturingJitOrderOwners };
      }),
    };
    const [found] = await auditSettlements([{ txHash, transaction, receipt }], records, { source });
    const [trade] = found!.audit!.trades;
    return [trade?.role, trade?.executedFee];
  };
  const [role, executedFee] = await audit(listed.auction);
  assertEquals([role, typeof executedFee], ["listed", "bigint"]);
  assertEquals((await audit(competition.auction))[0], "unknown");
  const [{ owner }] = orders as [typeof orders[number]];
  assertEquals(await audit(competition.auction, [owner]), ["capturing", executedFee]);
  assertEquals(await audit(competition.auction, []), ["liquidity", 0n]);
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

inFolder.test("responses of a hostile node about a settlement become a reason, and never a row", async (folder) => {
  const book = connect(SANDBOX);
  const honest = await rowsOf(HONEST, "settlements");
  const hashes = honest.map((row) => String(row.tx_hash));
  const victims = new Map(LIES.map((lie, place) => [hashes[2 * place]!, lie]));
  // Two that are answered as of another contract have a row with the reason.
  const others = [hashes[1]!, hashes[3]!] as const;
  const other = `0x${"ab".repeat(20)}`;
  const node = new AlteredNode(SANDBOX, (hash, fields) => {
    const { transaction, receipt } = fields;
    victims.get(hash)?.[1](fields);
    if (hash === others[0]) transaction.input = "0xdeadbeef";
    if (hash !== others[1]) return;
    [transaction.to, receipt.to] = [other, other];
    for (const log of receipt.logs) if (log.address === CONTRACT) log.address = other;
    delete receipt.logsBloom;
  });
  const { manifest } = await exportDataset(book, folder, { ...ALL, node });
  assertEquals(manifest.isComplete, false);
  const left = manifest.failures.filter(({ kind }) => kind === "receipt");
  assertEquals(left.map(({ key }) => key), [...victims.keys()].sort());
  for (const { key, reason } of left) assertStringIncludes(reason, victims.get(key)![2]);
  const rows = new Map((await rowsOf(folder, "settlements")).map((row) => [row.tx_hash, row]));
  const cases = [
    [others[0], "It does not call the settlement contract"],
    [others[1], `It calls ${other}, which is not the settlement contract`],
  ] as const;
  for (const [hash, why] of cases) {
    const { audit_reason, auction_id, ...empty } = rows.get(hash)!;
    assertEquals(audit_reason, why);
    assert(Number(auction_id) > 0);
    const { chain_id: _, tx_hash: __, ...facts } = empty;
    assertEquals(new Set(Object.values(facts)), new Set([null]));
  }
  const isOf = ({ tx_hash: hash }: Row) =>
    !victims.has(String(hash)) && !others.includes(String(hash));
  for (const table of ALL.tables) {
    const found = await rowsOf(folder, table);
    assertEquals(
      table === "settlements" ? found.filter(isOf) : found,
      (await rowsOf(HONEST, table)).filter(isOf),
    );
  }
  assertEquals((await verifyDataset(folder)).problems, []);
  // An honest node fills the gaps.
  const later = new AlteredNode(SANDBOX);
  const again = await exportDataset(book, folder, { ...ALL, node: later });
  assertEquals(again.manifest.isComplete, true);
  assertEquals(later.settlementCalls >= 2 * victims.size, true);
  assertEquals(await folderBytes(folder), await folderBytes(HONEST));
});

/**
 * When an export of ten young settlements runs, in milliseconds after a block of theirs, and how many
 * it then asks for. Five stand in later blocks, the last 8 s later.
 */
const RUNS = [
  {
    name: "a settlement is asked for again until it is an hour old, and never after",
    first: 60_000,
    isLacked: false,
    blockTimes: false,
    later: [[120_000, 10], [3_600_001, 10], [3_608_001, 5], [3_608_002, 0]],
  },
  {
    name: "a settlement that a node lacked for long is asked for again while its block is young",
    first: -7_200_000,
    isLacked: true,
    blockTimes: true,
    later: [[60_000, 10], [7_200_000, 10], [7_200_001, 0]],
  },
] as const;
for (const { name, first, isLacked, blockTimes, later } of RUNS) {
  inFolder.test(name, async (folder) => {
    const recording = await recorded("simulated_1");
    const block = { method: "eth_getBlockByNumber", params: ["0x4b0", false] };
    const [answer] = await recording.rpc([block]);
    const minedMs = Number(Object(Object(answer).result).timestamp) * 1_000;
    let nowMs = minedMs;
    const book = connect(recording, { clock: { ...LATER, now: () => nowMs } });
    const run = async (afterMs: number, isLacked: boolean) => {
      nowMs = minedMs + afterMs;
      const node = new AlteredNode(recording, (_, fields) => {
        if (isLacked) fields.transaction = fields.receipt = null;
      });
      const auctions = { from: 1200, to: 1206 };
      const options = { auctions, tables: ALL.tables, node, blockTimes };
      const { manifest: { items } } = await exportDataset(book, folder, options);
      return {
        receipt: items.receipt,
        asked: node.settlementCalls,
        bytes: await folderBytes(folder),
      };
    };
    const { receipt } = await run(first, isLacked);
    assertEquals(receipt, { [isLacked ? "failed" : "present"]: 10 });
    const runs = [];
    for (const [afterMs] of later) runs.push(await run(afterMs, false));
    assertEquals(runs.map(({ asked }) => asked), later.map(([, count]) => 2 * count));
    for (const { bytes } of runs) assertEquals(bytes, runs[0]!.bytes);
  });
}

/** Options that leave out a part of what a node answers, with that of a card and the tables that are left. */
const WITHOUT = [
  [{ settlements: false }, "--no-settlements", ["blocks"]],
  [{ blockTimes: false }, "--no-block-times", SETTLEMENT_TABLES],
] as const;

inFolder.test("exportDataset() leaves out settlements or block times on request", async (root) => {
  const book = connect(SANDBOX);
  for (const [without, option, tables] of WITHOUT) {
    const node = new AlteredNode(SANDBOX);
    const folder = `${root}/${option}`;
    const { manifest } = await exportDataset(book, folder, { last: 1, node, ...without });
    const { request, items } = manifest;
    assertEquals(request.tables.filter((table) => NODE_TABLES.includes(table)), [...tables]);
    assertEquals(
      [items.block === undefined, node.settlementCalls === 0].indexOf(true),
      [
        "--no-block-times",
        "--no-settlements",
      ].indexOf(option),
    );
    const card = await Deno.readTextFile(`${folder}/README.md`);
    assertStringIncludes(card, `--rpc-url URL ${option}`);
  }
  const invalid = { last: 4, settlements: false, tables: ["imbalances"], node: SANDBOX };
  await assertRejects(() => planExport(book, invalid), Error, "imbalances without `settlements`");
  const { node: _, ...noNode } = { ...invalid, settlements: true };
  await assertRejects(() => planExport(book, noNode), Error, "imbalances without a node");
});

inFolder.test("an export of single orders has the settlements of their fills", async (folder) => {
  const recording = await recorded("market_1");
  const book = connect(recording);
  // Of three trades.
  const txHash = "0x0a4d7a245ded4066e2a66e51a2d8b59f69c1ae523610b9941965a772d7d99d5c";
  const { solutions } = await book.competition(txHash);
  const { orders } = solutions.find((one) => one.txHash === txHash)!;
  assertEquals(orders.length, 3);
  const tables = ["orders", "trades", ...SETTLEMENT_TABLES];
  await exportDataset(book, folder, {
    uids: [orders[0]!.id],
    node: recording,
    blockTimes: false,
    tables,
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
