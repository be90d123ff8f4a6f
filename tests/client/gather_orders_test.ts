import {
  connect,
  DecodeError,
  gatherOrders,
  InputError,
  MismatchError,
  NetworkError,
  NotRecordedError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import type { HttpRequest } from "orderlens/http";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readRecording } from "../../lib/recordings/recording.ts";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { withFolder, writeRecording } from "../sandbox/temp_folder.ts";

const recording = await replay("market_1");
const UNKNOWN = `0x${"ab".repeat(56)}`;
const PARTLY_FILLED = await uidWithTwoFills();

async function uidWithTwoFills(): Promise<string> {
  const { orders } = await connect(recording).orders(recording.recorded.orderUids);
  for (const { uid, partiallyFillable, executedBuyAmount } of orders) {
    if (!partiallyFillable || executedBuyAmount === 0n) continue;
    if ((await Array.fromAsync(connect(recording).trades({ orderUid: uid }))).length > 1) {
      return uid;
    }
  }
  throw new Error("market_1 has an order with several fills");
}

/** The recording with the answers of `answer`, and its transport. */
function bookThat(answer: (request: HttpRequest) => FakeAnswer | undefined) {
  const transport = new FakeTransport(async (request) =>
    answer(request) ?? await recording.send(request)
  );
  return { book: connect(transport), transport };
}

const isDebug = ({ path }: HttpRequest) => path.includes("/debug/");

Deno.test("gatherOrders() returns orders with fills, oldest first, and reports", async () => {
  const { book, transport } = bookThat(() => undefined);
  const asked = [UNKNOWN, ...recording.recorded.orderUids.slice(0, 3), PARTLY_FILLED];
  const { records, missing, failed, reportsRefused } = await gatherOrders(book, asked);
  assertEquals(records.map(({ order }) => order.uid), asked.slice(1));
  assertEquals([missing, failed, reportsRefused], [[UNKNOWN], [], null]);
  for (const { order, trades, debugReport } of records) {
    assertEquals(debugReport?.orderUid, order.uid);
    const bought = trades.reduce((sum, { buyAmount }) => sum + buyAmount, 0n);
    assertEquals(bought, order.executedBuyAmount);
  }
  const blocks = records.at(-1)!.trades.map(({ blockNumber }) => blockNumber);
  assert(blocks.length > 1);
  assertEquals(blocks, blocks.toSorted((a, b) => a - b));
  const filled = records.filter(({ order }) => order.executedBuyAmount > 0n).length;
  assertEquals(transport.paths.filter((path) => path.startsWith("/api/v2/trades")).length, filled);
});

Deno.test("gatherOrders() stops requesting reports once one is rejected", async () => {
  const { book, transport } = bookThat((request) =>
    isDebug(request) ? { status: 403, body: "Forbidden" } : undefined
  );
  const uids = recording.recorded.orderUids.slice(0, 40);
  const progress: number[] = [];
  const { records, reportsRefused } = await gatherOrders(book, uids, {
    concurrency: 2,
    onProgress: ({ done, total }) => {
      assertEquals(total, 40);
      progress.push(done);
    },
  });
  assertEquals(records.map(({ order }) => order.uid), [...uids]);
  assertEquals(new Set(records.map(({ debugReport }) => debugReport)), new Set([null]));
  assert(reportsRefused instanceof UnauthorizedError);
  assert(transport.paths.filter((path) => path.includes("/debug/")).length <= 2);
  assertEquals(progress, Array.from({ length: 40 }, (_, at) => at + 1));
});

Deno.test("gatherOrders() treats a deployment without the route like one that rejects", async () => {
  const { book } = bookThat((request) => isDebug(request) ? { status: 404 } : undefined);
  const { reportsRefused } = await gatherOrders(book, recording.recorded.orderUids.slice(0, 2));
  assert(reportsRefused instanceof UnavailableError);
});

Deno.test("gatherOrders() takes a recording without reports for a deployment that denies them", async () => {
  const file = new URL("../../data/recorded/market_1.ndjson.gz", import.meta.url);
  const [first = "", second = "", third = ""] = recording.recorded.orderUids;
  // Answers to the three, and those to many at once.
  const exchanges = (await readRecording(file)).filter(({ path, method }) =>
    method === "POST" || [first, second, third].some((uid) => path.includes(uid))
  );
  const withoutReports = exchanges.filter(({ path }) => !path.includes("/debug/"));
  const one = exchanges.filter(({ path }) => path.includes("/debug/") && path.endsWith(second));
  assertEquals([exchanges.length - withoutReports.length, one.length], [3, 1]);
  await withFolder(async (folder) => {
    const none = await replay(await writeRecording(`${folder}/none.ndjson`, withoutReports));
    const gathered = await gatherOrders(connect(none), [first, second, third]);
    assertEquals(gathered.records.map(({ order }) => order.uid), [first, second, third]);
    assertEquals(gathered.records.map(({ debugReport }) => debugReport), [null, null, null]);
    assert(gathered.reportsRefused instanceof NotRecordedError);
    assert(!gathered.reportsRefused.isRouteRecorded);

    const some = await writeRecording(`${folder}/some.ndjson`, [...withoutReports, ...one]);
    const { records, reportsRefused } = await gatherOrders(
      connect(await replay(some)),
      [first, second, third],
    );
    const reported = records.map(({ debugReport }) => debugReport?.orderUid);
    assertEquals(reported, [undefined, second, undefined]);
    assertEquals(reportsRefused, null);
  });
});

Deno.test("gatherOrders() goes on where the service lacks one report", async () => {
  const [first = "", second = ""] = recording.recorded.orderUids;
  const { book } = bookThat((request) =>
    isDebug(request) && request.path.endsWith(first) ? NOT_FOUND : undefined
  );
  const { records, reportsRefused } = await gatherOrders(book, [first, second]);
  assertEquals(records.map(({ debugReport }) => debugReport?.orderUid), [undefined, second]);
  assertEquals(reportsRefused, null);
});

Deno.test("gatherOrders() names an order whose trades are unreadable or another's, and keeps the others", async () => {
  const [other = "", foreign] = recording.recorded.orderUids;
  const path = `/api/v2/trades?orderUid=${foreign}&limit=1000`;
  const cases = [
    [{ body: [{ blockNumber: -1 }] }, DecodeError],
    [await recording.send({ method: "GET", path }), MismatchError],
  ] as const;
  for (const [answer, type] of cases) {
    const { book } = bookThat(({ path }) => path.startsWith("/api/v2/trades") ? answer : undefined);
    const { records, failed } = await gatherOrders(book, [PARTLY_FILLED, other]);
    assertEquals(records.map(({ order }) => order.uid), [other]);
    assertEquals(failed.map(({ uid }) => uid), [PARTLY_FILLED]);
    assert(failed[0]?.error instanceof type);
  }
});

Deno.test("gatherOrders() rejects if a request fails", async () => {
  const { book } = bookThat((request) => {
    if (!isDebug(request)) return undefined;
    throw new NetworkError("Cannot reach the deployment", {
      request: "GET",
      attempts: 1,
      mayHaveBeenReceived: false,
      remedy: "Check the connection",
    });
  });
  const ask = () => gatherOrders(book, recording.recorded.orderUids.slice(0, 3));
  await assertRejects(ask, NetworkError, "Cannot reach");
  await assertRejects(() => gatherOrders(book, ["0x12"]), InputError, "UID");
});
