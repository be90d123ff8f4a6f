import { DecodeError, IncompleteListError, InputError } from "orderlens";
import { getAccountOrders, getTrades } from "orderlens/endpoints";
import { assertEquals, assertRejects, assertStringIncludes, assertThrows } from "@std/assert";
import { FakeList, orders, uids, uidsOf } from "./fake_list.ts";
import {
  orderNumber,
  RECORDED_OWNER as OWNER,
  tradeNumber,
  uidNumber,
} from "../recorded_bodies.ts";

Deno.test("pagedRows() follows pages of 1000 until one is short", async () => {
  const list = new FakeList(orders(2500));
  assertEquals(await uidsOf(getAccountOrders(list, OWNER)), uids(2500, 1));
  assertEquals(list.ranges, [
    "offset=0&limit=1000",
    "offset=1000&limit=1000",
    "offset=2000&limit=1000",
  ]);
});

Deno.test("pagedRows() requests one more page if the last one is full, and one for no rows", async () => {
  const list = new FakeList(orders(4));
  assertEquals(await uidsOf(getAccountOrders(list, OWNER, { pageSize: 2 })), uids(4, 1));
  assertEquals(list.ranges, ["offset=0&limit=2", "offset=2&limit=2", "offset=4&limit=2"]);

  const none = new FakeList([]);
  assertEquals(await uidsOf(getAccountOrders(none, OWNER)), []);
  assertEquals(none.requests.length, 1);
});

Deno.test("pagedRows() requests no row beyond `limit`", async () => {
  const list = new FakeList(orders(2500));
  assertEquals(await uidsOf(getAccountOrders(list, OWNER, { limit: 1200 })), uids(2500, 1301));
  assertEquals(list.ranges, ["offset=0&limit=1000", "offset=1000&limit=200"]);

  const few = new FakeList(orders(5));
  assertEquals(await uidsOf(getAccountOrders(few, OWNER, { limit: 3 })), uids(5, 3));
  assertEquals(few.ranges, ["offset=0&limit=3"]);

  const none = new FakeList(orders(5));
  assertEquals(await uidsOf(getAccountOrders(none, OWNER, { limit: 0 })), []);
  assertEquals(none.ranges, []);
});

Deno.test("pagedRows() decodes no page with more rows than requested", async () => {
  const list = new FakeList([], () => Array.from({ length: 11 }, () => ({})));
  const failures: unknown[] = [];
  const options = { limit: 10, onFailure: (failure: unknown) => void failures.push(failure) };
  for (
    const rows of [
      getAccountOrders(list, OWNER, options),
      getTrades(list, { owner: OWNER }, options),
    ]
  ) {
    const error = await assertRejects(() => Array.fromAsync<unknown>(rows), DecodeError);
    assertEquals(error.failure.found, "11 elements");
  }
  assertEquals(failures, []);
});

Deno.test("pagedRows() sends nothing before the first pull, and nothing after the loop is left", async () => {
  const list = new FakeList(orders(10));
  const rows = getAccountOrders(list, OWNER, { pageSize: 2 });
  assertEquals(list.requests.length, 0);
  for await (const { uid } of rows) if (uid === uidNumber(7)) break;
  assertEquals(list.ranges, ["offset=0&limit=2", "offset=2&limit=2"]);
});

Deno.test("pagedRows() drops rows that a moving list repeats, and loses none", async () => {
  const list = new FakeList(orders(10));
  const seen: string[] = [];
  for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 4 })) {
    seen.push(uid);
    if (seen.length === 4) list.rows.unshift(orderNumber(11), orderNumber(12));
    if (seen.length === 7) list.rows.unshift(orderNumber(13));
  }
  assertEquals(seen, uids(10, 1));
  assertEquals(list.ranges, [
    "offset=0&limit=4",
    "offset=4&limit=4",
    "offset=8&limit=4",
    "offset=12&limit=4",
  ]);
});

Deno.test("pagedRows() continues if more than a page arrives between two requests", async () => {
  const list = new FakeList(orders(6));
  const seen: string[] = [];
  for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 3 })) {
    seen.push(uid);
    if (seen.length === 3) list.rows.unshift(...[24, 23, 22, 21].map(orderNumber));
  }
  assertEquals(seen.filter((uid) => uid < uidNumber(21)), uids(6, 1));
  assertEquals(new Set(seen).size, seen.length);
});

Deno.test("pagedRows() requests a page again that repeats the previous one", async () => {
  const list = new FakeList(
    orders(10),
    (asked) => asked === 2 ? orders(10).slice(0, 4) : undefined,
  );
  assertEquals(await uidsOf(getAccountOrders(list, OWNER, { pageSize: 4 })), uids(10, 1));
  assertEquals(list.ranges, [
    "offset=0&limit=4",
    "offset=4&limit=4",
    "offset=4&limit=4",
    "offset=8&limit=4",
  ]);
});

