import { DecodeError, InputError } from "orderlens";
import { getAccountOrders } from "orderlens/endpoints";
import { assertEquals, assertRejects, assertThrows } from "@std/assert";
import { orderNumber, RECORDED_OWNER as OWNER } from "../recorded_bodies.ts";
import { FakeList, orders, uids, uidsOf } from "./fake_list.ts";

Deno.test("`pagesAhead` sends the same requests, each before the rows of the page before it", async () => {
  const list = new FakeList(orders(6));
  const seen: string[] = [];
  for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 2, pagesAhead: 1 })) {
    seen.push(uid);
    if (seen.length === 1) assertEquals(list.ranges, ["offset=0&limit=2", "offset=2&limit=2"]);
  }
  assertEquals(seen, uids(6, 1));
  assertEquals(list.ranges, [0, 2, 4, 6].map((offset) => `offset=${offset}&limit=2`));
});

Deno.test("`pagesAhead` requests nothing after a short page, or beyond `limit`", async () => {
  const short = new FakeList(orders(3));
  const options = { pageSize: 2, pagesAhead: 1 } as const;
  assertEquals(await uidsOf(getAccountOrders(short, OWNER, options)), uids(3, 1));
  assertEquals(short.ranges, ["offset=0&limit=2", "offset=2&limit=2"]);

  const long = new FakeList(orders(9));
  assertEquals(await uidsOf(getAccountOrders(long, OWNER, { ...options, limit: 3 })), uids(9, 7));
  assertEquals(long.ranges, ["offset=0&limit=2", "offset=2&limit=1"]);
  assertThrows(
    () => getAccountOrders(long, OWNER, { pagesAhead: 2 as 1 }),
    InputError,
    "pagesAhead",
  );
});

Deno.test("`pagesAhead` loses no row of a list that moves", async () => {
  const list = new FakeList(orders(7));
  const seen: string[] = [];
  for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 2, pagesAhead: 1 })) {
    seen.push(uid);
    if (seen.length === 1) list.rows.unshift(orderNumber(8));
  }
  assertEquals(seen, uids(7, 1));
});

Deno.test("`pagesAhead` aborts the request under way when the loop is left", async () => {
  const list = new FakeList(orders(6));
  for await (const _ of getAccountOrders(list, OWNER, { pageSize: 2, pagesAhead: 1 })) break;
  assertEquals(list.requests.map(({ signal }) => signal?.aborted), [undefined, true]);
});

Deno.test("`pagesAhead` yields the rows before the error of the next page", async () => {
  const list = new FakeList(orders(6), (asked) => asked === 2 ? [1, 2, 3] : undefined);
  const seen: string[] = [];
  await assertRejects(
    async () => {
      for await (const { uid } of getAccountOrders(list, OWNER, { pageSize: 2, pagesAhead: 1 })) {
        seen.push(uid);
      }
    },
    DecodeError,
    "at most 2 orders",
  );
  assertEquals(seen, uids(6, 5));
});
