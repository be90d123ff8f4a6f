import { getCompetition, getOrder } from "orderlens/endpoints";
import type { HttpRequest } from "orderlens/http";
import { assertEquals } from "@std/assert";
import { FakeTransport, response } from "./fake_transport.ts";
import { RECORDED_COMPETITION, RECORDED_ORDER, uidNumber } from "./recorded_bodies.ts";

const EXPIRY_SEC = 1_795_273_344;
const DAY_MS = 86_400_000;
const DURING = EXPIRY_SEC * 1000 - 1;
const A_DAY_AFTER = EXPIRY_SEC * 1000 + DAY_MS;

/** Whether an answer of `getOrder` may be kept for ever. */
async function mayKeepOrder(changes: Record<string, unknown>, nowMs: number): Promise<boolean> {
  const body = { ...RECORDED_ORDER, uid: uidNumber(1), validTo: EXPIRY_SEC, ...changes };
  const service = new FakeTransport(() => ({ body }));
  await getOrder(service, uidNumber(1), { now: () => nowMs });
  return isKept(service.requests[0], body);
}

async function mayKeepCompetition(which: number | string, body: unknown): Promise<boolean> {
  const service = new FakeTransport(() => ({ body }));
  await getCompetition(service, which);
  return isKept(service.requests[0], body);
}

function isKept(request: HttpRequest | undefined, body: unknown): boolean {
  return request?.isImmutable?.(response({ body })) === true;
}

Deno.test("getOrder() allows caching an order once it is closed and a day past its expiry", async () => {
  for (const status of ["fulfilled", "cancelled", "expired"]) {
    const order = { status, executedFee: "0" };
    assertEquals(await mayKeepOrder(order, A_DAY_AFTER + 1), true, status);
    assertEquals(await mayKeepOrder(order, A_DAY_AFTER), false, status);
    assertEquals(await mayKeepOrder(order, DURING), false, status);
  }
});

Deno.test("getOrder() allows caching an order once a single fill fulfilled it and its fees are known", async () => {
  const order = { status: "fulfilled", executedFee: "1", partiallyFillable: false };
  assertEquals(await mayKeepOrder(order, DURING), true);
  assertEquals(await mayKeepOrder({ ...order, partiallyFillable: true }, DURING), false);
  assertEquals(await mayKeepOrder({ ...order, status: "cancelled" }, DURING), false);
});

Deno.test("getOrder() does not cache an order that may change, or is in an unknown state", async () => {
  for (const status of ["open", "presignaturePending", "somethingNew"]) {
    assertEquals(await mayKeepOrder({ status }, A_DAY_AFTER * 2), false, status);
  }
});

Deno.test("getOrder() takes the expiry of an EthFlow order from its trader", async () => {
  const order = {
    status: "expired",
    validTo: 4_294_967_295,
    ethflowData: { userValidTo: EXPIRY_SEC, refundTxHash: null },
  };
  assertEquals(await mayKeepOrder(order, A_DAY_AFTER + 1), true);
  assertEquals(await mayKeepOrder(order, A_DAY_AFTER), false);
});

Deno.test("getCompetition() allows caching once every winner has its transaction", async () => {
  const [solution] = RECORDED_COMPETITION.solutions as [Record<string, unknown>];
  const settled = { ...solution, isWinner: true, txHash: `0x${"12".repeat(32)}` };
  const waiting = { ...settled, txHash: null };
  const lost = { ...waiting, isWinner: false };
  for (
    const [solutions, expected] of [
      [[lost, settled], true],
      [[settled, settled], true],
      [[settled, waiting], false],
      [[lost], false],
      [[], false],
    ] as const
  ) {
    const transactionHashes = [`0x${"12".repeat(32)}`];
    const body = { ...RECORDED_COMPETITION, auctionId: 7, transactionHashes, solutions };
    assertEquals(await mayKeepCompetition(7, body), expected);
    assertEquals(await mayKeepCompetition(`0x${"12".repeat(32)}`, body), expected);
    assertEquals(await mayKeepCompetition("latest", body), false);
  }
});
