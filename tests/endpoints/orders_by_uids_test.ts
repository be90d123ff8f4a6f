import { assert, assertEquals, assertRejects } from "@std/assert";
import { DecodeError, HttpStatusError, InputError, ServiceError } from "orderlens";
import { getOrdersByUids, type Progress } from "orderlens/endpoints";
import { type FakeAnswer, FakeTransport } from "./fake_transport.ts";
import { orderNumber, RECORDED_ORDER, uidNumber, uidNumbers } from "./recorded_bodies.ts";

function asked(request: { body?: string }): string[] {
  return JSON.parse(request.body ?? "");
}

function numberOf(uid: string): number {
  return parseInt(uid.slice(2, 66), 16);
}

/** A service that has the orders 1 to `count`, and answers them backwards. */
function serviceWith(count: number, tamper?: (uids: string[]) => FakeAnswer | undefined) {
  return new FakeTransport(async (request) => {
    await Promise.resolve();
    const uids = asked(request);
    const numbers = uids.map(numberOf).filter((n) => n <= count);
    return tamper?.(uids) ?? { body: numbers.reverse().map((n) => ({ order: orderNumber(n) })) };
  });
}

Deno.test("getOrdersByUids() requests 128 at a time, in bodies under 16 KiB, and sorts the orders", async () => {
  const service = serviceWith(300);
  const { orders, missing, failed } = await getOrdersByUids(service, uidNumbers(1, 300));
  assertEquals(orders.map((order) => order.uid), uidNumbers(1, 300));
  assertEquals([missing, failed], [[], []]);
  assertEquals(service.requests.map((request) => asked(request).length), [128, 128, 44]);
  for (const { body = "", method, isRead, path } of service.requests) {
    assert(body.length < 16 * 1024, `${body.length} bytes`);
    assertEquals([method, isRead, path], ["POST", true, "/api/v1/orders/by_uids"]);
  }
});

Deno.test("getOrdersByUids() respects its concurrency, and reports the number of finished UIDs", async () => {
  for (const concurrency of [1, 3, undefined]) {
    const service = serviceWith(1000);
    const progress: Progress[] = [];
    await getOrdersByUids(service, uidNumbers(1, 1000), {
      ...concurrency === undefined ? {} : { concurrency },
      onProgress: (event) => progress.push(event),
    });
    assertEquals([service.mostPending, service.requests.length], [concurrency ?? 4, 8]);
    const answered = [128, 256, 384, 512, 640, 768, 896, 1000];
    assertEquals(progress, answered.map((done) => ({ done, total: 1000 })));
  }
});

Deno.test("getOrdersByUids() requests a repeated UID once, regardless of case", async () => {
  const service = serviceWith(20);
  const eleven = uidNumber(11);
  const loud = `0x${eleven.slice(2).toUpperCase()}`;
  const lost = `0x${uidNumber(0xabc).slice(2).toUpperCase()}`;
  const asks = [loud, uidNumber(3), lost, eleven, uidNumber(0xabc), uidNumber(3)];
  const { orders, missing } = await getOrdersByUids(service, asks);
  assertEquals(asked(service.requests[0]!), [eleven, uidNumber(3), uidNumber(0xabc)]);
  assertEquals(orders.map((order) => order.uid), [eleven, uidNumber(3)]);
  assertEquals(missing, [lost]);
});

Deno.test("getOrdersByUids() sends nothing for no UIDs, or if one is malformed", async () => {
  const service = serviceWith(1);
  assertEquals(await getOrdersByUids(service, []), { orders: [], missing: [], failed: [] });
  await assertRejects(() => getOrdersByUids(service, [uidNumber(1), "0x12"]), InputError);
  await assertRejects(() => getOrdersByUids(service, [], { concurrency: 0 }), InputError);
  assertEquals(service.requests, []);
});

