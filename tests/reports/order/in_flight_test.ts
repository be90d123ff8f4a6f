import { connect, trackOrder } from "orderlens";
import { inspectOrder, triageOrders, watchOrders } from "orderlens/reports";
import { toExitStatus } from "../../../lib/cli/actions/inspect_action.ts";
import { assert, assertEquals } from "@std/assert";
import { FakeTransport } from "../../endpoints/fake_transport.ts";
import { TestClock } from "../../test_clock.ts";
import { orderBody, uidOf } from "../canned_book.ts";

const UID = uidOf("01");
/** Last second of the validity of the order. */
const VALID_TO = 0x6a87c960;
const NOT_FOUND = { status: 404, body: { errorType: "NotFound", description: "not found" } };

/** A live book whose order has a status and a stage, some seconds after its last second, without a trade. */
function bookOf(status: string, type: string, seconds = 6) {
  const creationDate = new Date((VALID_TO - 7_200) * 1_000).toISOString();
  const body = orderBody({ status, creationDate, invalidated: status === "cancelled" });
  const transport = new FakeTransport(({ path }) => {
    if (path.endsWith("/status")) return { body: { type } };
    if (path.startsWith("/api/v1/orders/by_uids")) return { body: [{ order: body }] };
    if (path.startsWith(`/api/v1/orders/${UID}`)) return { body };
    if (path.startsWith("/api/v2/trades")) return { body: [] };
    return path.startsWith("/restricted/") ? { status: 403, body: {} } : NOT_FOUND;
  });
  const clock = new TestClock({ startMs: (VALID_TO + seconds) * 1_000, heldFromMs: Infinity });
  return { book: connect(transport, { clock }), clock };
}

const STAGES = ["open", "scheduled", "active", "solved", "executing", "traded", "cancelled"];

/**
 * The verdict, its exit code and the first step of each status and stage, in the order of `STAGES`: an
 * order with a validity of hours, which is over by its status alone or 6 s after its last second.
 */
const TABLE: Readonly<Record<string, readonly string[]>> = {
  open: [
    "open_unknown 10 check_funds",
    "open_never_in_an_auction 10 wait",
    "open_unknown 10 wait",
    "open_unknown 10 wait",
    "open_executing 10 wait",
    "open_executed_not_indexed 10 wait",
    "open_unknown 10 wait",
  ],
  presignaturePending: [
    ...STAGES.slice(0, 5).map(() => "presignature_missing 10 set_presignature"),
    "executed_not_indexed 10 wait",
    "presignature_missing 10 set_presignature",
  ],
  expired: [
    "expired_unknown 10 wait",
    "expired_never_in_an_auction 12 place_anew",
    "expired_unknown 10 wait",
    "expired_unknown 10 wait",
    "expired_executing 10 wait",
    "expired_executed_not_indexed 10 wait",
    "expired_unknown 10 wait",
  ],
  cancelled: [
    "cancelled 11 wait",
    "cancelled 11 place_anew",
    "cancelled 11 wait",
    "cancelled 10 wait",
    "cancelled_executing 10 wait",
    "cancelled_executed_not_indexed 10 wait",
    "cancelled 11 wait",
  ],
};
/** Seconds after the last second of the validity at which each status is looked at. */
const LOOKED_AT: Readonly<Record<string, number>> = { expired: 6 };

Deno.test("inspectOrder() and triageOrders() never call an order final that may still be settled", async () => {
  for (const [status, expected] of Object.entries(TABLE)) {
    const found = await Promise.all(STAGES.map(async (stage) => {
      const { book } = bookOf(status, stage, LOOKED_AT[status] ?? -600);
      const { verdict, outlook, next, sentence } = await inspectOrder(book, UID);
      const [row] = await Array.fromAsync(triageOrders(book, [UID]));
      assertEquals([row!.verdict, row!.sentence], [verdict, sentence], `${status} ${stage}`);
      const actions = next.map(({ action }) => action);
      if (outlook!.mayStillSettle === true) assert(!actions.includes("place_anew"), sentence);
      return `${verdict} ${toExitStatus(verdict, outlook)} ${actions[0]}`;
    }));
    assertEquals(found, [...expected], status);
  }
});

Deno.test("inspectOrder() says that an order is over once it can no longer be settled", async () => {
  for (const status of ["expired", "cancelled"]) {
    const { book } = bookOf(status, "executing", 121);
    const { verdict, outlook, next: [step] } = await inspectOrder(book, UID);
    const isCancelled = status === "cancelled";
    assertEquals([verdict, outlook?.mayStillSettle, step?.action], [
      isCancelled ? "cancelled" : "expired_won_not_settled",
      false,
      "place_anew",
    ]);
    assertEquals(toExitStatus(verdict, outlook), isCancelled ? 11 : 12);
  }
});

Deno.test("trackOrder() and watchOrders() end when no settlement can come any more", async () => {
  for (const [status, isLong] of [["expired", true], ["cancelled", true], ["fulfilled", false]]) {
    const tracked = bookOf(`${status}`, "executing");
    const began = tracked.clock.now();
    const changes = await Array.fromAsync(trackOrder(tracked.book, UID));
    assertEquals(changes.map(({ isFinal }) => isFinal), isLong ? [false, true] : [true]);
    // 6 s after the last second of the validity, which ends with that second.
    assertEquals(tracked.clock.now() - began, isLong ? 115_000 : 0);
    if (status === "fulfilled") continue;
    const watched = bookOf(`${status}`, "executing");
    const [event, ...others] = await Array.fromAsync(watchOrders(watched.book, { uids: [UID] }));
    assertEquals([event?.type, others], [`order_${status}`, []]);
    const endedMs = watched.clock.now() - began;
    assert(endedMs >= 115_000 && endedMs < 145_000, `${status}: ${endedMs} ms`);
  }
});
