import { cp } from "node:fs/promises";
import { connect, InputError, NotRecordedError } from "orderlens";
import { exportDataset, openDataset } from "orderlens/datasets";
import { replay } from "orderlens/recordings";
import { assertEquals, assertRejects } from "@std/assert";
import type { Competition } from "orderlens/schemas";
import { inFolder } from "../sandbox/temp_folder.ts";
import { exported, recorded, TWO_FILES } from "./exported.ts";
import {
  LineCache,
  ResponseFile,
  toCompetitionGroup,
  toOrderGroup,
} from "../../lib/datasets/reading/response_file.ts";
import { packLines } from "../../lib/datasets/layout/folders.ts";
import { printExchange } from "../../lib/recordings/request_key.ts";
import { unpackZstd } from "../../lib/http/read_body.ts";

const RECORDING = await recorded("market_1");
const BOOK = connect(RECORDING);
const RANGE = TWO_FILES.auctions;

inFolder.test(
  "Dataset.send() returns the responses of the export, without reading all files",
  async (root, t) => {
    // What a pattern would read otherwise.
    const folder = `${root}/it's [1] of {2}*, 100%`;
    await cp(await exported("market_1", TWO_FILES), folder, { recursive: true });
    const dataset = await openDataset(folder);
    const book = connect(dataset);
    const competitions = await Array.fromAsync(dataset.competitions());
    const orders = await Array.fromAsync(dataset.orders());
    const ids = competitions.map(({ auctionId }) => auctionId);

    await t.step("every route, character for character as a replay of the folder", async () => {
      const whole = await replay(folder);
      const paths = [
        "/api/v2/solver_competition/latest",
        ...Array.from({ length: 23 }, (_, id) => `/api/v2/solver_competition/${RANGE.from + id}`),
        ...orders.flatMap(({ uid }) => [
          `/api/v1/orders/${uid}`,
          `/api/v1/orders/${uid.toUpperCase().replace("0X", "0x")}`,
        ]),
        ...[...bidOn(competitions)].flatMap((uid) => [
          `/api/v2/trades?orderUid=${uid}&offset=0&limit=1`,
          `/api/v2/trades?limit=1000&orderUid=${uid}&offset=0`,
          `/api/v1/trades?orderUid=${uid}`,
          `/restricted/api/v1/debug/order/${uid}`,
          `/api/v1/debug/order/${uid}`,
        ]),
      ];
      for (const path of paths) {
        const [found, expected] = [dataset, whole].map((one) => one.send({ method: "GET", path }));
        const { status, body, contentType } = await expected!;
        const answer = await found!;
        assertEquals([answer.status, answer.body, answer.contentType], [status, body, contentType]);
      }
    });

    await t.step("orders of both files, in the order requested, without unknown ones", async () => {
      const unknown = `0x${"ab".repeat(56)}`;
      const uids = [...orders.map(({ uid }) => uid).reverse(), unknown];
      const found = await book.orders(uids);
      assertEquals(found.orders.map(({ uid }) => uid), uids.slice(0, -1));
      assertEquals(found.missing, [unknown]);
      assertEquals((await book.orders([unknown])).missing, [unknown]);
    });

    await t.step("the competition of a settlement, which was asked for by its id", async () => {
      const settled = competitions.find(({ transactionHashes }) => transactionHashes.length > 0)!;
      const [hash = ""] = settled.transactionHashes;
      assertEquals((await book.competition(hash)).auctionId, settled.auctionId);
      await assertRejects(() => book.competition(`0x${"cd".repeat(32)}`), NotRecordedError);
    });

    await t.step("an order that an auction lists, and nobody bid on", async () => {
      const bids = bidOn(competitions);
      const listed = competitions.flatMap(({ auction }) => auction.orders)
        .find((uid) => !bids.has(uid))!;
      assertEquals((await book.order(listed)).uid, listed);
      await assertRejects(
        () => Array.fromAsync(book.trades({ orderUid: listed })),
        NotRecordedError,
      );
    });

    await t.step("what was not exported is an error that says what was", async () => {
      const [{ owner } = { owner: "" }] = orders;
      const error = await assertRejects(
        () => Array.fromAsync(book.accountOrders(owner)),
        NotRecordedError,
        "GET /api/v2/solver_competition/{id} 200 (10)",
      );
      assertEquals(error.isRouteRecorded, false);
      await assertRejects(() => book.competition(RANGE.to + 1), NotRecordedError);
      await assertRejects(() => book.nativePrice(owner), NotRecordedError);
    });

    await t.step("recent() is the same as of the deployment", async () => {
      const { competitions, records, times, ...found } = await dataset.recent({ auctions: 10 });
      assertEquals([found.ids, found.missing, found.failed, found.accounts], [10, [], [], null]);
      const expected = ids.filter((id) => id > ids.at(-1)! - 10);
      assertEquals(competitions.map(({ auctionId }) => auctionId), expected);
      for (const { auctionId } of competitions) {
        assertEquals(times.auction(auctionId)?.basis === undefined, false);
      }
      for (const { order, trades, debugReport } of records) {
        assertEquals(order, await BOOK.order(order.uid));
        assertEquals(trades.length, debugReport!.trades.length);
        assertEquals(debugReport, await BOOK.debugReport(order.uid));
      }
    });

    await t.step("one auction unpacks the one file that it is in", async () => {
      await Deno.remove(`${folder}/raw/0000001000-0000001999.ndjson.zst`);
      const { auctionId } = await connect(await openDataset(folder)).competition(ids.at(-1)!);
      assertEquals(auctionId, ids.at(-1));
      const last = orders.find(({ uid }) =>
        competitions.at(-1)!.solutions.some(({ orders }) => orders.some(({ id }) => id === uid))
      )!;
      const other = connect(await openDataset(folder));
      assertEquals((await other.order(last.uid)).uid, last.uid);
      await Deno.writeFile(`${folder}/raw/0000002000-0000002999.ndjson.zst`, new Uint8Array(9));
      const broken = connect(await openDataset(folder));
      await assertRejects(
        () => broken.competition(ids.at(-1)!),
        InputError,
        "Cannot read the responses",
      );
    });
  },
);