Deno.test("getOrdersByUids() returns invalid orders, and orders that the service cannot read, beside the valid ones", async () => {
  const service = serviceWith(4, () => ({
    body: [
      { order: { ...orderNumber(3), kind: "swap" } },
      { error: { uid: uidNumber(2), description: "unknown class" } },
      { order: orderNumber(4) },
      { order: orderNumber(1) },
    ],
  }));
  const { orders, missing, failed } = await getOrdersByUids(service, uidNumbers(1, 5));
  assertEquals(orders.map((order) => order.uid), [uidNumber(1), uidNumber(4)]);
  assertEquals(missing, [uidNumber(5)]);
  assertEquals(failed.map(({ uid }) => uid), [uidNumber(2), uidNumber(3)]);
  const [unread, broken] = failed;
  assert(unread?.error instanceof ServiceError, `${unread?.error}`);
  assertEquals(unread.error.description, "unknown class");
  assert(broken?.error instanceof DecodeError, `${broken?.error}`);
  assertEquals(broken.error.failure.path, "order.kind");
});

Deno.test("getOrdersByUids() does not report a UID as missing if an unidentified invalid element may be its order", async () => {
  for (const element of [{ order: 7 }, {}, null, { error: {} }]) {
    const service = serviceWith(0, () => ({ body: [{ order: orderNumber(1) }, element] }));
    const { orders, missing, failed } = await getOrdersByUids(service, uidNumbers(1, 3));
    assertEquals(orders.map((order) => order.uid), [uidNumber(1)]);
    assertEquals(missing, []);
    assertEquals(failed.map(({ uid }) => uid), [uidNumber(2), uidNumber(3), undefined]);
  }
  // One that was not asked for is none of them.
  const service = serviceWith(0, () => ({ body: [{ order: RECORDED_ORDER }] }));
  const { failed, ...found } = await getOrdersByUids(service, uidNumbers(1, 1));
  assertEquals(found, { orders: [], missing: uidNumbers(1, 1) });
  assertEquals(failed.map(({ uid }) => uid), [RECORDED_ORDER.uid as string]);
});

Deno.test("getOrdersByUids() rejects a response with more orders than requested, or without a list", async () => {
  for (
    const [body, expected] of [
      [Array.from({ length: 3 }, () => ({})), "at most 2 orders"],
      [{ order: orderNumber(1) }, "must be a list"],
    ] as const
  ) {
    const service = serviceWith(0, () => ({ body }));
    const ask = () => getOrdersByUids(service, uidNumbers(1, 2));
    await assertRejects(ask, DecodeError, expected);
  }
});

Deno.test("getOrdersByUids() loses only the orders of a request that fails", async () => {
  const service = serviceWith(
    500,
    (uids) => uids.includes(uidNumber(200)) ? { status: 502, body: "bad gateway" } : undefined,
  );
  const { orders, missing, failed } = await getOrdersByUids(service, uidNumbers(1, 500));
  assertEquals(orders.length, 500 - 128);
  assertEquals(missing, []);
  assertEquals(failed.map(({ uid }) => uid), uidNumbers(129, 256));
  assert(failed[0]?.error instanceof HttpStatusError, `${failed[0]?.error}`);
});

Deno.test("getOrdersByUids() throws once several requests have failed, without trying all", async () => {
  const service = new FakeTransport(() => ({ status: 502, body: "bad gateway" }));
  const ask = () => getOrdersByUids(service, uidNumbers(1, 2000));
  await assertRejects(ask, HttpStatusError, "status 502");
  assert(service.requests.length <= 8, `${service.requests.length} requests`);

  const one = new FakeTransport(() => ({ status: 502 }));
  await assertRejects(() => getOrdersByUids(one, uidNumbers(1, 1)), HttpStatusError);
});

Deno.test("getOrdersByUids() rejects immediately when aborted", async () => {
  const controller = new AbortController();
  const { promise: never } = Promise.withResolvers<FakeAnswer>();
  const service = new FakeTransport(() => never);
  const { signal } = controller;
  const call = getOrdersByUids(service, uidNumbers(1, 1000), { signal });
  const rejected = assertRejects(() => call, Error, "enough");
  await Promise.resolve();
  controller.abort(new Error("enough"));
  await rejected;
  assertEquals(service.requests.length, 4);
  await assertRejects(() => getOrdersByUids(service, [], { signal }), Error, "enough");
});
