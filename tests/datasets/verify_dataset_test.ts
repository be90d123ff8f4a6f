import { Buffer } from "node:buffer";
import pl from "nodejs-polars";
import { zstdCompressSync } from "node:zlib";
import { connect, InputError } from "orderlens";
import { DamagedError } from "orderlens/errors";
import {
  exportDataset,
  openDataset,
  type RecomputedKind,
  verifyDataset,
  type VerifyOptions,
} from "orderlens/datasets";
import { VERSION } from "orderlens/http";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { inFolder } from "../sandbox/temp_folder.ts";
import { asReplayed, replayCompetition } from "orderlens/metrics";
import { decodeCompetition, encodeCompetition } from "orderlens/schemas";
import { alteredBook, changedBook, listening, TestClock } from "./altered_book.ts";
import { exported, FEW, inCopyOf, recorded } from "./exported.ts";
import { changeManifest, rewriteFile, rewriteTable } from "./rewrite_table.ts";

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING);
const AUCTIONS = { from: 1997, to: 2006 };

/** Copies of a dataset of five auctions, with few tables and with all. */
const FIVE = { from: 2000, to: 2012 };
const inFew = inCopyOf(() => exported("market_1", { auctions: FIVE, tables: FEW }));
const inAll = inCopyOf(() => exported("market_1", { auctions: FIVE }));

/** Problems of a dataset, each behind the file that it is of. */
async function problemsOf(folder: string, options: VerifyOptions = {}): Promise<string[]> {
  const { problems } = await verifyDataset(folder, options);
  return problems.map(({ file, problem }) => `${file}: ${problem}`);
}

const KINDS: readonly RecomputedKind[] = [
  "filter",
  "winners",
  "scores",
  "referenceScores",
  "fees",
  "statuses",
];

Deno.test("recompute() recomputes all derived values of a market", async () => {
  const { isWhole, recomputed } = await verifyDataset("market_1", { recompute: true });
  assertEquals(isWhole, true);
  const dataset = await openDataset("market_1");
  const rows = async (name: string) => (await dataset.table(name).collect()).height;
  const [auctions, solutions] = [await rows("auctions"), await rows("solutions")];
  // Scores of which only a bound is known bid on orders whose policies no answer names.
  const bounds = recomputed!.scores.notComputable.bound!;
  assertEquals(
    KINDS.map((kind) => [recomputed![kind].agreeing, recomputed![kind].differing]),
    [
      [solutions, []],
      [auctions, []],
      [solutions - bounds, []],
      [auctions, []],
      [await rows("protocol_fees"), []],
      // Of an order that expired behind the range, no answer tells when it was asked for.
      [await rows("orders") - recomputed!.statuses.notComputable.time_unknown!, []],
    ],
  );
  const { agreeing, differing, notComputable } = recomputed!.orders;
  assertEquals(differing, []);
  assertEquals(agreeing + notComputable.contract_signature!, await rows("orders"));
  assertEquals([recomputed!.agreeing, recomputed!.differing], [auctions, []]);
});

inFolder.test("recompute() finds each altered quantity", async (folder) => {
  const [, first] = (await BOOK.competition(1999)).solutions;
  const altered = alteredBook(RECORDING, (path, body) => {
    if (path.endsWith("solver_competition/1999")) body.solutions[1].score = `${first!.score - 1n}`;
    if (path.endsWith("solver_competition/2003")) {
      for (const solver of Object.keys(body.referenceScores)) body.referenceScores[solver] = "7";
    }
    for (const { blockNumber, executedProtocolFees } of path.includes("/v2/trades?") ? body : []) {
      const [fee] = executedProtocolFees;
      if (blockNumber % 2 === 0) fee.amount = `${BigInt(fee.amount) + 1n}`;
    }
    if (path.endsWith("by_uids")) body[0].order.status = "open";
  });
  await exportDataset(altered, folder, {
    auctions: AUCTIONS,
    debugReports: false,
    tables: ["orders", "trades"],
  });
  const { problems, recomputed } = await verifyDataset(folder, { recompute: true });
  // Of all that is altered, the statuses alone contradict other facts of their records.
  assertEquals(problems.map(({ problem }) => problem.split(":")[0]), [
    "contradiction (order_status)",
    "contradiction (order_status)",
    "contradiction (order_status)",
  ]);
  const trades = (await Array.fromAsync((await openDataset(folder)).trades()))
    .filter(({ blockNumber }) => blockNumber % 2 === 0);
  assertEquals(recomputed!.referenceScores.differing.length, 1);
  assertStringIncludes(recomputed!.referenceScores.differing[0]!, "auction 2003");
  assertEquals(recomputed!.fees.differing.length, trades.length);
  assertEquals(recomputed!.scores.differing.length, 1);
  assertStringIncludes(
    recomputed!.scores.differing[0]!,
    `auction 1999, ranking 3: score is ${first!.score - 1n}, recomputed`,
  );
  assertStringIncludes(recomputed!.scores.differing[0]!, `${first!.score}`);
  // One request of 128 orders for each of the three files: the first order of each is altered.
  assertEquals(recomputed!.statuses.differing.length, 3);
  assertStringIncludes(recomputed!.statuses.differing[0]!, "is open, recomputed fulfilled");
  assertEquals(recomputed!.differing, [2003]);
});

