import { connect } from "orderlens";
import { replay } from "orderlens/recordings";
import { inspectOrder } from "orderlens/reports";
import { assert, assertEquals } from "@std/assert";
import { withoutReports } from "../../../tools/metrics/check_verdicts.ts";

const RECORDING = await replay("market_3");
const FULL = connect(RECORDING);
const BARE = connect(withoutReports(RECORDING));

/** An order that nobody bid on in several auctions, and that expired long before the last of all. */
async function longLived(): Promise<string> {
  const byExpiry = RECORDING.recorded.orderUids.toSorted((a, b) =>
    a.slice(-8) < b.slice(-8) ? -1 : 1
  );
  for (const uid of byExpiry) {
    const { auctions, verdict } = await inspectOrder(FULL, uid);
    if (verdict === "expired_no_bid_at_a_fair_limit" && auctions.length >= 2) return uid;
  }
  throw new Error("No recorded order was in several auctions");
}

const UID = await longLived();

Deno.test("inspectOrder() with deep finds the auctions and bids that the report has", async () => {
  const reported = await inspectOrder(FULL, UID);
  const progress: string[] = [];
  const deep = await inspectOrder(BARE, UID, {
    deep: true,
    onProgress: ({ done, total }) => progress.push(`${done}/${total}`),
  });
  assertEquals(deep.auctions.map(({ auctionId }) => auctionId), [
    ...reported.auctions.map(({ auctionId }) => auctionId),
  ]);
  assertEquals([deep.verdict, deep.sentence], [reported.verdict, reported.sentence]);
  const { from, to, absent, unread, isWhole, isEndSeen } = deep.evidence.walked!;
  assertEquals([unread, isWhole, isEndSeen], [0, true, true]);
  assert(absent >= 0 && from <= deep.auctions[0]!.auctionId);
  assertEquals(progress.at(-1), `${to - from + 1}/${to - from + 1}`);
});

Deno.test("inspectOrder() with deep walks the last ids if there are more than wanted, and says so", async () => {
  const whole = (await inspectOrder(BARE, UID, { deep: true })).evidence.walked!;
  const some = await inspectOrder(BARE, UID, { deep: 2 });
  assertEquals(some.evidence.walked, {
    ...some.evidence.walked!,
    from: whole.to - 1,
    to: whole.to,
    isWhole: false,
  });
  assertEquals(some.unknown.some(({ what }) => what === "earlier_auctions"), true);
});

Deno.test("inspectOrder() with deep walks nothing where there is a report", async () => {
  assertEquals((await inspectOrder(FULL, UID, { deep: true })).evidence.walked, null);
});