Deno.test("pagedRows() gives up if the service repeats one page forever", async () => {
  const list = new FakeList([], () => orders(3));
  const seen: string[] = [];
  const error = await assertRejects(
    async () => {
      for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 3 })) seen.push(uid);
    },
    DecodeError,
    "new rows",
  );
  assertEquals(seen, uids(3, 1));
  assertEquals(list.requests.length, 7);
  assertStringIncludes(error.message, `the orders of account ${OWNER}`);
});

Deno.test("pagedRows() yields every valid row, then names the invalid ones", async () => {
  const rows = orders(5);
  rows[1] = { ...orderNumber(4), sellAmount: 7 };
  rows[4] = null;
  const list = new FakeList(rows);
  const seen: string[] = [];
  const error = await assertRejects(async () => {
    for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 2 })) seen.push(uid);
  }, IncompleteListError);
  assertEquals(seen, [uidNumber(5), uidNumber(3), uidNumber(2)]);
  assertEquals(error.failureCount, 2);
  assertEquals(error.failures.map(({ failure }) => failure.path), ["sellAmount", ""]);
  assertEquals(error.code, "decode");
  assertStringIncludes(error.message, `Cannot decode 2 of the orders of account ${OWNER}`);
  assertStringIncludes(error.message, `GET /api/v1/account/${OWNER}/orders?offset=0&limit=2`);
  assertEquals(list.requests.length, 3);
});

Deno.test("pagedRows() reports invalid rows to `onFailure`, by their index, and throws nothing", async () => {
  const rows = orders(5);
  rows[3] = { uid: "0x12" };
  const list = new FakeList(rows);
  const failures: [number, unknown][] = [];
  const seen = await uidsOf(getAccountOrders(list, OWNER, {
    pageSize: 2,
    onFailure: ({ index, body }) => failures.push([index, body]),
  }));
  assertEquals(seen, [uidNumber(5), uidNumber(4), uidNumber(3), uidNumber(1)]);
  assertEquals(failures, [[3, { uid: "0x12" }]]);
});

Deno.test("pagedRows() reports progress after each page", async () => {
  const progress: unknown[] = [];
  const list = new FakeList(orders(5));
  await uidsOf(getAccountOrders(list, OWNER, {
    pageSize: 2,
    onProgress: (event) => progress.push(event),
  }));
  assertEquals(progress, [{ done: 2 }, { done: 4 }, { done: 5 }]);
});

Deno.test("pagedRows() rejects an invalid limit or page size immediately", () => {
  const list = new FakeList([]);
  for (const options of [{ limit: -1 }, { limit: 1.5 }, { pageSize: 0 }, { pageSize: 1001 }]) {
    assertThrows(() => getAccountOrders(list, OWNER, options), InputError);
  }
  assertThrows(() => getAccountOrders(list, "0x12"), InputError, "an address");
  assertEquals(list.requests, []);
});

Deno.test("pagedRows() rejects with the reason of an abort between pages", async () => {
  const controller = new AbortController();
  const list = new FakeList(orders(6));
  const seen: string[] = [];
  await assertRejects(
    async () => {
      const { signal } = controller;
      for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 2, signal })) {
        seen.push(uid);
        if (seen.length === 2) controller.abort(new Error("enough"));
      }
    },
    Error,
    "enough",
  );
  assertEquals(seen, uids(6, 5));
  assertEquals(list.requests.length, 1);
});

Deno.test("getTrades() identifies trades by block, log index and order", async () => {
  const rows = [5, 4, 3, 2, 1].map(tradeNumber);
  const list = new FakeList(rows);
  const seen: number[] = [];
  for await (const trade of getTrades(list, { owner: OWNER }, { pageSize: 2 })) {
    seen.push(trade.logIndex);
    if (seen.length === 2) list.rows.unshift(tradeNumber(6));
  }
  assertEquals(seen, [5, 4, 3, 2, 1]);
  assertEquals(list.paths[0], `/api/v2/trades?owner=${OWNER}&offset=0&limit=2`);
});

Deno.test("getTrades() requires either an owner or an order", () => {
  const list = new FakeList([]);
  const both = { owner: OWNER, orderUid: uidNumber(1) };
  for (const filter of [{}, both, { owner: "0x1" }, { orderUid: OWNER }]) {
    assertThrows(() => getTrades(list, filter as unknown as { owner: string }), InputError);
  }
  assertEquals(list.requests, []);
});
