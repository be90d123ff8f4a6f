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

/** A fresh one each, since what is iterated once is used up. */
const ORDERS: Record<string, () => ScoringTerms["orders"]> = {
  "a Map in lower case": () => new Map([[UID, LIMIT]]),
  "a Map in mixed case": () => new Map([[SPELT, LIMIT]]),
  "an array of orders": () => [RECORD],
  "an array of pairs": () => [[SPELT, LIMIT] as const],
  "a Set": () => new Set([RECORD]),
  "a generator": () => once(RECORD),
};

const POLICIES: Record<string, () => NonNullable<ScoringTerms["policies"]>> = {
  "a Map in mixed case": () => new Map([[SPELT, []]]),
  "an array of pairs": () => [[SPELT, []] as const],
  "a generator": () => once([SPELT, []] as const),
};

const competition = auctionOf(
  [
    { solver: "A", score: 0n, pairs: [["0x0a", "0x0b"]], isWinner: true, txHash: "0xab" },
  ],
  { auction: { orders: [UID], prices: { "0x0b": 10n ** 18n } }, referenceScores: { A: 0n } },
);
const [solution] = competition.solutions;

for (const [what, orders] of Object.entries(ORDERS)) {
  Deno.test(`scoreSolution() accepts ${what} as orders`, () => {
    const score = computed(scoreSolution(solution!, competition.auction, { orders: orders() }));
    assertEquals(score.missing, [{ uid: UID, missing: "policies" }]);
  });

  Deno.test(`consistencyShares() accepts ${what} as orders`, () => {
    const trades = [tradeOf({ orderUid: UID, blockNumber: 102 })];
    const outcomes = settlementOutcomes([competition], { trades });
    assertEquals(outcomes.solutions[0]?.result, "in_time");
    assertEquals(consistencyShares([competition], { outcomes, orders: orders() }).ordersUnknown, 0);
  });
}

for (const [what, policies] of Object.entries(POLICIES)) {
  Deno.test(`scoreSolution() accepts ${what} as policies`, () => {
    const score = computed(scoreSolution(solution!, competition.auction, {
      orders: [RECORD],
      policies: policies(),
    }));
    assertEquals([score.kind, score.missing], ["exact", []]);
  });
}

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
  const scoreOf = () => {
    const score = computed(
      scoreSolution(solution!, competition.auction, { orders, policies: [[UID, []]] }),
    );
    return [score.score, score.missing.length];
  };
  assertEquals(scoreOf(), [1n, 0]);
  orders.set(SPELT, LIMIT);
  assertEquals(scoreOf(), [0n, 0]);
  orders.clear();
  assertEquals(scoreOf(), [0n, 1]);
});

Deno.test("records without a UID are rejected, not skipped", () => {
  const trade = { orderUid: UID, ...LIMIT };
  const scored = (orders: unknown) => () =>
    scoreSolution(solution!, competition.auction, { orders } as ScoringTerms);
  assertThrows(scored([trade]), InputError, "Cannot score a solution with orders");
  assertThrows(
    scored(once(trade)),
    InputError,
    "Cannot look up records by UID: one of them has no uid",
  );
});
