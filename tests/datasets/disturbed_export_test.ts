import { connect } from "orderlens";
import { exportDataset, verifyDataset } from "orderlens/datasets";
import { openSandbox } from "orderlens/sandbox";
import { assert, assertEquals, assertRejects } from "@std/assert";
import type { HttpRequest } from "orderlens/http";
import { inFolder } from "../sandbox/temp_folder.ts";
import { changedBook, listening, TestClock } from "./altered_book.ts";
import { exported, exportedOnce, folderBytes, LATER, recorded } from "./exported.ts";

const RECORDING = await recorded("market_1");
/** The service's own body where it has no competition. */
const ABSENT = '{"errorType":"NotFound","description":"solver competition not found"}';

function idOf({ path }: HttpRequest): number {
  return Number(/^\/api\/v2\/solver_competition\/(\d+)$/.exec(path)?.[1] ?? NaN);
}

inFolder.test("ids below the first stored competition are before history, and no gap", async (folder) => {
  const first = RECORDING.recorded.auctionIds.find((id) => id >= 2300)!;
  const { book, asked } = listening(
    RECORDING,
    LATER,
    (request, response) =>
      idOf(request) < 2300 ? { ...response, status: 404, body: ABSENT } : response,
  );
  const { manifest } = await exportDataset(book, folder, {
    auctions: { from: 2100, to: 2310 },
    tables: ["auctions"],
    trades: false,
  });
  assertEquals(manifest.ids.beforeHistory, [[2100, first - 1]]);
  assertEquals(manifest.ids.present[0]?.[0], first);
  assertEquals(manifest.isComplete, true);
  const old = asked.filter((one) => /competition\/2[12]\d\d$/.test(one));
  assert(old.length < 100, "most old ids are not asked for");
  assertEquals((await verifyDataset(folder)).problems, []);
});

inFolder.test("an absent id is requested until no quote that took it can be valid", async (folder) => {
  const options = { auctions: { from: 2622, to: 2624 }, tables: ["auctions"], trades: false };
  const { creationDate } = (await connect(RECORDING).orders(RECORDING.recorded.orderUids.slice(-1)))
    .orders[0]!;
  let nowMs = creationDate.epochMilliseconds;
  const clock = { now: () => nowMs, sleep: () => Promise.resolve() };
  let isQuote = true;
  let asked = 0;
  // The id of a quote for the fast path, whose order comes after a later auction is visible.
  const book = changedBook(RECORDING, (request, response) => {
    if (idOf(request) !== 2623) return response;
    asked++;
    const notFound = { errorType: "NotFound", description: "no competition found" };
    return isQuote ? { ...response, status: 404, body: JSON.stringify(notFound) } : response;
  }, clock);
  const exportTo = async (name: string, more: { maxRequests?: number } = {}) =>
    (await exportDataset(book, `${folder}/${name}`, { ...options, ...more })).manifest;
  const first = await exportTo("1");
  assertEquals([first.ids.present, first.ids.absent], [[[2624, 2624]], [[2622, 2623]]]);
  isQuote = false;
  const second = await exportTo("1");
  assertEquals([second.ids.present, second.ids.absent], [[[2623, 2624]], [[2622, 2622]]]);
  assertEquals(await folderBytes(`${folder}/1`), (await exportedOnce(book, options)).bytes);
  isQuote = true;
  // It was asked for first an hour and a half before: after that, it is not asked for any more.
  for (const [minutes, times] of [[0, 1], [30, 1], [60, 1], [1, 0]]) {
    nowMs += minutes! * 60_000;
    asked = 0;
    await exportTo("2");
    assertEquals(asked > 0, times! > 0, `${minutes} minutes later`);
  }
  nowMs = creationDate.epochMilliseconds;
  // It was absent before the run was stopped, which a later auction of the next day does not make final.
  const stopped = await exportTo("3", { maxRequests: 4 });
  assertEquals([stopped.ids.present, stopped.ids.absent], [[], [[2622, 2623]]]);
  isQuote = false;
  nowMs += 24 * 3_600_000;
  await exportTo("3");
  const { ids } = await exportTo("3");
  assertEquals([ids.present, ids.absent], [[[2623, 2624]], [[2622, 2622]]]);
});

