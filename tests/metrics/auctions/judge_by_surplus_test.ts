import { assert, assertEquals } from "@std/assert";
import { openMarket } from "orderlens/market";
import { judgeBySurplus, replayCompetition, type SurplusJudgement } from "orderlens/metrics";

const [x, y, z] = ["0x0a", "0x0b", "0x0c"];
const ORDERS = [
  { uid: "0x01", kind: "sell", sellAmount: 100n, buyAmount: 100n },
  { uid: "0x02", kind: "sell", sellAmount: 100n, buyAmount: 100n },
] as const;

interface Bid {
  readonly score: bigint;
  /** Surplus on x to y, and on y to z. */
  readonly surplus: readonly [bigint | null, bigint | null];
}

/** An auction of two pairs, in which one native atom is one atom of both bought tokens. */
function auctionOf(bids: readonly Bid[]) {
  return {
    auctionId: 1,
    auctionStartBlock: 10,
    transactionHashes: [],
    referenceScores: {},
    auction: { orders: ["0x01", "0x02"], prices: { [y]: 10n ** 18n, [z]: 10n ** 18n } },
    solutions: bids.map(({ score, surplus }, index) => ({
      solverAddress: `0xa${index}`,
      score,
      ranking: index + 1,
      clearingPrices: {},
      orders: surplus.flatMap((gained, order) =>
        gained === null ? [] : [{
          id: ORDERS[order]!.uid,
          sellToken: [x, y][order]!,
          buyToken: [y, z][order]!,
          sellAmount: 100n,
          buyAmount: 100n + gained,
        }]
      ),
      isWinner: false,
      filteredOut: false,
    })),
  };
}

function judge(batch: Bid, ...singles: readonly Bid[]): SurplusJudgement[] {
  return judgeBySurplus(auctionOf([batch, ...singles]), { orders: ORDERS });
}

const FACTS = { auctionId: 1, ranking: 1, filteredOut: false };

Deno.test("judgeBySurplus() judges by each method as worked out by hand", () => {
  const batch = { score: 60n, surplus: [10n, 30n] } as const;
  const first = { score: 14n, surplus: [12n, null] } as const;
  const second = { score: 40n, surplus: [null, 20n] } as const;
  // 10 < 12; 600 >= 560 and 1,800 >= 1,600; 10 < 14; 14 + 40 <= 60.
  const [open] = judge(batch, first, second);
  assertEquals(open, {
    ...FACTS,
    surplus: true,
    scaled: false,
    raw: true,
    bracket: "undetermined",
  });
  // 530 < 560; 14 + 40 > 53.
  const [filtered] = judge({ ...batch, score: 53n }, first, second);
  assertEquals(filtered, {
    ...FACTS,
    surplus: true,
    scaled: true,
    raw: true,
    bracket: "must_filter",
  });
  // 10 is not below 10, nor 30 below 30.
  const [kept] = judge(batch, { score: 10n, surplus: [9n, null] }, {
    score: 30n,
    surplus: [null, 30n],
  });
  assertEquals(kept, { ...FACTS, surplus: false, scaled: false, raw: false, bracket: "must_keep" });
});

Deno.test("judgeBySurplus() takes baselines from solutions of one pair alone", () => {
  const batches = [{ score: 60n, surplus: [10n, 30n] }, {
    score: 90n,
    surplus: [40n, 40n],
  }] as const;
  assertEquals(judge(...batches).map(({ surplus, raw, bracket }) => [surplus, raw, bracket]), [
    [false, false, "must_keep"],
    [false, false, "must_keep"],
  ]);
  assertEquals(judge({ score: 14n, surplus: [12n, null] }), []);
});

Deno.test("judgeBySurplus() leaves out solutions with an order that it does not know", () => {
  const auction = auctionOf([
    { score: 60n, surplus: [10n, 30n] },
    { score: 40n, surplus: [null, 20n] },
  ]);
  assertEquals(judgeBySurplus(auction, { orders: ORDERS.slice(0, 1) }), []);
  // The score of another solution is known without its order.
  const [, known] = ORDERS;
  const uids = { ...auction, auction: { ...auction.auction, orders: ["0x01", "0x02", "0x03"] } };
  const [batch, single] = uids.solutions;
  const other = { ...single!, orders: [{ ...single!.orders[0]!, id: "0x03" }] };
  const orders = [ORDERS[0], known];
  const [judged] = judgeBySurplus({ ...uids, solutions: [batch!, other] }, { orders });
  assertEquals([judged?.surplus, judged?.raw], [false, true]);
});

Deno.test("judgeBySurplus() has the bounds that the replay without policies has", async () => {
  const { competitions, orders } = await (await openMarket("market_1")).records();
  const tallies = { must_filter: 0, must_keep: 0, undetermined: 0 };
  for (const competition of competitions) {
    const replayed = new Map(
      replayCompetition(competition, { orders }).solutions.map((solution) => [
        competition.solutions[solution.index]!.ranking,
        solution,
      ]),
    );
    for (const judged of judgeBySurplus(competition, { orders })) {
      const { ranking, bracket, filteredOut, surplus, scaled, raw } = judged;
      tallies[bracket]++;
      // Surplus is at most the score: so is the best one, and a split of the score reaches more.
      assert(raw || !surplus && !scaled);
      assert(scaled || bracket !== "must_filter");
      const { filterFrom } = replayed.get(ranking)!;
      assertEquals(filterFrom, bracket === "undetermined" ? "reported" : "scores");
      if (bracket !== "undetermined") assertEquals(filteredOut, bracket === "must_filter");
    }
  }
  assertEquals(tallies, { must_filter: 294, must_keep: 27, undetermined: 72 });
});

Deno.test("replayCompetition() filters by a stand-in for the scores of pairs", () => {
  const bids = [
    { score: 53n, surplus: [10n, 30n] },
    { score: 14n, surplus: [9n, null] },
    { score: 40n, surplus: [null, 20n] },
  ] as const;
  const auction = auctionOf(bids);
  const listFiltered = (fairness: boolean | "surplus" | "scaled" | "raw") => {
    const { solutions, possibleReasons } = replayCompetition(auction, { fairness, orders: ORDERS });
    const filtered = solutions.filter(({ filteredOut }) => filteredOut);
    if (filtered.length > 0 && fairness !== true) assert(possibleReasons.includes("fairness"));
    return filtered.map(({ index }) => index);
  };
  // 10 >= 9 and 30 >= 20; 530 < 560; 10 < 14.
  assertEquals(listFiltered("surplus"), []);
  assertEquals(listFiltered("scaled"), [0]);
  assertEquals(listFiltered("raw"), [0]);
  assertEquals(listFiltered(false), []);
  // Without the orders, the report decides.
  assertEquals(replayCompetition(auction, { fairness: "raw" }).basis.filterFlagsReported, 1);
});
