import { assert, assertEquals, assertRejects } from "@std/assert";
import { connect, trackOrder } from "../../lib/client/mod.ts";
import { InputError, NetworkError, NotFoundError, ServiceError } from "../../lib/errors/mod.ts";
import type { FaultOptions } from "../../lib/sandbox/mod.ts";
import { FakeTransport } from "../endpoints/fake_transport.ts";
import { orderNumber, RECORDED_ORDER, uidNumber } from "../endpoints/recorded_bodies.ts";
import { TestClock } from "../test_clock.ts";
import {
  ACCOUNT,
  dearOrder,
  ETHER,
  largeOrder,
  placeOrder,
  quoteAt,
  setting,
} from "./trading_setting.ts";

Deno.test("trackOrder() reports every partial fill", async () => {
  const placed = await largeOrder(await setting());
  const changes = await Array.fromAsync(placed.track());
  const parts = [...new Set(changes.map(({ executed }) => executed.atoms))];
  assert(parts.length > 2, `${parts.length} parts`);
  assertEquals(parts, parts.toSorted((a, b) => (a < b ? -1 : 1)));
  assertEquals([parts[0], parts.at(-1)], [0n, 2_000n * ETHER]);
  assertEquals(
    changes.map(({ isFinal }) => isFinal),
    changes.map((_, at) => at === changes.length - 1),
  );
  const { fills, differences } = await placed.execution();
  assertEquals([fills.length, differences], [parts.length - 1, []]);
});

Deno.test("trackOrder() ends once an expired order can no longer be settled, and when aborted", async () => {
  const { book, request } = await setting();
  const quote = await quoteAt({ book, request: { ...request, validFor: 60 } }, 300n);
  const placed = await placeOrder(book, ACCOUNT, request, { quote });
  const leaving = new AbortController();
  for await (const { order } of placed.track({ signal: leaving.signal })) {
    assertEquals(order.status, "open");
    leaving.abort();
  }
  assertEquals(await Array.fromAsync(placed.track({ signal: leaving.signal })), []);
  const changes = await Array.fromAsync(placed.track());
  const ends = changes.filter(({ order }) => order.status === "expired");
  assertEquals(ends.map(({ isFinal }) => isFinal), [false, true]);
  const [first, last] = ends.map(({ seenAt }) =>
    seenAt.epochMilliseconds - quote.quote.validTo * 1_000
  );
  assert(first! < 10_000, `looked ${first} ms after the expiry`);
  // The last second of its validity, and two minutes.
  assert(last! >= 121_000 && last! < 130_000, `looked ${last} ms after the expiry`);
});

Deno.test("trackOrder() waits for a fill that is indexed after the expiry or the cancellation", async () => {
  for (const ended of ["expired", "cancelled"]) {
    const { book } = polled((nowMs, beganMs) => {
      const seconds = (nowMs - beganMs) / 1_000;
      const isFilled = seconds >= 40;
      const atoms = isFilled ? "100" : "0";
      return {
        ...{ ...orderNumber(7), kind: "sell", sellAmount: "100" },
        validTo: beganMs / 1_000 + (ended === "expired" ? 12 : 600),
        status: seconds <= 12 ? "open" : isFilled ? "fulfilled" : ended,
        executedSellAmount: atoms,
        executedSellAmountBeforeFees: atoms,
        executedBuyAmount: atoms,
      };
    }, "executing");
    const changes = await Array.fromAsync(trackOrder(book, uidNumber(7)));
    assertEquals(
      changes.map(({ order, isFinal, outlook }) => [order.status, isFinal, outlook.basis]),
      [["open", false, "valid"], [ended, false, "in_flight"], ["fulfilled", true, "filled"]],
    );
  }
});

Deno.test("trackOrder() ends at once at the end of an order that no auction had", async () => {
  const { book } = polled((nowMs, beganMs) => ({
    ...orderNumber(7),
    validTo: beganMs / 1_000 + 12,
    status: nowMs - beganMs <= 12_000 ? "open" : "expired",
    ...{ executedSellAmount: "0", executedSellAmountBeforeFees: "0", executedBuyAmount: "0" },
  }), "scheduled");
  const changes = await Array.fromAsync(trackOrder(book, uidNumber(7)));
  assertEquals(changes.map(({ order, isFinal }) => [order.status, isFinal]), [
    ["open", false],
    ["expired", true],
  ]);
});

Deno.test("trackOrder reports changes while it tracks", async () => {
  const trading = await setting();
  const { book, request, sandbox } = trading;
  const presigned = await placeOrder(book, ACCOUNT, { ...request, signingScheme: "presign" });
  const dear = await dearOrder(trading);
  for (
    const [placed, act, expected] of [
      [
        presigned,
        () => sandbox.preSign(presigned.uid),
        ["presignaturePending", "open", "fulfilled"],
      ],
      [dear, () => dear.cancel({ waitMs: 0 }), ["open", "cancelled"]],
    ] as const
  ) {
    const statuses = new Set<string>();
    for await (const { order } of placed.track()) {
      if (statuses.size === 0) await act();
      statuses.add(order.status);
    }
    assertEquals<readonly string[]>([...statuses], expected);
  }
});

const FAULTS: readonly FaultOptions[] = [
  { kind: "serverError", rate: 0.5 },
  { kind: "reset", rate: 0.5 },
  { kind: "rateLimited", rate: 0.5, retryAfterSec: 3 },
  { kind: "html", rate: 0.5 },
  { kind: "truncated", operation: "order", times: 3 },
  { kind: "truncated", operation: "orderStatus" },
  { kind: "serverError", operation: "orderStatus" },
  // More than the transport retries: four consecutive polls fail.
  { kind: "serverError", operation: "order", times: 20 },
];