inFolder.test("hidden auctions are requested again when they are old enough", async (folder) => {
  await using sandbox = await openSandbox({ seed: 7, auctions: 25 });
  const book = connect(sandbox);
  const { auctionId: latest } = await book.competition("latest");
  const options = {
    auctions: { from: latest - 8, to: latest + 6 },
    tables: ["auctions"],
    trades: false,
  };
  const { manifest } = await exportDataset(book, folder, options);
  assertEquals(manifest.ids.hidden, [[latest + 1, latest + 6]]);
  assertEquals(manifest.isComplete, false);
  await sandbox.advance({ auctions: 25 });
  const again = await exportDataset(book, folder, options);
  assertEquals([again.manifest.ids.hidden, again.manifest.isComplete], [[], true]);
  assertEquals(await folderBytes(folder), (await exportedOnce(book, options)).bytes);
});

const FAULTS = [
  { kind: "rateLimited", times: 5, retryAfterSec: 1 },
  { kind: "serverError", times: 5 },
  { kind: "truncated", times: 4 },
  { kind: "html", times: 4 },
  { kind: "reset", times: 4 },
  { kind: "slowBody", times: 20, ms: 10 },
] as const;

inFolder.test("an export of a faulty service ends with the same dataset", async (folder) => {
  await using sandbox = await openSandbox({ seed: 5, auctions: 15 });
  const book = connect(sandbox);
  const from = (await book.competition("latest")).auctionId - 9;
  const upTo = (to: number) => ({
    auctions: { from, to },
    debugReports: false,
    tables: ["auctions", "orders", "trades"],
  });
  const [disturbed, undisturbed] = [`${folder}/disturbed`, `${folder}/undisturbed`];
  // Each fault is met by one more auction, with its orders and fills.
  for (const [place, fault] of FAULTS.entries()) {
    const active = sandbox.fault(fault);
    await exportDataset(book, disturbed, upTo(from + place));
    assert(active.hits > 0, fault.kind);
    active.remove();
  }
  // Both are of one moment of the market, which waits may still move.
  let tries = 0;
  for (let before: string | null = null; before !== String(sandbox.now);) {
    assert(tries++ < 20, "the market moves on");
    before = String(sandbox.now);
    for (const one of [disturbed, undisturbed]) {
      await exportDataset(book, one, upTo(from + FAULTS.length - 1));
    }
  }
  assertEquals(await folderBytes(disturbed), await folderBytes(undisturbed));
});

/** A range that takes more than half an hour at a low rate. */
const LONG = { auctions: { from: 2500, to: 2624 }, tables: ["auctions"] };
const DOWN = { status: 500, body: '{"errorType":"InternalServerError"}' };
const bytesOfLong = async () => await folderBytes(await exported("market_1", LONG));

inFolder.test("an export ends when the deployment only refuses, and keeps all responses", async (folder) => {
  let answersLeft = 80;
  const book = changedBook(
    RECORDING,
    (_, response) => answersLeft-- > 0 ? response : { ...response, ...DOWN },
    new TestClock(LATER.now()),
  );
  await assertRejects(() => exportDataset(book, folder, { ...LONG, concurrency: 1 }), Error);
  answersLeft = Infinity;
  const { manifest } = await exportDataset(book, folder, LONG);
  assertEquals(manifest.isComplete, true);
  assertEquals(await folderBytes(folder), await bytesOfLong());
});

inFolder.test("a long export waits for a deployment that is down, and reports it", async (folder) => {
  const clock = new TestClock(LATER.now());
  let [asked, downUntilMs] = [0, 0];
  const book = changedBook(RECORDING, (_, response) => {
    // Ten minutes in which nothing is answered.
    if (++asked === 40) downUntilMs = clock.ms + 600_000;
    return clock.ms < downUntilMs ? { ...response, ...DOWN } : response;
  }, clock);
  const down = new Set<boolean>();
  // 125 requests at two a minute: it waits for a tenth of what is left.
  const { manifest } = await exportDataset(book, folder, {
    ...LONG,
    rate: 2,
    onProgress: ({ waitingUntilMs, isDown }) => {
      if (waitingUntilMs !== null) down.add(isDown);
    },
  });
  assertEquals(manifest.isComplete, true);
  assertEquals([...down], [true]);
  assertEquals(await folderBytes(folder), await bytesOfLong());
});
