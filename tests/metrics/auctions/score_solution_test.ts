import { policiesByAuction, scoreSolution, type ScoringTerms } from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { recordedScenario } from "../recorded_scenario.ts";

const WAD = 10n ** 18n;
/** Owner in bytes 32 to 52. */
const OWNER = "0x00000000000000000000000000000000000000aa";
const JIT = `0x${"11".repeat(32)}${OWNER.slice(2)}ffffffff`;

const limit = { kind: "sell", sellAmount: 10n, buyAmount: 10n } as const;

function solutionOf(orders: readonly string[], score: bigint) {
  return {
    solverAddress: "0xa0",
    score,
    ranking: 1,
    clearingPrices: {},
    orders: orders.map((id) => ({
      id,
      sellAmount: 10n,
      buyAmount: 15n,
      sellToken: "0x01",
      buyToken: "0x02",
    })),
    isWinner: true,
    filteredOut: false,
  };
}

const none: readonly FeePolicy[] = [];

Deno.test("scoreSolution() sums its orders, and compares with the reported score", () => {
  const auction = { orders: ["0x0e", "0x0f"], prices: { "0x02": WAD } };
  const terms: ScoringTerms = {
    orders: new Map([["0x0e", limit], ["0x0f", limit]]),
    policies: new Map([["0x0e", none], ["0x0f", none]]),
  };
  const score = scoreSolution(solutionOf(["0x0e", "0x0F"], 10n), auction, terms);
  assert(!("reason" in score));
  assertEquals([score.kind, score.score, score.agrees], ["exact", 10n, true]);
  const other = scoreSolution(solutionOf(["0x0e", "0x0f"], 11n), auction, terms);
  assertEquals("agrees" in other && other.agrees, false);
});

Deno.test("scoreSolution() is a lower bound if inputs are missing, and names them", () => {
  const auction = { orders: ["0x0d", "0x0e", "0x0f"], prices: { "0x02": WAD } };
  const orders = new Map([["0x0e", limit], ["0x0f", limit]]);
  const policies = new Map([["0x0f", none]]);
  const score = scoreSolution(solutionOf(["0x0d", "0x0e", "0x0f"], 12n), auction, {
    orders,
    policies,
  });
  assert(!("reason" in score));
  assertEquals([score.kind, score.score, score.agrees], ["lower_bound", 10n, true]);
  assertEquals(score.missing, [
    { uid: "0x0d", missing: "order" },
    { uid: "0x0e", missing: "policies" },
  ]);
  const unpriced = scoreSolution(solutionOf(["0x0f"], 0n), { ...auction, prices: {} }, {
    orders,
    policies,
  });
  assertEquals("missing" in unpriced && unpriced.missing, [{ uid: "0x0f", missing: "price" }]);
  const tooLow = scoreSolution(solutionOf(["0x0e"], 4n), auction, { orders });
  assertEquals("agrees" in tooLow && tooLow.agrees, false);
});

Deno.test("scoreSolution() counts JIT orders only for surplus-capturing owners", () => {
  const auction = { orders: ["0x0f"], prices: { "0x02": WAD } };
  const terms: ScoringTerms = {
    orders: new Map([["0x0f", limit], [JIT, limit]]),
    policies: new Map([["0x0f", none], [JIT, none]]),
  };
  const without = scoreSolution(solutionOf(["0x0f", JIT], 5n), auction, terms);
  assert(!("reason" in without));
  assertEquals([without.score, without.unscored, without.agrees], [5n, [JIT], true]);
  const capturing = scoreSolution(solutionOf(["0x0f", JIT], 10n), auction, {
    ...terms,
    surplusCapturingJitOrderOwners: [OWNER.toUpperCase().replace("0X", "0x")],
  });
  assert(!("reason" in capturing));
  assertEquals([capturing.score, capturing.unscored, capturing.agrees], [10n, [], true]);
});

Deno.test("scoreSolution() names the order without a score", () => {
  const auction = { orders: ["0x0f"], prices: { "0x02": WAD } };
  const orders = new Map([["0x0f", { ...limit, buyAmount: 16n }]]);
  assertEquals(scoreSolution(solutionOf(["0x0f"], 0n), auction, { orders }), {
    uid: "0x0f",
    reason: "below_limit",
    detail: "The execution is 1 atoms worse than the limit",
  });
});

Deno.test("scoreSolution() returns every stored score of a recorded market, or a lower bound", async () => {
  const market = await recordedScenario("market_1");
  const policies = policiesByAuction({ debugReports: market.reports.values() });
  let count = 0;
  for (const { auctionId, auction, solutions } of market.competitions.values()) {
    const stored = market.truth!.proposed_solutions!.filter((row) => row.auction_id === auctionId);
    // The service stores policies of orders in winning solutions only.
    const won = new Set(
      solutions.filter(({ isWinner }) => isWinner).flatMap((each) =>
        each.orders.map(({ id }) => id)
      ),
    );
    for (const solution of solutions) {
      const score = scoreSolution(solution, auction, {
        orders: market.orders,
        policies: policies.get(auctionId),
      });
      assert(!("reason" in score));
      const row = stored.find(({ uid }) => uid === solution.ranking - 1);
      const expected = BigInt(row!.score);
      const isKnown = solution.orders.every(({ id }) => won.has(id));
      assertEquals(score.kind, isKnown ? "exact" : "lower_bound");
      if (isKnown) assertEquals(score.score, expected);
      else assert(score.score <= expected);
      assertEquals(score.agrees, true);
      count++;
    }
  }
  assertEquals(count, 1798);
});