inFolder.test("recompute() infers a maximum of one winner", async (folder) => {
  let changed = 0;
  const book = changedBook(RECORDING, ({ path }, response) => {
    if (!/solver_competition\/\d+$/.test(path) || response.status !== 200) return response;
    const competition = decodeCompetition(JSON.parse(response.body));
    if (competition.solutions.filter(({ isWinner }) => isWinner).length > 1) changed++;
    const alone = asReplayed(competition, replayCompetition(competition, { maxWinners: 1 }));
    return { ...response, body: JSON.stringify(encodeCompetition(alone)) };
  });
  await exportDataset(book, folder, {
    auctions: { from: 1605, to: 1625 },
    trades: false,
    tables: ["solutions"],
  });
  const { recomputed } = await verifyDataset(folder, { recompute: true });
  assertEquals([recomputed!.winners.differing, recomputed!.referenceScores.differing], [[], []]);
  assertEquals(changed, 3);
});

/** Fields of orders that their UIDs, their app data's hash or their signatures commit to. */
const COMMITTED: Readonly<Record<string, (order: Record<string, unknown>) => unknown>> = {
  owner: () => `0x${"5a".repeat(20)}`,
  receiver: () => `0x${"5a".repeat(20)}`,
  validTo: ({ validTo }) => Number(validTo) + 1,
  appData: () => `0x${"5a".repeat(32)}`,
  fullAppData: () => "{}",
  buyAmount: ({ buyAmount }) => `${BigInt(String(buyAmount)) * 1000n}`,
  signature: ({ signature }) => `0x5a${String(signature).slice(4)}`,
};

inFolder.test("recompute() finds each altered field of an order by its commitments", async (folder) => {
  const changes = Object.entries(COMMITTED);
  const uids = new Map<string, string>();
  const altered = alteredBook(RECORDING, (path, body) => {
    if (!path.endsWith("by_uids")) return;
    for (const { order } of body) {
      const [name, forged] = changes[uids.size] ?? [];
      if (name === undefined || order.signingScheme !== "eip712") continue;
      uids.set(order.uid, name);
      order[name] = forged!(order);
    }
  });
  await exportDataset(altered, folder, {
    auctions: { from: 1990, to: 2012 },
    debugReports: false,
    tables: ["orders"],
  });
  assertEquals(uids.size, changes.length);
  const { recomputed } = await verifyDataset(folder, { recompute: true });
  const { differing } = recomputed!.orders;
  for (const [uid, name] of uids) {
    assertEquals([name, differing.filter((text) => text.includes(uid)).length], [name, 1]);
  }
  assertEquals(differing.length, changes.length);
});

