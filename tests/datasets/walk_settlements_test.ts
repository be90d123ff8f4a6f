import {
  type Competition,
  connect,
  InputError,
  MismatchError,
  NotRecordedError,
  type OrderBook,
} from "orderlens";
import {
  exportDataset,
  type ExportOptions,
  mergeDatasets,
  openDataset,
  planExport,
  rebuildDataset,
  verifyDataset,
} from "orderlens/datasets";
import type { RpcAnswer, RpcCall } from "orderlens/evm";
import { type Replay, replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { exportInSteps } from "../../lib/datasets/export/export_dataset.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { type StoredRun, storedRun } from "../stored_run.ts";
import { changedBook } from "./altered_book.ts";
import { folderBytes, inCopyOf, LATER, newFolder, presentIn, recorded } from "./exported.ts";

function auctionsOf(settlements: StoredRun["settlements"]): number[] {
  return [...new Set(settlements.map(({ auction_id }) => auction_id))].sort((a, b) => a - b);
}

/** From the first block to the last. */
function blocksOf(settlements: StoredRun["settlements"]): { from: number; to: number } {
  const blocks = settlements.map(({ block_number }) => block_number);
  return { from: Math.min(...blocks), to: Math.max(...blocks) };
}

/** A recording whose service says of a transaction that was never asked for that it has none. */
function serviceOf(recording: Replay, sent: string[] = []): OrderBook {
  return asLater(recording, async (request) => {
    sent.push(request.path);
    if (!request.path.includes("/by_tx_hash/")) return await recording.send(request);
    return await recording.send(request).catch((error) => {
      if (error instanceof NotRecordedError) return NOT_FOUND;
      throw error;
    });
  });
}

/** A deployment, long after everything that was recorded. */
function asLater({ baseUrl, deployment }: Replay, send: Replay["send"]): OrderBook {
  return changedBook({ baseUrl, deployment, send }, undefined, LATER);
}

const NOT_FOUND = {
  status: 404,
  headers: new Headers(),
  contentType: "application/json",
  body: `{"errorType":"NotFound","description":"no solver competition found"}`,
};

/** The node of a recording, with a time for each block. */
function timed(recording: Replay) {
  return {
    rpc: async (calls: readonly RpcCall[]): Promise<RpcAnswer[]> =>
      (await recording.rpc(calls)).map((answer, place) => {
        const { method, params: [number] } = calls[place]!;
        if (method !== "eth_getBlockByNumber") return answer;
        return { result: { number, timestamp: `0x${secondsOf(Number(number)).toString(16)}` } };
      }),
  };
}

function secondsOf(block: number): number {
  return 1_700_000_000 + 12 * block;
}

const RECORDING = await recorded("market_3");
const BOOK = serviceOf(RECORDING);
/** The last settlements, whose auctions stand in two files. */
const STORED = (await storedRun("market_3")).settlements
  .toSorted((a, b) => a.block_number - b.block_number).slice(-20);
const BLOCKS = STORED.map(({ block_number }) => block_number);
const [FIRST, LAST] = [BLOCKS[0]!, BLOCKS.at(-1)!];
const MIDDLE = BLOCKS[BLOCKS.length >> 1]!;
const TABLES = ["auctions", "trades"];

function walked(blocks: { from: number; to: number }): ExportOptions {
  return { blocks, node: RECORDING, walk: "settlements", tables: TABLES };
}

inFolder.test("a walk over settlements requests each auction that settled once", async (folder) => {
  const ids = new Set(RECORDING.recorded.auctionIds);
  const { settlements: stored } = await storedRun("market_3");
  const blocks = blocksOf(stored);
  const known = stored.filter(({ auction_id }) => ids.has(auction_id));
  const expected = auctionsOf(known);
  const sent: string[] = [];
  const node = timed(RECORDING);
  const { manifest, requests } = await exportDataset(serviceOf(RECORDING, sent), folder, {
    blocks,
    node,
    walk: "settlements",
    tables: ["auctions"],
  });
  assertEquals(presentIn(manifest), expected);
  assertEquals(manifest.range, { from: expected[0]!, to: expected.at(-1)! });
  assertEquals([manifest.failures, manifest.isComplete], [[], true]);
  const unknown = stored.length - known.length;
  assertEquals(manifest.walk, {
    blocks: [[blocks.from, blocks.to]],
    settlements: stored.length,
    unknown,
  });
  assertEquals(sent.every((path) => path.includes("/by_tx_hash/")), true);
  assertEquals(requests, expected.length + unknown);
  const byIds: string[] = [];
  const dataset = connect(await openDataset(folder));
  for await (
    const { auctionId, competition } of serviceOf(RECORDING, byIds).competitions(
      manifest.range!,
    )
  ) {
    if (!expected.includes(auctionId)) continue;
    assertEquals(inOrder(await dataset.competition(auctionId)), inOrder(competition!));
  }
  assert(requests < 0.6 * byIds.length, `${requests} of ${byIds.length} requests`);
});

/** The service names the transactions of an auction, and the orders of a solution, in any order. */
function inOrder(competition: Competition): Competition {
  return {
    ...competition,
    transactionHashes: competition.transactionHashes.toSorted(),
    solutions: competition.solutions.map((solution) => ({
      ...solution,
      orders: solution.orders.toSorted((a, b) => a.id < b.id ? -1 : 1),
    })),
  };
}

/** The walk over the first half of the blocks: its steps and result. */
const HALF = { from: FIRST, to: MIDDLE };
const STEPS: string[] = [];
const HALF_WALK = await exportInSteps(
  BOOK,
  await newFolder(),
  walked(HALF),
  (name) => STEPS.push(name),
);

inCopyOf(() => HALF_WALK.folder).test(
  "only settlements of the blocks are walked, and the folder says what is missing",
  async (folder) => {
    const { manifest } = HALF_WALK;
    const inside = STORED.filter(({ block_number }) => block_number <= MIDDLE);
    assertEquals(presentIn(manifest), auctionsOf(inside));
    assertEquals(manifest.request.walk, "settlements");
    const card = await Deno.readTextFile(`${folder}/README.md`);
    const cases = [
      `settled in blocks ${FIRST} to ${MIDDLE}, found by the logs`,
      "auctions that settled nothing in these blocks are missing here",
      "An id without a row may still have an auction",
      `--blocks ${FIRST}..${MIDDLE} --discover-by settlements`,
    ];
    for (const part of cases) assert(card.includes(part), part);
    // What was not asked for is no gap: neither the replay nor the folder says that there is none.
    const unasked = Array.from({ length: 1_000 }, (_, place) => manifest.range!.from + place)
      .find((id) => !presentIn(manifest).includes(id))!;
    assert(unasked < manifest.range!.to);
    for (const source of [await replay(folder), await openDataset(folder)]) {
      await assertRejects(() => connect(source).competition(unasked), NotRecordedError);
    }
    const verified = await verifyDataset(folder, { recompute: true, book: BOOK, refetch: 5 });
    assertEquals([verified.problems, verified.isWhole], [[], true]);
    const bytes = await folderBytes(folder);
    assertEquals(await rebuildDataset(folder), manifest);
    assertEquals(await folderBytes(folder), bytes);
    const again = await exportDataset(BOOK, folder, walked(HALF));
    assertEquals(again.manifest, manifest);
    assertEquals(await folderBytes(folder), bytes);
  },
);

inFolder.test("a walk that is interrupted or stopped continues to the same bytes", async (folder) => {
  const whole = HALF_WALK;
  const bytes = await folderBytes(whole.folder);
  // With answers that are appended and not named yet, and with tables that are in place.
  for (const stop of [2, STEPS.length >> 1]) {
    const path = `${folder}/${stop}`;
    let step = 0;
    const stopped = exportInSteps(BOOK, path, walked(HALF), () => {
      if (step++ === stop) throw new Error("killed");
    });
    await assertRejects(() => stopped, Error, "killed");
    assertEquals((await exportDataset(BOOK, path, walked(HALF))).manifest, whole.manifest);
    assertEquals(await folderBytes(path), bytes);
  }
  const path = `${folder}/parts`;
  let sent = 0;
  for (let run = 0;; run++) {
    const { manifest, stopped, requests } = await exportDataset(BOOK, path, {
      ...walked(HALF),
      maxRequests: 12,
    });
    sent += requests;
    if (stopped === null) break;
    assertEquals(manifest.isComplete, false);
    assert(run < 20);
  }
  assert(sent > 12 && sent < 1.1 * whole.requests, `${sent} and ${whole.requests} requests`);
  assertEquals(await folderBytes(path), bytes);
});

inFolder.test("mergeDatasets() joins walks with their blocks, and never into all ids", async (folder) => {
  const one = HALF_WALK;
  const at = (name: string) => `${folder}/${name}`;
  const two = await exportDataset(BOOK, at("2"), walked({ from: MIDDLE + 1, to: LAST }));
  const merged = await mergeDatasets([at("2"), one.folder], at("merged"));
  const blocks = [[FIRST, LAST]];
  const known = STORED.filter(({ auction_id: id }) => RECORDING.recorded.auctionIds.includes(id));
  const ids = auctionsOf(known);
  const unknown = STORED.length - known.length;
  assertEquals<unknown>(merged.walk, { blocks, settlements: STORED.length, unknown });
  assertEquals([presentIn(merged), merged.isComplete], [ids, true]);
  assertEquals(merged.range, { from: ids[0]!, to: ids.at(-1)! });
  assertEquals((await verifyDataset(at("merged"))).problems, []);
  // What several have is not counted twice, nor what is not counted in one of them.
  const overlap = await mergeDatasets([one.folder, one.folder], at("overlap"));
  assertEquals(overlap.walk, { blocks: [[FIRST, MIDDLE]], settlements: null, unknown: null });
  const all = await mergeDatasets([at("overlap"), at("2")], at("all"));
  assertEquals<unknown>(all.walk, { blocks, settlements: null, unknown: null });
  assertEquals(presentIn(all), ids);
  // Ids that neither has asked for leave a walk of ids incomplete.
  const [from] = presentIn(one.manifest);
  await exportDataset(BOOK, at("ids"), {
    auctions: { from: from!, to: from! + 3 },
    tables: TABLES,
    node: RECORDING,
  });
  const mixed = await mergeDatasets([at("ids"), at("2")], at("mixed"));
  assertEquals([mixed.walk, mixed.request.walk, mixed.isComplete], [undefined, undefined, false]);
  assertEquals(presentIn(mixed).includes(presentIn(two.manifest)[0]!), true);
});

inFolder.test("walkSettlements() rejects a node that leaves out the log of a settlement", async (folder) => {
  const recording = await recorded("market_1");
  const { settlements: stored } = await storedRun("market_1");
  const twice = Map.groupBy(stored, ({ auction_id }) => auction_id).values()
    .find((group) => group.length > 1)!;
  const blocks = blocksOf(twice);
  const honest = timed(recording);
  const cut = {
    rpc: async (calls: readonly RpcCall[]): Promise<RpcAnswer[]> =>
      (await honest.rpc(calls)).map((answer, place) =>
        calls[place]!.method !== "eth_getLogs" || "error" in answer ? answer : {
          result: (answer.result as { transactionHash: string }[])
            .filter(({ transactionHash }) => transactionHash !== twice[0]!.tx_hash),
        }
      ),
  };
  const book = connect(recording, { clock: LATER });
  const options = { blocks, walk: "settlements", tables: ["auctions"] } as const;
  const error = await assertRejects(
    () => exportDataset(book, folder, { ...options, node: cut }),
    MismatchError,
  );
  assert(error.message.includes(twice[0]!.tx_hash), error.message);
  const { manifest } = await exportDataset(book, folder, { ...options, node: honest });
  assertEquals(manifest.isComplete, true);
  assertEquals(presentIn(manifest).includes(twice[0]!.auction_id), true);
});

inFolder.test("walkSettlements() rejects blocks without an auction that the service knows", async (folder) => {
  const book = asLater(RECORDING, () => Promise.resolve(NOT_FOUND));
  const error = await assertRejects(
    () => exportDataset(book, folder, walked({ from: FIRST, to: MIDDLE })),
    InputError,
    "no auction that settled",
  );
  const count = BLOCKS.filter((block) => block <= MIDDLE).length;
  assert(error.message.includes(`settlements in these blocks: ${count}`), error.message);
});

inFolder.test("resolveWalk() finds the blocks between dates", async (folder) => {
  const timeOf = (block: number) =>
    Temporal.Instant.fromEpochMilliseconds(1_000 * secondsOf(block));
  const { manifest } = await exportDataset(BOOK, folder, {
    dates: { from: timeOf(FIRST), to: timeOf(MIDDLE) },
    node: timed(RECORDING),
    walk: "settlements",
    tables: ["auctions"],
  });
  const inside = STORED.filter(({ block_number }) => block_number < MIDDLE);
  assertEquals(presentIn(manifest), auctionsOf(inside));
  assertEquals(manifest.walk!.blocks, [[FIRST, MIDDLE - 1]]);
  assertEquals(manifest.resolution?.basis, "timestamps");
});

Deno.test("planExport() counts the settlements of a walk by requests to the node alone", async () => {
  const plan = await planExport(BOOK, walked({ from: FIRST, to: LAST }));
  assertEquals(plan.requests[0], {
    route: "GET /api/v2/solver_competition/by_tx_hash/{hash}",
    count: STORED.length,
    isEstimate: true,
  });
  assert(plan.missing.some((line) => line.includes("settled nothing")));
});

inFolder.test("an export of ids cannot become a walk, and a walk ends at existing blocks", async (folder) => {
  const blocks = { from: FIRST, to: LAST };
  await exportDataset(BOOK, folder, { ...walked(blocks), maxRequests: 1 });
  await assertRejects(
    () => exportDataset(BOOK, folder, { blocks, node: RECORDING, tables: TABLES }),
    InputError,
    "setting: walk",
  );
  const beyond = walked({ from: FIRST, to: 10_000_000 });
  await assertRejects(() => exportDataset(BOOK, `${folder}/x`, beyond), InputError, "newest");
});