inFolder.test("a dataset of an account serves its list and its auctions", async (folder) => {
  const owner = RECORDING.recorded.accounts[3]!;
  await exportDataset(BOOK, folder, { owner, tables: ["auctions", "orders", "trades"] });
  const book = connect(await openDataset(folder));
  const listed = await Array.fromAsync(book.accountOrders(owner, { pageSize: 2 }));
  const expected = await Array.fromAsync(BOOK.accountOrders(owner));
  assertEquals(listed.map(({ uid }) => uid), expected.map(({ uid }) => uid));
  const ids = await (await openDataset(folder)).auctionIds();
  assertEquals(ids, [...new Set(ids)].sort((a, b) => a - b));
  assertEquals((await book.competition("latest")).auctionId, ids.at(-1));
});

/** UIDs that solutions name: their fills and reports were asked for. */
function bidOn(competitions: readonly Competition[]): Set<string> {
  const bids = competitions.flatMap(({ solutions }) => solutions.flatMap(({ orders }) => orders));
  return new Set(bids.map(({ id }) => id));
}

const IDS = Array.from({ length: 40 }, (_, place) => 7 + place);

/** 40 competitions, then an order whose UID stands in its body with text that looks like a field. */
async function* lines() {
  const encoder = new TextEncoder();
  const shared = { method: "GET", status: 200, contentType: "application/json" };
  for (const id of IDS) {
    const path = `/api/v2/solver_competition/${id}`;
    const responseBody = `{"auctionId":${id},"text":"${"x".repeat(500)}"}`;
    yield encoder.encode(printExchange({ ...shared, path, responseBody }));
  }
  yield encoder.encode(printExchange({
    method: "POST",
    path: "/api/v1/orders/by_uids",
    requestBody: JSON.stringify([`0x${"AB".repeat(56)}`]),
    status: 200,
    contentType: "application/json",
    responseBody: '[{"order":{"note":",\\"responseBody\\":"}}]',
  }));
  const path = `/api/v2/solver_competition/by_tx_hash/0x${"cd".repeat(32)}`;
  yield encoder.encode(printExchange({ ...shared, path, responseBody: '{"auctionId":99}' }));
}

inFolder.test("ResponseFile reads in any order within the bounds of its cache", async (folder) => {
  const path = `${folder}/answers.ndjson.zst`;
  await packLines(path, lines());
  const recent = new LineCache(2_000);
  const file = new ResponseFile(path, recent);
  for (const id of [...IDS, ...IDS.slice(-3).reverse(), 7, 30, 8]) {
    const [exchange] = await file.readExchanges(toCompetitionGroup(id));
    assertEquals(JSON.parse(exchange!.responseBody).auctionId, id);
    assertEquals(recent.bytes <= 2_000, true);
  }
  const several = IDS.map((id) => file.readExchanges(toCompetitionGroup(id)));
  const ids = (await Promise.all(several)).map(([one]) => JSON.parse(one!.responseBody).auctionId);
  assertEquals(ids, IDS);
  const [order] = await file.readExchanges(toOrderGroup(`0x${"ab".repeat(56)}`));
  assertEquals(order?.responseBody, '[{"order":{"note":",\\"responseBody\\":"}}]');
  assertEquals((await file.readExchanges(toCompetitionGroup(99))).length, 1);
  assertEquals(await file.readExchanges(toCompetitionGroup(1)), []);
  await file.close();
});

const LINES = Array.from(
  { length: 400 },
  (_, line) => `${`${line * 7919 % 1009} `.repeat(line * 37 % 900)}\n`,
);

/** The lines, which arrive at once, or each after some turns of the event loop. */
async function* arriving(turns: (line: number) => number): AsyncGenerator<Uint8Array> {
  for (const [index, line] of LINES.entries()) {
    for (let turn = 0; turn < turns(index); turn++) {
      await new Promise((resolve) => setTimeout(resolve, 0));
    }
    yield new TextEncoder().encode(line);
  }
}

inFolder.test("packLines() writes equal bytes, however lines arrive", async (folder) => {
  const packed: Uint8Array[] = [];
  for (
    const turns of [
      () => 0,
      (line: number) => line % 50 ? 0 : 3,
      (line: number) => line > 398 ? 9 : 0,
    ]
  ) {
    await packLines(`${folder}/lines.zst`, arriving(turns));
    packed.push(await Deno.readFile(`${folder}/lines.zst`));
  }
  assertEquals(packed[1], packed[0]);
  assertEquals(packed[2], packed[0]);
  const text = new TextDecoder();
  let unpacked = "";
  for await (const chunk of unpackZstd(packed[0]!)) {
    unpacked += text.decode(chunk, { stream: true });
  }
  assertEquals(unpacked, LINES.join(""));
});
