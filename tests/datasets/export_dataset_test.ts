import { connect, InputError } from "orderlens";
import {
  exportDataset,
  type ExportOptions,
  type ExportResult,
  openDataset,
  planExport,
  verifyDataset,
} from "orderlens/datasets";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { storedRun } from "../stored_run.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { FEW, LATER, presentIn, recorded, rowsOf } from "./exported.ts";
import { openSandbox } from "orderlens/sandbox";

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING);
const RANGE = { from: 2590, to: 2624 };
const IDS = RECORDING.recorded.auctionIds.filter((id) => id >= RANGE.from);

inFolder.test("exportDataset() exports a market as the service stored it", async (folder, t) => {
  const tables = ["solutions", "trades", "order_listings"];
  const { manifest } = await exportDataset(BOOK, folder, { auctions: RANGE, tables });
  const dataset = await openDataset(folder);
  const stored = await storedRun("market_1");
  const textsOf = (rows: readonly object[], columns: readonly string[]) =>
    rows.map((row) => columns.map((name) => Reflect.get(row, name)).join());

  await t.step("every id has a state, and the recording has those that are present", () => {
    assertEquals(presentIn(manifest), IDS);
    const all = Object.values(manifest.ids).flat().reduce((sum, [a, b]) => sum + b - a + 1, 0);
    assertEquals(all, RANGE.to - RANGE.from + 1);
    assertEquals([manifest.isComplete, manifest.failures], [true, []]);
  });

  await t.step("answers are kept character for character", async () => {
    for (const id of IDS) {
      const request = { method: "GET", path: `/api/v2/solver_competition/${id}` } as const;
      assertEquals((await dataset.send(request)).body, (await RECORDING.send(request)).body);
    }
  });

  await t.step("fills have the stored amounts", async () => {
    const event = ["block_number", "log_index", "order_uid"];
    const amounts = ["sell_amount_atoms", "buy_amount_atoms"];
    const found = textsOf(await rowsOf(dataset, "trades"), [...event, ...amounts]).sort();
    const blocks = found.map((text) => Number(text.split(",")[0]));
    const [first, last] = [Math.min(...blocks), Math.max(...blocks)];
    const within = stored.trades.filter((one) =>
      first <= one.block_number && one.block_number <= last
    );
    assertEquals(found, textsOf(within, [...event, "sell_amount", "buy_amount"]).sort());
  });

  await t.step("solutions have the stored scores", async () => {
    const columns = ["auction_id", "solver", "is_winner", "filtered_out"];
    const ids = new Set(IDS);
    const within = stored.proposed_solutions.filter(({ auction_id }) => ids.has(auction_id));
    assertEquals(
      textsOf(await rowsOf(dataset, "solutions"), [...columns, "score_atoms"]).sort(),
      textsOf(within, [...columns, "score"]).sort(),
    );
  });

  await t.step("a listing interval covers the auctions that list the order", async () => {
    const counts = new Map<string, number>();
    for await (const { auction } of dataset.competitions()) {
      for (const uid of new Set(auction.orders)) counts.set(uid, (counts.get(uid) ?? 0) + 1);
    }
    const listed = new Map<string, number>();
    for (
      const { order_uid: uid, auction_count: count } of await rowsOf(dataset, "order_listings")
    ) {
      listed.set(`${uid}`, (listed.get(`${uid}`) ?? 0) + Number(count));
    }
    assertEquals([...listed].sort(), [...counts].sort());
  });
});

inFolder.test("exportDataset() exports single orders with their fills and the auctions that settled them", async (folder) => {
  const uids = RECORDING.recorded.orderUids.slice(0, 6);
  const { orders } = await BOOK.orders(uids);
  const unknown = `0x${"ab".repeat(56)}`;
  const { manifest } = await exportDataset(BOOK, folder, {
    uids: [...uids, unknown],
    tables: [...FEW, "fills", "lifecycle"],
  });
  const dataset = await openDataset(folder);
  assertEquals((await Array.fromAsync(dataset.orders())).map(({ uid }) => uid), [...uids]);
  assertEquals(manifest.items.order, { absent: 1, present: 6 });
  const executed = orders.filter(({ executedBuyAmount }) => executedBuyAmount > 0n);
  const trades = await Array.fromAsync(dataset.trades());
  assertEquals(new Set(trades.map(({ orderUid }) => orderUid)).size, executed.length);
  const settled = new Set(trades.map(({ txHash }) => txHash));
  const competitions = await Array.fromAsync(dataset.competitions());
  const hashes = new Set(competitions.flatMap(({ transactionHashes }) => transactionHashes));
  assertEquals([...settled].filter((hash) => hash !== null && !hashes.has(hash)), []);
  assertEquals((await verifyDataset(folder)).problems, []);
});

