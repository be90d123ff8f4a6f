import { type FakeAnswer, FakeTransport } from "./fake_transport.ts";
import {
  orderNumber,
  RECORDED_OWNER as OWNER,
  tradeNumber,
  uidNumber,
  uidNumbers,
} from "./recorded_bodies.ts";
import { DecodeError, IncompleteListError, InputError } from "orderlens";
import { getAccountOrders, getTrades, type PagedListOptions } from "orderlens/endpoints";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";

/** A list of the service whose rows can be changed between requests. */
class FakeList extends FakeTransport {
  rows: unknown[];

  constructor(rows: unknown[], tamper?: (asked: number) => unknown[] | undefined) {
    super(({ path }): FakeAnswer => {
      const { searchParams } = new URL(path, this.baseUrl);
      const offset = Number(searchParams.get("offset"));
      const limit = Number(searchParams.get("limit"));
      const tampered = tamper?.(this.requests.length);
      return { body: tampered ?? this.rows.slice(offset, offset + limit) };
    });
    this.rows = rows;
  }

  /** Offset and limit of each request. */
  get ranges(): string[] {
    return this.paths.map((path) => path.replace(/^.*offset=(\d+)&limit=/, "$1 "));
  }
}

/** Orders `count` to 1, newest first. */
function orders(count: number): unknown[] {
  return Array.from({ length: count }, (_, index) => orderNumber(count - index));
}

/** The UIDs of all orders of a list. */
async function uidsOf(list: AsyncIterable<{ uid: string }>): Promise<string[]> {
  return (await Array.fromAsync(list)).map(({ uid }) => uid);
}

/** Walks over orders, and tells how many it has; gives their UIDs, and the error that ended it. */
async function walked(
  list: FakeList,
  options: PagedListOptions,
  onOrder: (count: number) => void = () => {},
): Promise<{ seen: string[]; error: unknown }> {
  const seen: string[] = [];
  try {
    for await (const { uid } of getAccountOrders(list, OWNER, options)) {
      onOrder(seen.push(uid));
    }
  } catch (error) {
    return { seen, error };
  }
  return { seen, error: undefined };
}

/** Rows there are, options, rows asked for by offset and limit, and the number of the last row. */
const PAGES: readonly [rows: number, PagedListOptions, ranges: string[], last: number][] = [
  [2_500, {}, ["0 1000", "1000 1000", "2000 1000"], 1],
  [4, { pageSize: 2 }, ["0 2", "2 2", "4 2"], 1],
  [2_500, { limit: 1_200 }, ["0 1000", "1000 200"], 1_301],
  [5, { limit: 3 }, ["0 3"], 3],
  [3, { pageSize: 2, pagesAhead: 1 }, ["0 2", "2 2"], 1],
  [9, { pageSize: 2, pagesAhead: 1, limit: 3 }, ["0 2", "2 1"], 7],
];

Deno.test("readPagedRows() follows pages until one is short, and requests no row beyond `limit`", async () => {
  for (const [count, options, ranges, last] of PAGES) {
    const list = new FakeList(orders(count));
    assertEquals(await uidsOf(getAccountOrders(list, OWNER, options)), uidNumbers(count, last));
    assertEquals(list.ranges, ranges);
  }
  for (const [rows, limit, requests] of [[0, undefined, 1], [5, 0, 0]] as const) {
    const none = new FakeList(orders(rows));
    assertEquals(await uidsOf(getAccountOrders(none, OWNER, { limit })), []);
    assertEquals(none.requests.length, requests);
  }
});

