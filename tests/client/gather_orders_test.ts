import {
  connect,
  DecodeError,
  gatherOrders,
  HttpStatusError,
  InputError,
  MismatchError,
  NotRecordedError,
  recentAuctions,
  type RecentAuctionsOptions,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import type { HttpRequest } from "orderlens/http";
import { replay } from "orderlens/recordings";
import { assert, assertEquals, assertRejects } from "@std/assert";
import { readRecording } from "../../lib/recordings/recording.ts";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "../endpoints/fake_transport.ts";
import { nodeThat } from "../evm/node_server.ts";
import { withFolder, writeRecording } from "../sandbox/temp_folder.ts";

const recording = await replay("market_1");
const UNKNOWN = `0x${"ab".repeat(56)}`;
/** An order with several fills. */
const PARTLY_FILLED = "0x3ad3f2b18f8d80e35ce5e793253f9807f8d587386ae9c311ebfd9c51bc6ee88b" +
  "28436801e7093ba424a28a66512aa31760c192b66b01b72b";

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

Deno.test("gatherOrders() takes a recording without reports for a deployment that denies them", async () => {
  const name = "trades_v2__trades_v2_endpoints";
  const uids = (await replay(name)).recorded.orderUids.slice(0, 3);
  const file = new URL(`../../data/recorded/${name}.ndjson.gz`, import.meta.url);
  const exchanges = await readRecording(file);
  const isReport = ({ path }: { path: string }) => path.includes("/debug/");
  const without = exchanges.filter((one) => !isReport(one));
  const gather = async (file: string) => await gatherOrders(connect(await replay(file)), uids);
  await withFolder(async (folder) => {
    const { records, reportsRefused } = await gather(
      await writeRecording(`${folder}/none.ndjson`, without),
    );
    assertEquals(records.map(({ order }) => order.uid), [...uids]);
    assertEquals(records.map(({ debugReport }) => debugReport), [null, null, null]);
    assert(reportsRefused instanceof NotRecordedError && !reportsRefused.isRouteRecorded);

    const one = exchanges.filter((one) => isReport(one) && one.path.endsWith(uids[1]!));
    const some = await gather(
      await writeRecording(`${folder}/some.ndjson`, [...without, one[0]!]),
    );
    const reported = some.records.map(({ debugReport }) => debugReport?.orderUid);
    assertEquals(reported, [undefined, uids[1], undefined]);
    assertEquals(some.reportsRefused, null);
  });
});

Deno.test("gatherOrders continues if the service lacks one report, or the route of all", async () => {
  const [first = "", second = ""] = recording.recorded.orderUids;
  const { book } = bookThat((request) =>
    isDebug(request) && request.path.endsWith(first) ? NOT_FOUND : undefined
  );
  const { records, reportsRefused } = await gatherOrders(book, [first, second]);
  assertEquals(records.map(({ debugReport }) => debugReport?.orderUid), [undefined, second]);
  assertEquals(reportsRefused, null);
  const none = bookThat((request) => isDebug(request) ? { status: 404 } : undefined).book;
  const { reportsRefused: refused } = await gatherOrders(none, [first, second]);
  assert(refused instanceof UnavailableError);
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
  const { book } = bookThat((request) => isDebug(request) ? { status: 503 } : undefined);
  const ask = () => gatherOrders(book, recording.recorded.orderUids.slice(0, 3));
  await assertRejects(ask, HttpStatusError, "status 503");
  await assertRejects(() => gatherOrders(book, ["0x12"]), InputError, "UID");
});

const BOOK = connect(recording);
const LATEST = recording.recorded.auctionIds.at(-1)!;

Deno.test("recentAuctions reads the same records as walking and gathering", async () => {
  const progress: string[] = [];
  const found = await recentAuctions(BOOK, {
    auctions: 10,
    onProgress: ({ phase, done, total }) => progress.push(`${phase} ${done}/${total}`),
  });
  const ids = recording.recorded.auctionIds.filter((id) => id > LATEST - 10);
  assertEquals(found.ids, 10);
  assertEquals(found.competitions.map(({ auctionId }) => auctionId), ids);
  const bids = found.competitions.flatMap(({ solutions }) =>
    solutions.flatMap(({ orders }) => orders.map(({ id }) => id))
  );
  assertEquals(found.orders.map(({ uid }) => uid), [...new Set(bids)]);
  assertEquals(found.records.map(({ order }) => order), found.orders);
  assertEquals(found.trades, found.records.flatMap(({ trades }) => trades));
  assertEquals(found.debugReports.length, found.orders.length);
  assertEquals(found.times.auction(ids[0]!)?.basis, "bracketed");
  assertEquals([found.missing, found.failed], [[], []]);
  assertEquals([found.reportsRefused, found.accounts], [null, null]);
  const last = found.orders.length;
  assertEquals(progress.filter((line) => line.startsWith("auctions")).length, 10);
  assertEquals(progress.at(-1), `orders ${last}/${last}`);
});

Deno.test("recentAuctions() gathers the orders of winners, of accounts, or none", async () => {
  const auctions = 30;
  const none = await recentAuctions(BOOK, { auctions, orders: "none" });
  assertEquals(none.records, []);
  const winning = await recentAuctions(BOOK, { auctions, orders: "winning" });
  const winners = none.competitions.flatMap(({ solutions }) =>
    solutions.filter(({ isWinner }) => isWinner).flatMap(({ orders }) => orders.map(({ id }) => id))
  );
  assertEquals(winning.orders.map(({ uid }) => uid), [...new Set(winners)]);

  const options = { auctions, accounts: 1, ordersPerAccount: 3 };
  const { orders, accounts } = await recentAuctions(BOOK, options);
  const owners = new Set(orders.map(({ owner }) => owner));
  assertEquals([owners.size, accounts?.read, accounts?.cut], [1, 1, 1]);
  const { recorded } = recording;
  const { length } = recorded.orderUids;
  assertEquals(
    accounts?.note,
    "Of 1 accounts, only the latest 3 orders and those bid on were read. " +
      `${length - orders.length} of ${length} orders of the recording were not read. `,
  );
  const all = await recentAuctions(BOOK, { auctions: 2_000, accounts: 50 });
  assertEquals([all.orders.length, all.accounts?.note], [recorded.orderUids.length, ""]);
  const [owner = ""] = owners;
  const newest = await Array.fromAsync(BOOK.accountOrders(owner, { limit: 3 }));
  const gathered = new Set(orders.map(({ uid }) => uid));
  assertEquals(newest.filter(({ uid }) => !gathered.has(uid)), []);
});

Deno.test("recentAuctions() of a recording of single auctions gives the latest of them", async () => {
  const recording = await replay("protocol_fee__combined_protocol_fees");
  const { auctionIds } = recording.recorded;
  const { ids, competitions, trades } = await recentAuctions(connect(recording), { auctions: 2 });
  assertEquals(competitions.map(({ auctionId }) => auctionId), auctionIds.slice(-2));
  assertEquals([ids, trades.length > 0], [Math.min(2, auctionIds.length), true]);
  // One of them that fails is not left out.
  const failing = {
    ...recording,
    async send(request: HttpRequest) {
      const response = await recording.send(request);
      return request.path.endsWith(`/${auctionIds.at(-1)}`)
        ? { ...response, status: 503 }
        : response;
    },
  };
  const asked = recentAuctions(connect(failing), { auctions: 2 });
  await assertRejects(() => asked, HttpStatusError);
});

Deno.test("recentAuctions() takes block times from a node, and rejects invalid options", async () => {
  const node = nodeThat(({ params: [number] }) => ({
    result: { number, timestamp: "0x65000000" },
  }));
  const { competitions, times } = await recentAuctions(BOOK, { auctions: 5, orders: "none", node });
  assertEquals(times.auction(competitions[0]!.auctionId)?.basis, "block");
  for (
    const [options, text] of [
      [{}, "auctions"],
      [{ auctions: 0 }, "auctions 0"],
      [{ auctions: 1, orders: "all" }, "orders"],
      [{ auctions: 1, last: 3 }, "last"],
    ] as const
  ) {
    const ask = () => recentAuctions(BOOK, options as unknown as RecentAuctionsOptions);
    await assertRejects(ask, InputError, text);
  }
});
