import fc from "fast-check";
import type { Competition, Solution } from "orderlens";
import { inferMaxWinners, replayCompetition } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { LARGEST } from "./amounts.ts";

/** A bid with its score on each directed pair; `hash` is how the service orders equal scores. */
interface DrawnBid {
  solver: string;
  hash: number;
  pairs: { pair: string; score: bigint }[];
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

/** At most six bids, so that all sets of winners can be tried. */
const anyBids: fc.Arbitrary<DrawnBid[]> = fc.array(anyBid, { maxLength: 6 }).chain((bids) =>
  fc.shuffledSubarray(bids.map((_, index) => index), {
    minLength: bids.length,
    maxLength: bids.length,
  }).map((hashes) => bids.map((bid, index) => ({ ...bid, hash: hashes[index]! })))
);

function totalOf({ pairs }: DrawnBid): bigint {
  return pairs.reduce((sum, { score }) => sum + score, 0n);
}

function byScore(bids: readonly DrawnBid[]): DrawnBid[] {
  return bids.toSorted((a, b) => {
    const [left, right] = [totalOf(a), totalOf(b)];
    return left === right ? a.hash - b.hash : left > right ? -1 : 1;
  });
}

function isUnfair(bid: DrawnBid, bids: readonly DrawnBid[]): boolean {
  return bid.pairs.length > 1 &&
    bid.pairs.some(({ pair, score }) =>
      bids.some((other) =>
        other.pairs.length === 1 && other.pairs[0]!.pair === pair && totalOf(other) > score
      )
    );
}

/**
 * The only set of bids in which a bid is if and only if fewer than the maximum of better ones are and
 * none of those shares a pair with it: found by trying all sets.
 */
function winnersOf(order: readonly DrawnBid[], maxWinners: number): DrawnBid[] {
  const sets = Array.from(
    { length: 2 ** order.length },
    (_, bits) => order.filter((_, at) => bits & (1 << at)),
  );
  const right = sets.filter((set) =>
    order.every((bid, at) => {
      const better = set.filter((each) => order.indexOf(each) < at);
      const isFree = better.every((each) =>
        each.pairs.every(({ pair }) => bid.pairs.every((own) => own.pair !== pair))
      );
      return set.includes(bid) === (better.length < maxWinners && isFree);
    })
  );
  assertEquals(right.length, 1);
  return right[0]!;
}

function scoreOf(bids: readonly DrawnBid[]): bigint {
  return bids.reduce((sum, bid) => sum + totalOf(bid), 0n);
}

/** What the service would answer for the bids, by brute force. */
function answerOf(bids: readonly DrawnBid[], maxWinners: number): Competition {
  const ordered = byScore(bids);
  const filtered = ordered.filter((bid) => isUnfair(bid, bids));
  const kept = ordered.filter((bid) => !filtered.includes(bid));
  const winners = winnersOf(kept, maxWinners);
  const ranked = [...winners, ...kept.filter((bid) => !winners.includes(bid))];
  const references = winners.map(({ solver }): [string, bigint] => [
    solver,
    scoreOf(winnersOf(ranked.filter((bid) => bid.solver !== solver), maxWinners)),
  ]);
  const solutions = [...ranked, ...filtered].map((bid, at): Solution => ({
    solverAddress: bid.solver,
    score: totalOf(bid),
    ranking: at + 1,
    clearingPrices: {},
    orders: bid.pairs.map(({ pair, score }) => {
      const [sellToken = "", buyToken = ""] = pair.split(" ");
      // Sold for its limit of 1 and this much more; each atom of any token is worth one.
      return { id: pair, sellAmount: 1n, buyAmount: 1n + score, sellToken, buyToken };
    }),
    isWinner: winners.includes(bid),
    filteredOut: filtered.includes(bid),
  }));
  return {
    auctionId: 1,
    auctionStartBlock: 1,
    transactionHashes: [],
    referenceScores: Object.fromEntries(references),
    auction: {
      orders: PAIRS,
      prices: Object.fromEntries(TOKENS.map((token) => [token, 10n ** 18n])),
    },
    solutions: solutions.reverse(),
  };
}

const limit = { kind: "sell", sellAmount: 1n, buyAmount: 1n } as const;
const orders = new Map(PAIRS.map((pair) => [pair, limit]));
const policies = new Map(PAIRS.map((pair) => [pair, []]));

Deno.test("replayCompetition() equals a selection that tries all sets of winners", () => {
  fc.assert(
    fc.property(anyBids, fc.integer({ min: 1, max: 4 }), (bids, maxWinners) => {
      const answer = answerOf(bids, maxWinners);
      const whole = replayCompetition(answer, { maxWinners, orders, policies });
      assertEquals(whole.differences, []);
      assertEquals(whole.basis.filterFlagsReported, 0);
      const winners = answer.solutions.filter(({ isWinner }) => isWinner);
      assertEquals(whole.totalScore, winners.reduce((sum, { score }) => sum + score, 0n));
    }),
    { numRuns: 600 },
  );
});

Deno.test("replayCompetition() never contradicts a right answer for what it does not know", () => {
  fc.assert(
    fc.property(anyBids, fc.integer({ min: 1, max: 4 }), (bids, maxWinners) => {
      const answer = answerOf(bids, maxWinners);
      for (const given of [{}, { orders }, { orders, policies: new Map([[PAIRS[0]!, []]]) }]) {
        assertEquals(replayCompetition(answer, { maxWinners, ...given }).differences, []);
      }
    }),
    { numRuns: 300 },
  );
});

Deno.test("inferMaxWinners() finds a maximum that explains every auction", () => {
  const anyAuctions = fc.array(anyBids, { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(anyAuctions, fc.integer({ min: 1, max: 4 }), (auctions, maxWinners) => {
      const answers = auctions.map((bids, at) => ({
        ...answerOf(bids, maxWinners),
        auctionId: at,
      }));
      const inferred = inferMaxWinners(answers);
      assert(!("reason" in inferred));
      assertEquals(inferred.differing, []);
      assert(inferred.maxWinners <= maxWinners);
      assert(inferred.largest === null || inferred.largest >= maxWinners);
    }),
    { numRuns: 150 },
  );
});
