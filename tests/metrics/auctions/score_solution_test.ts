import { scoreOrder, scoreSolution, type ScoringTerms } from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assertEquals } from "@std/assert";
import { solutionOf } from "../auctions.ts";
import { computed, reasonOf } from "../fixtures.ts";

const WAD = 10n ** 18n;

const limit = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;

function bidOf(ids: readonly string[], score: bigint) {
  const amounts = { sellAmount: 10n, buyAmount: 15n, sellToken: "0x01", buyToken: "0x02" };
  const orders = ids.map((id) => ({ id, ...amounts }));
  return solutionOf({ solver: "0xa0", score, orders, isWinner: true });
}

const none: readonly FeePolicy[] = [];

Deno.test("scoreSolution() compares its sum with the reported score, and is a lower bound if inputs are missing, which it names", () => {
  const auction = { orders: ["0x0d", "0x0e", "0x0f"], prices: { "0x02": WAD } };
  const orders = new Map([["0x0e", limit], ["0x0f", limit]]);
  const policies = new Map([["0x0f", none]]);
  const terms: ScoringTerms = { orders, policies };
  const score = computed(scoreSolution(bidOf(["0x0d", "0x0e", "0x0f"], 12n), auction, terms));
  assertEquals([score.kind, score.score, score.agrees], ["lower_bound", 10n, true]);
  assertEquals(score.missing, [
    { uid: "0x0d", missing: "order" },
    { uid: "0x0e", missing: "policies" },
  ]);
  for (const [reported, agrees] of [[5n, true], [6n, false]] as const) {
    const exact = computed(scoreSolution(bidOf(["0x0f"], reported), auction, terms));
    assertEquals([exact.kind, exact.score, exact.agrees], ["exact", 5n, agrees]);
  }
  const unpriced = scoreSolution(bidOf(["0x0f"], 0n), { ...auction, prices: {} }, terms);
  assertEquals("missing" in unpriced && unpriced.missing, [{ uid: "0x0f", missing: "price" }]);
  const tooLow = scoreSolution(bidOf(["0x0e"], 4n), auction, { orders });
  assertEquals("agrees" in tooLow && tooLow.agrees, false);
});

Deno.test("scoreSolution() names the order without a score", () => {
  const auction = { orders: ["0x0f"], prices: { "0x02": WAD } };
  const orders = new Map([["0x0f", { ...limit, buyAmount: 16n }]]);
  assertEquals(scoreSolution(bidOf(["0x0f"], 0n), auction, { orders }), {
    uid: "0x0f",
    reason: "below_limit",
    detail: "The execution is 1 atom worse than the limit",
  });
});

Deno.test("scoreOrder() adds the policies' fees before it converts", () => {
  const order = { kind: "buy", sellAmount: 2_100_000_000n, buyAmount: WAD } as const;
  const policies = [{ surplus: { factor: 0.5, maxVolumeFactor: 0.0098 } }];
  const fill = { sellAmount: 2_050_000_000n, buyAmount: WAD };
  // Surplus 50000000 and fee 19895028 (worked vector), times 10^18 / 2100000000, rounded down.
  assertEquals(scoreOrder(fill, order, { nativePrice: WAD, policies }), {
    kind: "exact",
    score: (69_895_028n * WAD) / 2_100_000_000n,
    surplusAtoms: 50_000_000n,
    feeAtoms: 19_895_028n,
  });
});

Deno.test("scoreOrder() is a lower bound without policies, or without the quote of a policy", () => {
  const fill = { sellAmount: 10n, buyAmount: 30n };
  assertEquals(scoreOrder(fill, limit, { nativePrice: WAD }), {
    kind: "lower_bound",
    score: 20n,
    surplusAtoms: 20n,
    feeAtoms: 0n,
  });
  const policies = [
    { priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9 } },
    { volume: { factor: 0.5 } },
  ];
  assertEquals(scoreOrder(fill, limit, { nativePrice: WAD, policies }), {
    kind: "lower_bound",
    score: 50n,
    surplusAtoms: 20n,
    feeAtoms: 30n,
  });
});

Deno.test("scoreOrder() gives the reason why there is no score", () => {
  const reason = (...given: Parameters<typeof scoreOrder>) => reasonOf(scoreOrder(...given));
  const fill = { sellAmount: 10n, buyAmount: 10n };
  const options = { nativePrice: WAD, policies: [] };
  assertEquals(reason({ ...fill, buyAmount: 9n }, limit, options), "below_limit");
  assertEquals(reason(fill, { ...limit, sellAmount: 0n }, options), "limit_without_price");
  const buy = { kind: "buy", sellAmount: 10n, buyAmount: 10n } as const;
  assertEquals(reason(fill, { ...buy, buyAmount: 0n }, options), "limit_without_price");
  assertEquals(reason(fill, { ...buy, sellAmount: 0n }, options), "limit_without_price");
  const whole = { nativePrice: WAD, policies: [{ volume: { factor: 1 } }] };
  assertEquals(reason(fill, limit, whole), "fees_not_computable");
});