Deno.test("planExport() estimates a week of mainnet without a request", async () => {
  const book = connect("mainnet", {
    fetch: () => Promise.reject(new Error("nothing is asked for")),
    clock: LATER,
  });
  const dates = { from: "2026-11-01", to: "2026-11-08" };
  const plan = await planExport(book, { dates });
  // 5,500 ids a day: 59,750 orders by 128, one report, and 100 to find the range. Of 34,650 orders
  // that are filled, 9,702 are EthFlow's, by 1,000, and 24,948 of 2.6 × 24,948 ** 0.79 accounts.
  assertEquals(plan.requests.map(({ count }) => count), [100, 38_500, 467, 7_749, 1]);
  assertEquals([plan.total, plan.minutes, plan.rate], [46_817, 586, 80]);
  assertEquals([plan.duration, plan.ids, plan.areIdsEstimated], ["9 h 46 min", 38_500, true]);
  // Of each auction a start block and 0.9 of fills, by 100, a settlement by 50, and 60 for the range.
  assertEquals([plan.nodeRequests, plan.nodeRequestsIfPassed], [0, 60 + 732 + 770]);
  assertEquals(plan.columns.order_listings?.[3], "order_uid");
  assertEquals(plan.missing.map((text) => text.split(":")[0]), [
    "timestamps of blocks",
    "settlements on the chain",
    "order_events and executions",
    "auctions of more than about two months ago",
  ]);

  const few = await planExport(book, { dates, tables: ["auctions", "blocks"], node: "https://x" });
  assertEquals(few.requests.map(({ count }) => count), [60, 38_500]);
  // A start block of each auction in requests of 100, and those that find the range.
  assertEquals([few.nodeRequests, few.missing.length], [445, 1]);

  // Without a node, creation dates bound the times of auctions: orders are asked for, and no fills.
  const bounded = await planExport(book, { dates, tables: ["auctions"] });
  assertEquals(bounded.requests.map(({ route }) => route.split(",")[0]), [
    "GET /api/v2/solver_competition/{id}",
    "GET /api/v2/solver_competition/{id}",
    "POST /api/v1/orders/by_uids",
  ]);

  // An auction of a single order is found by its fills.
  const single = await planExport(book, { uids: [`0x${"01".repeat(56)}`], tables: ["auctions"] });
  assertEquals(single.requests.map(({ count }) => count), [1, 2, 1]);

  const base = connect("base", { fetch: () => Promise.reject(new Error("nothing")), clock: LATER });
  const day = await planExport(base, { dates: { from: "2024-10-01", to: "2024-10-18" } });
  // Three of four ids have no auction, and are passed by.
  assertEquals(day.requests.slice(0, 2).map(({ count }) => count), [400, 70_000]);
  assertEquals(day.missing.some((text) => text.includes("2024-10-17")), true);
});

Deno.test("exportDataset() refuses invalid options, and sends nothing", async () => {
  const auctions = { from: 1, to: 5 };
  const walk = { node: RECORDING, walk: "settlements" };
  const cases = [
    [{}, "Cannot export without a selection"],
    [{ last: 1, owner: `0x${"ab".repeat(20)}` }, "Cannot export both last and owner"],
    [{ auctions: { from: 3, to: 2 } }, "Cannot export with auctions"],
    [{ last: 0 }, "Cannot export with last 0"],
    [{ uids: ["0x12"] }, "Cannot export with uids"],
    [{ last: 1, tables: ["trade"] }, "Cannot export with tables"],
    [{ last: 1, speed: 1 }, "speed"],
    [{ dates: { from: "2026-11-01" } }, "without an end"],
    [{ auctions, follow: true }, "has an end"],
    [{ blocks: auctions, follow: true }, "has an end"],
    [{ dates: { from: "2026-11-02", to: "2026-11-02" } }, "the dates are empty"],
    [{ dates: { from: "2026-11-31", to: "2026-12-02" } }, "dates.from is not a time"],
    [{ dates: { from: "2026-11-01T12:00", to: "2026-12-02" } }, "dates.from is not a time"],
    [{ dates: { from: 5, to: "2026-12-02" } }, "with dates"],
    [{ blocks: { from: 3, to: 2 } }, "with blocks"],
    [{ last: 1, tables: ["blocks"] }, "the table blocks without a node"],
    [{ last: 1, node: 5 }, "with node"],
    [{ blocks: auctions, walk: "settlements" }, "without a node"],
    [{ last: 5, ...walk }, "without blocks or dates"],
    [{ auctions, ...walk }, "without blocks or dates"],
    [{ dates: { from: "2026-11-01" }, follow: true, ...walk }, "and follow"],
    [{ blocks: auctions, ...walk, walk: "logs" }, "walk"],
  ] as const;
  for (const [options, text] of cases) {
    await assertRejects(
      () => exportDataset(BOOK, "/dev/null/x", options as unknown as ExportOptions),
      InputError,
      text,
    );
  }
});

