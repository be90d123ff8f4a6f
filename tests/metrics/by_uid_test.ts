import { InputError } from "orderlens";
import {
  consistencyShares,
  replayCompetition,
  scoreSolution,
  type ScoringTerms,
  settlementOutcomes,
} from "orderlens/metrics";
import { assertEquals, assertThrows } from "@std/assert";
import { auctionOf } from "./auctions.ts";
import { tradeOf } from "./reports.ts";
import { computed } from "./fixtures.ts";

const UID = "0x0a>0x0b";
const SPELT = "0x0A>0x0B";
const OTHER = "0x0b>0x0c";
const LIMIT = { kind: "sell", sellAmount: 1n, buyAmount: 1n } as const;
const RECORD = { uid: SPELT, ...LIMIT };

function* once<One>(...all: One[]): Generator<One> {
  yield* all;
}

const competition = auctionOf(
  [{ solver: "A", score: 0n, pairs: [["0x0a", "0x0b"]], isWinner: true, txHash: "0xab" }],
  { auction: { orders: [UID], prices: { "0x0b": 10n ** 18n } }, referenceScores: { A: 0n } },
);

function scoreOf(terms: ScoringTerms) {
  const [solution] = competition.solutions;
  const { score, missing } = computed(scoreSolution(solution!, competition.auction, terms));
  return [score, ...missing.map((one) => one.missing)];
}

Deno.test("metrics take orders as any iterable of records or pairs, with UIDs in any case", () => {
  const trades = [tradeOf({ orderUid: UID, blockNumber: 102 })];
  const outcomes = settlementOutcomes([competition], { trades });
  // A fresh one each, since what is iterated once is used up.
  const all: Record<string, () => ScoringTerms["orders"]> = {
    "a Map in lower case": () => new Map([[UID, LIMIT]]),
    "a Map in mixed case": () => new Map([[SPELT, LIMIT]]),
    "an array of orders": () => [RECORD],
    "an array of pairs": () => [[SPELT, LIMIT] as const],
    "a Set": () => new Set([RECORD]),
    "a generator": () => once(RECORD),
  };
  for (const [what, orders] of Object.entries(all)) {
    assertEquals(scoreOf({ orders: orders() }), [0n, "policies"], what);
    const shares = consistencyShares([competition], { outcomes, orders: orders() });
    assertEquals([shares.ordersWithoutSurplus, shares.ordersUnknown], [1, 0], what);
  }
  for (
    const policies of [new Map([[SPELT, []]]), [[SPELT, []]] as const, once([SPELT, []] as const)]
  ) {
    assertEquals(scoreOf({ orders: [RECORD], policies }), [0n]);
  }
});

Deno.test("replayCompetition() finds orders and policies in either case", () => {
  const batch = auctionOf([
    { solver: "A", score: 100n, pairs: [["0x0a", "0x0b"], ["0x0b", "0x0c"]] },
    { solver: "B", score: 60n, pairs: [["0x0a", "0x0b"]] },
  ], { auction: { orders: [UID, OTHER], prices: { "0x0b": 10n ** 18n, "0x0c": 10n ** 18n } } });
  const uids = [SPELT, OTHER.toUpperCase()];
  const orders = uids.map((uid) => ({ ...LIMIT, uid }));
  const policies = uids.map((uid) => [uid, []] as const);
  // Executed at the limit, the batch scores 0 on the pair of which the other bid makes 60.
  assertEquals(replayCompetition(batch, { orders, policies }).basis.filterFlagsReported, 0);
  assertEquals(replayCompetition(batch).basis.filterFlagsReported, 1);
});

Deno.test("a Map that changes between two calls is read again", () => {
  const orders = new Map([[SPELT, { ...LIMIT, buyAmount: 0n }]]);
  const terms = { orders, policies: [[UID, []]] as const };
  assertEquals(scoreOf(terms), [1n]);
  orders.set(SPELT, LIMIT);
  assertEquals(scoreOf(terms), [0n]);
  orders.clear();
  assertEquals(scoreOf(terms), [0n, "order"]);
});

Deno.test("records without a UID are rejected, not skipped", () => {
  const trade = { orderUid: UID, ...LIMIT };
  const scored = (orders: unknown) => () => scoreOf({ orders } as ScoringTerms);
  assertThrows(scored([trade]), InputError, "Cannot score a solution with orders");
  assertThrows(
    scored(once(trade)),
    InputError,
    "Cannot look up records by UID: one of them has no uid",
  );
});
