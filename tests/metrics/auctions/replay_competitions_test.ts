import { assertEquals } from "@std/assert";
import { openMarket } from "orderlens/market";
import { replayCompetitions } from "orderlens/metrics";
import type { Competition } from "orderlens";
import { auctionOf } from "../auctions.ts";

/** Winners and filtered solutions by their ranks, and reference scores. */
function readDecision({ auctionId, solutions, referenceScores }: Competition) {
  const listRanks = (flag: "isWinner" | "filteredOut") =>
    solutions.filter((solution) => solution[flag]).map(({ ranking }) => ranking);
  const scores = Object.entries(referenceScores).map(([solver, score]) => `${solver} ${score}`);
  return [auctionId, listRanks("isWinner"), listRanks("filteredOut"), scores.toSorted()];
}

Deno.test("replayCompetitions() by the service's rules decides as the service did", async () => {
  const market = await openMarket("market_1");
  const { competitions, orders, trades, debugReports, wrapping } = await market.records();
  const options = { orders, trades, debugReports, ...wrapping };

  const decided = replayCompetitions(competitions, options);
  assertEquals(decided.map(readDecision), competitions.map(readDecision));
  const { length } = decided.flatMap(({ solutions }) => solutions.filter((one) => one.filteredOut));
  assertEquals(length, 365);
});

Deno.test("replayCompetitions() applies the same rules to each auction", () => {
  const [x, y, z] = ["0x01", "0x02", "0x03"];
  const batch = { solver: "A", score: 100n, pairs: [[x, y], [y, z]] } as const;
  const single = { solver: "B", score: 70n, pairs: [[x, y]] } as const;
  const auctions = [auctionOf([batch, single]), auctionOf([single])];
  assertEquals(
    replayCompetitions(auctions, { fairness: false, maxWinners: 1 }).map(({ referenceScores }) =>
      referenceScores
    ),
    [{ A: 70n }, { B: 0n }],
  );
  assertEquals(replayCompetitions([]), []);
});
