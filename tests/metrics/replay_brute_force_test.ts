import fc from "fast-check";
import type { Competition } from "orderlens";
import { asReplayed, inferMaxWinners, replayCompetition } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { computed, LARGEST } from "./fixtures.ts";
import { auctionOf, type Bid } from "./auctions.ts";
import { arbitrate, type ArbitratedBid, isUnfair } from "./arbitrate.ts";

/** A bid with its score on each directed pair; `hash` is how the service orders equal scores. */
interface DrawnBid extends ArbitratedBid {
  hash: number;
  pairs: readonly { pair: string; score: bigint }[];
}

const TOKENS = ["0x0a", "0x0b", "0x0c"];
const PAIRS = TOKENS.flatMap((sell) =>
  TOKENS.filter((buy) => buy !== sell).map((buy) => `${sell} ${buy}`)
);

function anyScore(): fc.Arbitrary<bigint> {
  return fc.oneof(
    { weight: 4, arbitrary: fc.bigInt({ min: 0n, max: 6n }) },
    { weight: 1, arbitrary: fc.bigInt({ min: LARGEST / 2n - 3n, max: LARGEST / 2n }) },
  );
}

const anyBid = fc.record({
  solver: fc.constantFrom("0xa0", "0xb0", "0xc0"),
  pairs: fc.uniqueArray(
    fc.record({ pair: fc.constantFrom(...PAIRS), score: anyScore() }),
    { minLength: 1, maxLength: 3, selector: ({ pair }) => pair },
  ),
});

const anyBids: fc.Arbitrary<DrawnBid[]> = fc.array(anyBid, { maxLength: 6 }).chain((bids) =>
  fc.shuffledSubarray(bids.map((_, index) => index), {
    minLength: bids.length,
    maxLength: bids.length,
  }).map((hashes) =>
    bids.map((bid, index) => ({
      ...bid,
      score: bid.pairs.reduce((sum, { score }) => sum + score, 0n),
      claims: bid.pairs.map(({ pair }) => pair),
      hash: hashes[index]!,
    }))
  )
);

const anyMost = fc.integer({ min: 1, max: 4 });

function byScore(bids: readonly DrawnBid[]): DrawnBid[] {
  return bids.toSorted((a, b) =>
    a.score === b.score ? a.hash - b.hash : a.score > b.score ? -1 : 1
  );
}

/** What the service would answer for the bids, by the rules alone. */
function answerOf(bids: readonly DrawnBid[], maxWinners: number, fairness = true): Competition {
  const ordered = byScore(bids);
  const { winners, ranked, filtered, references } = arbitrate(ordered, {
    maxWinners,
    isOut: (bid) => fairness && isUnfair(bid, ordered),
  });
  const listed = [...ranked, ...filtered].map((bid): Bid => ({
    solver: bid.solver,
    score: bid.score,
    orders: bid.pairs.map(({ pair, score }) => {
      const [sellToken = "", buyToken = ""] = pair.split(" ");
      // Sold for its limit of 1 and this much more; each atom of any token is worth one.
      return { id: pair, sellAmount: 1n, buyAmount: 1n + score, sellToken, buyToken };
    }),
    isWinner: winners.includes(bid),
    filteredOut: filtered.includes(bid),
  }));
  const prices = Object.fromEntries(TOKENS.map((token) => [token, 10n ** 18n]));
  return auctionOf(listed, {
    referenceScores: Object.fromEntries(references),
    auction: { orders: PAIRS, prices },
  });
}

const limit = { kind: "sell", sellAmount: 1n, buyAmount: 1n } as const;
const orders = new Map(PAIRS.map((pair) => [pair, limit]));
const policies = new Map(PAIRS.map((pair) => [pair, []]));

Deno.test("replayCompetition() equals the rules, and never contradicts a correct response for lack of inputs", () => {
  fc.assert(
    fc.property(anyBids, anyMost, (bids, maxWinners) => {
      const answer = answerOf(bids, maxWinners);
      const whole = replayCompetition(answer, { maxWinners, orders, policies });
      assertEquals(whole.differences, []);
      assertEquals(whole.basis.filterFlagsReported, 0);
      const winners = answer.solutions.filter(({ isWinner }) => isWinner);
      assertEquals(whole.totalScore, winners.reduce((sum, { score }) => sum + score, 0n));
      for (const given of [{}, { orders }, { orders, policies: new Map([[PAIRS[0]!, []]]) }]) {
        assertEquals(replayCompetition(answer, { maxWinners, ...given }).differences, []);
      }
    }),
    { numRuns: 3_000 },
  );
});

Deno.test("replayCompetition() by other rules equals those rules", () => {
  fc.assert(
    fc.property(
      anyBids,
      anyMost,
      fc.boolean(),
      (bids, maxWinners, fairness) => {
        // Of equal scores, the answer has the order that its own rules gave them.
        fc.pre(new Set(bids.map(({ score }) => score)).size === bids.length);
        const answer = answerOf(bids, 20);
        const replay = replayCompetition(answer, { maxWinners, fairness, orders, policies });
        const other = asReplayed(answer, replay);
        const expected = answerOf(bids, maxWinners, fairness);
        assertEquals(other.referenceScores, expected.referenceScores);
        const fates = ({ solutions }: Competition) =>
          solutions.map((one) => [one.orders, one.solverAddress, one.isWinner, one.filteredOut])
            .map((fate) =>
              JSON.stringify(fate, (_, value) => typeof value === "bigint" ? `${value}` : value)
            )
            .toSorted();
        assertEquals(fates(other), fates(expected));
      },
    ),
    { numRuns: 3_000 },
  );
});

Deno.test("inferMaxWinners() finds a maximum that explains every auction", () => {
  const anyAuctions = fc.array(anyBids, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyAuctions, anyMost, (auctions, maxWinners) => {
      const answers = auctions.map((bids, at) => ({
        ...answerOf(bids, maxWinners),
        auctionId: at,
      }));
      const inferred = computed(inferMaxWinners(answers));
      assertEquals(inferred.differing, []);
      assert(inferred.maxWinners <= maxWinners);
      assert(inferred.largest === null || inferred.largest >= maxWinners);
    }),
    { numRuns: 750 },
  );
});