inFolder.test("exportDataset() rejects a folder that cannot be written", async (folder) => {
  await Deno.writeTextFile(`${folder}/file`, "");
  for (const path of [`${folder}/file`, `${folder}/file/below`]) {
    const error = await assertRejects(() => exportDataset(BOOK, path, { last: 1 }), InputError);
    assertEquals(error.message.split("\n")[0], `Cannot export into ${path}`);
  }
  await assertRejects(() => openDataset(folder), InputError, "it has no manifest.json");
});

inFolder.test("exportDataset() replaces no foreign file", async (folder) => {
  await Deno.writeTextFile(`${folder}/README.md`, "mine");
  await Deno.writeTextFile(`${folder}/notes.txt`, "mine");
  const options = { auctions: { from: 2620, to: 2620 } };
  const refused = exportDataset(connect(await recorded("market_1")), folder, options);
  await assertRejects(() => refused, InputError, "its README.md was written by no export");
  assertEquals(await Deno.readTextFile(`${folder}/README.md`), "mine");
});

inFolder.test("an export follows new auctions until it is stopped, and the same call continues, with every fill", async (folder) => {
  const sandbox = await openSandbox({ seed: 11, auctions: 12 });
  const book = connect(sandbox);
  const latest = async () => (await book.competition("latest")).auctionId;
  const first = await latest() - 5;
  const options = {
    last: 6,
    follow: true,
    node: sandbox,
    tables: ["auctions", "orders", "trades", "blocks"],
    debugReports: false,
  };

  /** Follows for a number of auctions, and stops it in a phase. */
  async function followFor(ids: number, stopIn: "order" | "tables"): Promise<ExportResult> {
    const stop = new AbortController();
    const begin = await latest();
    return await exportDataset(book, folder, {
      ...options,
      signal: stop.signal,
      onProgress: ({ phase }) => {
        const over = sandbox.description.auctionId - begin;
        assert(over < ids + 50, "it is not stopped");
        if (phase === stopIn && over >= ids) stop.abort();
      },
    });
  }
  const { manifest: before } = await followFor(2, "tables");
  assertEquals([before.range?.from, before.request.last], [first, 6]);
  assert(before.range!.to > first + 6, `${before.range?.to} after ${first}`);

  await sandbox.advance({ auctions: 3 });
  const { manifest } = await followFor(4, "order");
  assertEquals(manifest.range?.from, first);
  assert(manifest.range!.to > before.range!.to + 3);
  assert((await verifyDataset(folder)).isWhole);

  const auctions = await rowsOf(folder, "auctions");
  assertEquals(auctions.map((row) => row.auction_id), presentIn(manifest));
  assertEquals(new Set(auctions.map((row) => row.time_basis)), new Set(["block"]));

  // What the deployment says of every order when the export has ended.
  const dataset = await openDataset(folder);
  const kept = Map.groupBy(await Array.fromAsync(dataset.trades()), ({ orderUid }) => orderUid);
  const [missing, open]: [string[], string[]] = [[], []];
  const bidOn = new Set<string>();
  for await (const { solutions } of dataset.competitions()) {
    for (const { orders } of solutions) for (const { id } of orders) bidOn.add(id);
  }
  for await (const { uid } of dataset.orders()) {
    if (!bidOn.has(uid)) continue;
    const fills = await Array.fromAsync(book.trades({ orderUid: uid }));
    if (fills.length !== (kept.get(uid)?.length ?? 0)) missing.push(uid);
    if ((await book.order(uid)).status === "open") open.push(uid);
  }
  assertEquals(missing, []);
  assert(kept.size > 10, `${kept.size} orders with fills`);
  assert(manifest.openOrders !== undefined && manifest.openOrders.count >= open.length);
  const { askedSince, count, statuses } = manifest.openOrders;
  const ofStatuses = Object.values(statuses ?? {}).reduce((sum, one) => sum + one, 0);
  assertEquals([ofStatuses, statuses?.unknown], [count, undefined]);
  const asked = Date.parse(askedSince ?? "");
  assert(asked <= sandbox.now.epochMilliseconds && asked > 0, `${asked}`);
  const card = await Deno.readTextFile(`${folder}/README.md`);
  assert(card.includes(`when last requested, ${askedSince} or later; later changes are missing`));

  // Exported at once, the range has the same auctions.
  const whole = await exportDataset(book, `${folder}/whole`, {
    auctions: manifest.range!,
    tables: ["auctions"],
  });
  assertEquals(whole.manifest.ids.present, manifest.ids.present);
});