inFolder.test("refetch() distinguishes possible changes from others", async (folder) => {
  const then = alteredBook(RECORDING, (path, body) => {
    if (/solver_competition\/(1998|1999)$/.test(path)) {
      body.transactionHashes = [];
      for (const solution of body.solutions) delete solution.txHash;
    }
    if (path.endsWith("solver_competition/2003")) body.solutions[0].score += "0";
    if (!path.endsWith("by_uids")) return;
    Object.assign(body[0].order, { status: "open", executedSellAmount: "0" });
    Object.assign(body[0].order, { executedBuyAmount: "0", executedSellAmountBeforeFees: "0" });
    if (body.length > 1) body[1].order.sellAmount += "0";
  });
  await exportDataset(then, folder, {
    auctions: AUCTIONS,
    debugReports: false,
    trades: false,
    tables: ["auctions", "orders"],
  });
  const dataset = await openDataset(folder);
  const { isWhole, problems, refetched } = await verifyDataset(folder, {
    book: BOOK,
    refetch: 100,
  });
  const ids = await dataset.auctionIds();
  assertEquals(refetched?.auctions, ids.length);
  const hashes = ids.filter((id) => id === 1998 || id === 1999);
  assertEquals(refetched?.differing, [2003]);
  assertEquals(
    refetched?.changed.filter((text) => text.startsWith("auction")).sort(),
    hashes.map((id) => `auction ${id}: solutions, transactionHashes`),
  );
  // The first two orders of both files, and the only one without a bid.
  assertEquals(refetched?.differingOrders.length, 2);
  assertEquals(refetched?.changed.filter((text) => text.startsWith("order")).length, 3);
  assertStringIncludes(refetched!.changed.join(), "executedBuyAmount");
  assertEquals([isWhole, problems.length], [false, 3]);
  const { refetched: two } = await verifyDataset(folder, { book: BOOK, refetch: 2, seed: 3 });
  assertEquals([two?.auctions, two?.orders], [2, 2]);
});

Deno.test("refetch() draws a new sample each time, and an equal one for an equal seed", async () => {
  const draw = async (seed?: number) => {
    const { book, asked } = listening(RECORDING, new TestClock());
    const { seed: drawnWith } = await verifyDataset("market_1", { book, refetch: 5, seed });
    return { seed: drawnWith, asked };
  };
  const [first, second] = [await draw(), await draw()];
  assert(first.seed !== second.seed && first.seed !== null);
  assert(first.asked.join() !== second.asked.join());
  assertEquals(await draw(first.seed), first);
  assertEquals((await verifyDataset("market_1")).seed, null);
});

inFolder.test("refetch() finds auctions that a dataset claims to be absent", async (folder) => {
  const body = '{"errorType":"NotFound","description":"solver competition not found"}';
  const hiding = changedBook(
    RECORDING,
    ({ path }, response) =>
      /solver_competition\/(1998|2003)$/.test(path) ? { ...response, status: 404, body } : response,
  );
  await exportDataset(hiding, folder, {
    auctions: AUCTIONS,
    debugReports: false,
    trades: false,
    tables: ["auctions"],
  });
  const all = await verifyDataset(folder, { book: BOOK, refetch: 1_000 });
  assertEquals(all.refetched?.differingAbsent, [1998, 2003]);
  assertEquals(all.problems.map(({ problem }) => problem), [
    "auction 1998 is counted as absent, but the service has it",
    "auction 2003 is counted as absent, but the service has it",
  ]);
  const some = await verifyDataset(folder, { book: BOOK, refetch: 2, seed: 5 });
  assertEquals(some.refetched?.absent, 2);
});

inAll.test("verifyDataset() reports references to missing rows", async (folder) => {
  const file = "0000002000-0000002999.parquet";
  const cases = [
    ["trades", ["protocol_fees: chain_id, block_number, log_index, order_uid"]],
    ["orders", [
      "trades: order_uid",
      "protocol_fees: order_uid",
      "executions: order_uid",
      "fees: order_uid",
      "fills: order_uid",
      "lifecycle: order_uid",
      "order_events: order_uid",
    ]],
    ["auctions", [
      "manifest.json: it counts 5 auctions, its table 4",
      "solutions: auction_id",
      "solution_orders: auction_id",
      "reference_scores: auction_id",
      "native_prices: auction_id",
      "bids: auction_id",
      "outcomes: auction_id",
      "attempts: auction_id",
      "fair_gain: auction_id",
    ]],
    ["solutions", ["solution_orders: auction_id, ranking"]],
  ] as const;
  for (const [table, expected] of cases) {
    const restore = await rewriteTable(
      folder,
      `${table}/${file}`,
      (frame) => frame.tail(frame.height - 1),
    );
    const found = (await problemsOf(folder)).filter((text) => !text.startsWith("order_listings"))
      .map((text) => text.replace(/^(.+?)\/.+: \d+ rows? with (.+) not in.*/, "$1: $2"));
    assertEquals(found.sort(), [...expected].sort());
    await restore();
  }
});