for (const fault of FAULTS) {
  const { kind, operation = "anything", rate, times } = fault;
  Deno.test(`trackOrder() tolerates ${kind} of ${operation} at rate ${rate ?? 1}, times ${times ?? "any"}`, async () => {
    const { sandbox, book, request } = await setting();
    const placed = await placeOrder(book, ACCOUNT, request);
    const asked = sandbox.fault(fault);
    const changes = await Array.fromAsync(placed.track());
    assertEquals(changes.at(-1)?.order.status, "fulfilled");
    assert(asked.hits > 0);
  });
}

Deno.test("trackOrder() gives up after repeated failures, and throws the last one", async () => {
  const { sandbox, book, request } = await setting();
  const placed = await placeOrder(book, ACCOUNT, request);
  sandbox.fault({ kind: "serverError", operation: "order" });
  await assertRejects(() => Array.fromAsync(placed.track()), ServiceError, "InternalServerError");
});

Deno.test("trackOrder() polls five times for an unknown order", async () => {
  const { book } = await setting();
  const began = book.clock.now();
  await assertRejects(() => Array.fromAsync(trackOrder(book, uidNumber(7))), NotFoundError);
  // 2, 4, 8 and 16 seconds.
  assertEquals(book.clock.now() - began, 30_000);
});

Deno.test("trackOrder() does not retry an unreachable server", async () => {
  const book = connect("http://127.0.0.1:1", { chainId: 1, retries: 0 });
  await assertRejects(() => Array.fromAsync(trackOrder(book, uidNumber(7))), NetworkError);
});

/** A book whose only order has the body that a poll gives, at a time, and one stage. */
function polled(bodyAt: (nowMs: number, beganMs: number) => object, type = "active") {
  const clock = new TestClock({ heldFromMs: Infinity });
  const startMs = clock.now();
  const transport = new FakeTransport(({ path }) => ({
    body: path.endsWith("/status") ? { type, value: [] } : bodyAt(clock.now(), startMs),
  }));
  return { book: connect(transport, { clock }), waitsMs: clock.waitsMs, beganMs: clock.now() };
}

/** An order with the given executed amounts, one per poll; the last one repeats. */
function executedInTurn(executed: readonly number[]) {
  let at = 0;
  return polled((nowMs) => {
    const atoms = executed[Math.min(at++, executed.length - 1)]!;
    return {
      ...{ ...orderNumber(7), kind: "sell", partiallyFillable: true, sellAmount: "100" },
      status: atoms === 100 ? "fulfilled" : "open",
      validTo: Math.floor(nowMs / 1_000) + 86_400,
      executedSellAmount: `${atoms}`,
      executedSellAmountBeforeFees: `${atoms}`,
      executedBuyAmount: `${atoms}`,
    };
  });
}

Deno.test("trackOrder ignores outdated responses, and stops polling when its loop ends", async () => {
  const { book } = executedInTurn([0, 40, 0, 40, 70, 40, 100]);
  const changes = await Array.fromAsync(trackOrder(book, uidNumber(7)));
  assertEquals(changes.map(({ executed }) => executed.atoms), [0n, 40n, 70n, 100n]);
  const left = executedInTurn([0]);
  for await (const _ of trackOrder(left.book, uidNumber(7))) break;
  assertEquals(left.waitsMs, []);
});

Deno.test("trackOrder() doubles the wait while nothing changes, up to the maximum", async () => {
  const { book, waitsMs } = executedInTurn([0, 0, 0, 0, 50, 50, 100]);
  await Array.fromAsync(trackOrder(book, uidNumber(7), { firstWaitMs: 100, longestWaitMs: 500 }));
  assertEquals(waitsMs, [100, 200, 400, 500, 100, 200]);
});

Deno.test("trackOrder() rejects invalid waits", async () => {
  const { book } = executedInTurn([0]);
  for (const options of [{ firstWaitMs: 0 }, { firstWaitMs: NaN }, { longestWaitMs: -1 }]) {
    const ask = () => Array.fromAsync(trackOrder(book, uidNumber(7), options));
    await assertRejects(ask, InputError, "Pass a number of milliseconds above 0");
  }
});

Deno.test("trackOrder() polls an EthFlow order at the expiry that its trader set", async () => {
  const { book, waitsMs, beganMs } = polled((nowMs) => ({
    ...RECORDED_ORDER,
    status: nowMs > userValidTo * 1_000 ? "expired" : "open",
    validTo: 4_294_967_295,
    ethflowData: { userValidTo, refundTxHash: null },
  }));
  const userValidTo = Math.floor(beganMs / 1_000) + 20;
  const { uid } = RECORDED_ORDER as { uid: string };
  const changes = await Array.fromAsync(trackOrder(book, uid, { longestWaitMs: 3_600_000 }));
  assertEquals(changes.map(({ order }) => order.status), ["open", "expired", "expired"]);
  // The fourth wait would double to 16 seconds: it ends 2 seconds after the expiry instead. The last
  // one would double to 128 seconds: it ends two minutes after the last second of the validity.
  assertEquals(waitsMs, [2_000, 4_000, 8_000, 8_000, 2_000, 4_000, 8_000, 16_000, 32_000, 57_000]);
});
