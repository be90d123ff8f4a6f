import { assertEquals } from "@std/assert";
import { connect } from "../../../lib/client/mod.ts";
import { replay } from "../../../lib/recordings/mod.ts";
import { watchOrders, type WatchState } from "../../../lib/reports/mod.ts";

const recording = await replay("market_1");
/** Its first settlement failed at the solver; the second one filled it. */
const FAILED =
  "0x01f320f195a7a647155de6bbdc16259df054684b3316e8c6727dd73199d8092a28436801e7093ba424a28a66512aa31760c192b66b01b560";
/** Five auctions had it, from 1621 to 1660, and nobody bid. */
const SILENT =
  "0x00142bf017a02585440f304f3ed3ee8f979fe8910c2dc3ed9371296215a18fac28436801e7093ba424a28a66512aa31760c192b66b01b29e";

Deno.test("watchOrders() tells a settlement that failed, where it is asked for, before the fill", async () => {
  const watch = (failedSettlements: boolean) =>
    Array.fromAsync(watchOrders(connect(recording), { uids: [FAILED], failedSettlements }));
  const usual = await watch(false);
  const [failed, ...rest] = await watch(true);
  assertEquals(rest.map(({ id }) => id), usual.map(({ id }) => id));
  assertEquals([failed?.type, failed?.at], ["settlement_failed", "2026-11-21T15:11:42.58244Z"]);
  assertEquals(failed?.id, `${FAILED}/settlement_failed/1973-0`);
  const { cause } = failed!;
  assertEquals(cause.kind === "attempt" && [cause.auctionId, cause.outcome.slice(0, 13)], [
    1973,
    "driver failed",
  ]);
});

Deno.test("watchOrders() tells a row of auctions without a bid once, when it is as long as asked for", async () => {
  for (const [noBidsAfter, told] of [[4, 1], [5, 0]] as const) {
    const states: WatchState[] = [];
    const options = {
      uids: [SILENT],
      noBidsAfter,
      save: (state: WatchState) => void states.push(state),
    };
    const events = await Array.fromAsync(watchOrders(connect(recording), options));
    const silent = events.filter(({ type }) => type === "no_bids");
    assertEquals(silent.length, told);
    // A watch that goes on does not tell it again, also while nothing is over.
    const [known] = states.at(-1)!.orders;
    assertEquals(known?.noBidsFrom, told === 0 ? null : 1621);
    if (told === 0) continue;
    const { cause } = silent[0]!;
    assertEquals(cause.kind === "auctions" && [cause.from, cause.count], [1621, 4]);
    const state = { ...states.at(-1)!, orders: [{ ...known!, isDone: false }] };
    const again = await Array.fromAsync(watchOrders(connect(recording), { ...options, state }));
    assertEquals(again, []);
  }
});