inFew.test("verifyDataset() reports a manifest that is malformed, or has wrong counts", async (folder) => {
  const file = `${folder}/manifest.json`;
  const honest = await Deno.readTextFile(file);
  const written = async (alter: Parameters<typeof changeManifest>[1]) => {
    await Deno.writeTextFile(file, honest);
    await changeManifest(folder, alter);
  };
  const cases = [
    [(one) => delete one.source, "manifest.source is missing"],
    [(one) => one.ids.present = [[2000, 2 ** 53]], "manifest.ids.present.0 is"],
    [(one) => one.files[0].rows = -1, "manifest.files.0.rows is -1"],
    [(one) => one.files[0].path = "../../etc/passwd", "manifest.files.0.path is"],
    [(one) => one.files[0] = null, "manifest.files.0 is null"],
    [(one) => one.request.tables = "all", "manifest.request.tables is"],
  ] as [Parameters<typeof written>[0], string][];
  for (const [alter, where] of cases) {
    await written(alter);
    const error = await assertRejects(() => verifyDataset(folder), DamagedError);
    assertStringIncludes(error.message, where);
  }
  const others = [
    [(one) => one.ids.present[0][1]++, "it counts 6 auctions, its table 5"],
    [(one) => one.items.competition.present++, "6 auctions that are present, its ids 5"],
    [
      ({ files }) => files.find(({ leastKey }: { leastKey: unknown }) => leastKey).leastKey = [7],
      "its least or greatest key does not match the manifest",
    ],
    [(one) => one.answers["POST /rpc 200"] = 7, "7 responses of POST /rpc 200, its files have 0"],
  ] as [Parameters<typeof written>[0], string][];
  for (const [alter, problem] of others) {
    await written(alter);
    assertStringIncludes((await problemsOf(folder)).join("\n"), problem);
  }
  // Whatever a manifest counts, twice.
  const { items, failures } = JSON.parse(honest);
  assertEquals(failures, []);
  for (const [kind, states] of Object.entries<Record<string, number>>(items)) {
    for (const state of Object.keys(states)) {
      await written((one) => one.items[kind][state] *= 2);
      const problems = (await problemsOf(folder)).join("\n");
      assertStringIncludes(problems, `it counts ${2 * states[state]!} `);
    }
  }
  await Deno.writeTextFile(file, honest);
  await Deno.writeTextFile(`${folder}/prices.csv`, "");
  await Deno.rename(`${folder}/auctions`, `${folder}/../auctions-elsewhere`);
  await Deno.symlink("../auctions-elsewhere", `${folder}/auctions`);
  const problems = await problemsOf(folder);
  await Deno.remove(`${folder}/../auctions-elsewhere`, { recursive: true });
  assertEquals(problems.filter((line) => /link|belong/.test(line)), [
    "auctions/0000002000-0000002999.parquet: it is a link, or in a folder that is one",
    "prices.csv: it does not belong to the dataset",
  ]);
});

inFew.test("verifyDataset() names every file that is a link", async (folder) => {
  const { files } = JSON.parse(await Deno.readTextFile(`${folder}/manifest.json`));
  const elsewhere = `${folder}/../linked-${crypto.randomUUID()}`;
  await Deno.mkdir(elsewhere);
  try {
    const paths = [files[0]!.path, files.at(-1)!.path, "README.md", "manifest.json", "SHA256SUMS"];
    for (const [index, path] of paths.entries()) {
      await Deno.rename(`${folder}/${path}`, `${elsewhere}/${index}`);
      await Deno.symlink(`${elsewhere}/${index}`, `${folder}/${path}`);
      assertEquals(await problemsOf(folder), [`${path}: it is a link, or in a folder that is one`]);
      await Deno.remove(`${folder}/${path}`);
      await Deno.rename(`${elsewhere}/${index}`, `${folder}/${path}`);
    }
    const [path] = paths;
    await Deno.remove(`${folder}/${path}`);
    await Deno.symlink(`${elsewhere}/nothing`, `${folder}/${path}`);
    const problems = await problemsOf(folder);
    assertStringIncludes(problems.join("\n"), `${path}: it is a link, or in a folder that is one`);
  } finally {
    await Deno.remove(elsewhere, { recursive: true });
  }
});