Deno.test("readPagedRows() decodes no page with more rows than requested", async () => {
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

Deno.test("readPagedRows() sends nothing before the first pull, and nothing after the loop is left", async () => {
  const list = new FakeList(orders(10));
  const rows = getAccountOrders(list, OWNER, { pageSize: 2 });
  assertEquals(list.requests.length, 0);
  for await (const { uid } of rows) if (uid === uidNumber(7)) break;
  assertEquals(list.ranges, ["0 2", "2 2"]);
});

Deno.test("readPagedRows() drops rows that a moving list repeats, and loses none", async () => {
  for (const pagesAhead of [undefined, 1] as const) {
    const list = new FakeList(orders(10));
    const { seen } = await walked(list, { pageSize: 4, pagesAhead }, (count) => {
      if (count === 4) list.rows.unshift(orderNumber(11), orderNumber(12));
      if (count === 7) list.rows.unshift(orderNumber(13));
    });
    assertEquals(seen, uidNumbers(10, 1));
    assertEquals(list.ranges, ["0 4", "4 4", "8 4", "12 4"]);
  }
});

Deno.test("readPagedRows() continues if more than a page arrives between two requests", async () => {
  const list = new FakeList(orders(6));
  const { seen } = await walked(list, { pageSize: 3 }, (count) => {
    if (count === 3) list.rows.unshift(...[24, 23, 22, 21].map(orderNumber));
  });
  assertEquals(seen.filter((uid) => uid < uidNumber(21)), uidNumbers(6, 1));
  assertEquals(new Set(seen).size, seen.length);
});

Deno.test("readPagedRows() requests a page again that repeats the previous one", async () => {
  const list = new FakeList(
    orders(10),
    (asked) => asked === 2 ? orders(10).slice(0, 4) : undefined,
  );
  assertEquals(await uidsOf(getAccountOrders(list, OWNER, { pageSize: 4 })), uidNumbers(10, 1));
  assertEquals(list.ranges, ["0 4", "4 4", "4 4", "8 4"]);
});

Deno.test("readPagedRows() gives up if the service repeats one page forever", async () => {
  const list = new FakeList([], () => orders(3));
  const { seen, error } = await walked(list, { pageSize: 3 });
  assert(error instanceof DecodeError, `${error}`);
  assertStringIncludes(error.message, "new rows");
  assertStringIncludes(error.message, `the orders of account ${OWNER}`);
  assertEquals(seen, uidNumbers(3, 1));
  assertEquals(list.requests.length, 7);
});

Deno.test("readPagedRows() yields every valid row, then names the invalid ones, or reports them to `onFailure`", async () => {
  const rows = orders(5);
  rows[1] = { ...orderNumber(4), sellAmount: 7 };
  rows[4] = null;
  const { seen, error } = await walked(new FakeList(rows), { pageSize: 2 });
  assert(error instanceof IncompleteListError, `${error}`);
  assertEquals(seen, [5, 3, 2].map(uidNumber));
  assertEquals([error.failureCount, error.code], [2, "decode"]);
  assertEquals(error.failures.map(({ failure }) => failure.path), ["sellAmount", ""]);
  assertStringIncludes(error.message, `Cannot decode 2 of the orders of account ${OWNER}`);
  assertStringIncludes(error.message, `GET /api/v1/account/${OWNER}/orders?offset=0&limit=2`);

  const failures: [number, unknown][] = [];
  const progress: unknown[] = [];
  const told = await walked(new FakeList(rows), {
    pageSize: 2,
    onFailure: ({ index, body }) => failures.push([index, body]),
    onProgress: (event) => progress.push(event),
  });
  assertEquals(told, { seen, error: undefined });
  assertEquals(failures, [[1, rows[1]], [4, null]]);
  assertEquals(progress, [{ done: 2 }, { done: 4 }, { done: 5 }]);
});

Deno.test("readPagedRows() rejects an invalid limit or page size immediately", () => {
  const list = new FakeList([]);
  for (
    const options of [
      { limit: -1 },
      { limit: 1.5 },
      { pageSize: 0 },
      { pageSize: 1001 },
      { pagesAhead: 2 as 1 },
    ]
  ) assertThrows(() => getAccountOrders(list, OWNER, options), InputError);
  assertEquals(list.requests, []);
});

Deno.test("readPagedRows() rejects with the reason of an abort between pages", async () => {
  const controller = new AbortController();
  const list = new FakeList(orders(6));
  const reason = new Error("enough");
  const options = { pageSize: 2, signal: controller.signal };
  const found = await walked(list, options, (count) => count === 2 && controller.abort(reason));
  assertEquals(found, { seen: uidNumbers(6, 5), error: reason });
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

const AHEAD = { pageSize: 2, pagesAhead: 1 } as const;

Deno.test("`pagesAhead` sends the same requests, each before the rows of the page before it", async () => {
  const list = new FakeList(orders(6));
  const { seen } = await walked(list, AHEAD, (count) => {
    if (count === 1) assertEquals(list.ranges, ["0 2", "2 2"]);
  });
  assertEquals(seen, uidNumbers(6, 1));
  assertEquals(list.ranges, [0, 2, 4, 6].map((offset) => `${offset} 2`));
  const left = new FakeList(orders(6));
  for await (const _ of getAccountOrders(left, OWNER, AHEAD)) break;
  assertEquals(left.requests.map(({ signal }) => signal?.aborted), [undefined, true]);
  const failing = new FakeList(orders(6), (asked) => asked === 2 ? [1, 2, 3] : undefined);
  const { seen: before, error } = await walked(failing, AHEAD);
  assert(error instanceof DecodeError, `${error}`);
  assertStringIncludes(error.message, "at most 2 orders");
  assertEquals(before, uidNumbers(6, 5));
});
