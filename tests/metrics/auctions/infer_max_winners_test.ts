import { inferMaxWinners, replayCompetition } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { auctionOf, type Bid } from "../auctions.ts";
import { recordedScenario } from "../recorded_scenario.ts";

/** Three bids on pairs of their own, of which so many won, with the reference scores of that. */
function auctionWith(winners: number, references: Record<string, bigint>, auctionId = winners) {
  const bids: Bid[] = [["A", "0x01"], ["B", "0x02"], ["C", "0x03"]].map(([solver, token], at) => ({
    solver: solver!,
    score: 10n - BigInt(at),
    pairs: [[token!, "0x09"]],
    isWinner: at < winners,
  }));
  return auctionOf(bids, { auctionId, referenceScores: references });
}

const one = auctionWith(1, { A: 9n });
const two = auctionWith(2, { A: 17n, B: 18n });

Deno.test("inferMaxWinners() increases the maximum if reference scores need more winners", () => {
  // With one winner allowed, the reference would be one bid only; it is two.
  const auction = auctionOf([
    { solver: "A", score: 30n, pairs: [["0x01", "0x02"], ["0x03", "0x04"]], isWinner: true },
    { solver: "B", score: 10n, pairs: [["0x01", "0x02"]] },
    { solver: "C", score: 9n, pairs: [["0x03", "0x04"]] },
  ], { referenceScores: { A: 19n } });
  assertEquals(inferMaxWinners([auction]), {
    maxWinners: 2,
    largest: null,
    auctions: 1,
    differing: [],
  });
});

Deno.test("inferMaxWinners() lists auctions that no maximum explains", () => {
  const inferred = inferMaxWinners([one, two, { ...two, auctionId: 7 }]);
  assert(!("reason" in inferred));
  assertEquals([inferred.maxWinners, inferred.differing], [2, [1]]);
});

Deno.test("inferMaxWinners() of no auctions has a reason", () => {
  const inferred = inferMaxWinners([]);
  assert("reason" in inferred);
  assertEquals(inferred.reason, "no_auctions");
});

Deno.test("inferMaxWinners() of a recorded market explains all of its auctions", async () => {
  const { competitions } = await recordedScenario("market_1");
  const inferred = inferMaxWinners(competitions.values());
  assert(!("reason" in inferred));
  assertEquals(inferred, { maxWinners: 2, largest: null, auctions: 569, differing: [] });
  for (const competition of competitions.values()) {
    const winners = competition.solutions.filter(({ isWinner }) => isWinner).length;
    if (winners < 2) continue;
    assertEquals(replayCompetition(competition, { maxWinners: 1 }).agrees, false);
  }
});