inFew.test("verifyDataset() finds an edited cell with renewed sums by building its table again", async (folder) => {
  assertEquals((await verifyDataset(folder, { recompute: true })).problems, []);
  const path = "trades/0000002000-0000002999.parquet";
  await rewriteTable(
    folder,
    path,
    (frame) =>
      frame.withColumn(frame.getColumn("tx_hash").shift(1).fillNull("zero").alias("tx_hash")),
  );
  assertEquals((await verifyDataset(folder)).problems, []);
  assertEquals(await problemsOf(folder, { recompute: true }), [
    `${path}: its tx_hash differ from what ${VERSION} builds from the stored responses`,
  ]);
  const whole = await rewriteTable(folder, path, (frame) => frame.drop("tx_hash"));
  assertEquals(await problemsOf(folder), [`${path}: it lacks the columns tx_hash`]);
  await whole();
  const restore = await rewriteTable(folder, path, (frame) => pl.concat([frame.head(2), frame]));
  assertEquals(await problemsOf(folder), [`${path}: 2 rows with the key of another row`]);
  await restore();
  await changeManifest(folder, (manifest) => manifest.library = "0.0.1");
  const found = await problemsOf(folder, { recompute: true });
  assertEquals(found.filter((text) => !text.startsWith("manifest.json: its SHA-256")), [
    `${path}: its tx_hash differ from what ${VERSION} builds from the stored responses`,
  ]);
});

inFew.test("verifyDataset() accepts the same rows in another codec", async (folder) => {
  const path = "trades/0000002000-0000002999.parquet";
  await rewriteFile(folder, path, (file) => {
    pl.readParquet(file).writeParquet(file, { compression: "gzip" });
    return {};
  });
  assertEquals(await problemsOf(folder, { recompute: true }), []);
});

inFew.test("readManifest() rejects a manifest that lists a file twice", async (folder) => {
  await changeManifest(folder, ({ files }) => files.push(files[0]));
  const error = await assertRejects(() => verifyDataset(folder), DamagedError);
  assertStringIncludes(error.message, "its manifest.json lists a file twice");
});

inFew.test("verifyDataset() reports a file of responses that unpacks to too much", async (folder) => {
  const path = "raw/0000002000-0000002999.ndjson.zst";
  await rewriteFile(folder, path, (file) => {
    const frame = zstdCompressSync(new Uint8Array(1 << 20));
    Deno.writeFileSync(file, Buffer.concat(Array<Buffer>(65).fill(frame)));
    return {};
  });
  const problems = await problemsOf(folder, { recompute: true });
  assertEquals(problems.filter((text) => text.startsWith(path)), [
    `${path}: its responses cannot be read: it unpacks to more than 67,108,864 bytes`,
  ]);
});

inFew.test("verifyDataset() reports a table that no rebuild makes", async (folder) => {
  const [path, other] = ["0000002000", "0000003000"].map((from) =>
    `trades/${from}-${from.slice(0, 7)}999.parquet`
  ) as [string, string];
  await changeManifest(folder, ({ files }) => {
    const facts = files.find((one: { path: string }) => one.path === path);
    files.push({ ...facts, path: other });
  });
  await Deno.copyFile(`${folder}/${path}`, `${folder}/${other}`);
  assertStringIncludes(
    (await problemsOf(folder, { recompute: true })).join("\n"),
    `${other}: no rebuild of the stored responses makes it`,
  );
});

inFew.test("verifyDataset() notices fills that were removed from request, files and folder", async (folder) => {
  await changeManifest(folder, (manifest) => {
    manifest.request.tables = FEW.filter((name) => name !== "trades");
    manifest.files = manifest.files.filter((one: { path: string }) => !/^trades/.test(one.path));
  });
  await Deno.remove(`${folder}/trades`, { recursive: true });
  await Deno.remove(`${folder}/SHA256SUMS`);
  const found = await problemsOf(folder);
  assertEquals(found.filter((text) => !text.startsWith("SHA256SUMS")), [
    "manifest.json: it has responses of trades, which none of its tables needs: one is missing",
    "README.md: it does not match the manifest",
    "datapackage.json: it does not match the manifest",
    "croissant.json: it does not match the manifest",
  ]);
});

Deno.test("refetch() rejects a deployment of another chain before its first request", async () => {
  const book = connect({
    baseUrl: "http://other.example",
    send: () => Promise.reject(new TypeError("it was asked")),
  }, { chainId: 100, settlementContract: BOOK.settlementContract });
  await assertRejects(
    () => verifyDataset("market_1", { book, refetch: 1 }),
    InputError,
    `dataset: chain 1, ${BOOK.settlementContract}\n  deployment: chain 100, `,
  );
});
