import { policiesByAuction } from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { debugAuctionOf, orderOf, reportOf } from "../reports.ts";
import { recordedScenario } from "../recorded_scenario.ts";

const winning = {
  solutionUid: 0,
  ranking: 1,
  solver: "0xa0",
  isWinner: true,
  filteredOut: false,
  score: 1n,
  executedSell: 1n,
  executedBuy: 1n,
};

Deno.test("policiesByAuction() reads missing policies as none only for orders of a winner", () => {
  const report = reportOf({
    order: orderOf({ uid: "0x0F" }),
    auctions: [
      debugAuctionOf(1, { proposedSolutions: [{ ...winning, isWinner: false }] }),
      debugAuctionOf(2, { proposedSolutions: [winning] }),
      debugAuctionOf(3, {
        proposedSolutions: [winning],
        feePolicies: [{ kind: "volume", volumeFactor: 0.1 }],
      }),
      debugAuctionOf(4, { proposedSolutions: [winning], feePolicies: [{ kind: "volume" }] }),
    ],
  });
  const policies = policiesByAuction({ debugReports: [report] });
  assertEquals([...policies.keys()], [2, 3]);
  assertEquals(policies.get(2)?.get("0x0f"), []);
  assertEquals(policies.get(3)?.get("0x0f"), [{ volume: { factor: 0.1 } }]);
});

Deno.test("policiesByAuction() of no records is empty", () => {
  assertEquals(policiesByAuction({}).size, 0);
});

function withoutQuotes(policies: readonly FeePolicy[]): FeePolicy[] {
  return policies.map(({ priceImprovement, ...others }) => {
    if (priceImprovement === undefined) return others;
    const { quote: _, ...factors } = priceImprovement;
    return { priceImprovement: factors };
  });
}

Deno.test("policiesByAuction() returns the same from trades as from debug reports of a recorded market", async () => {
  const { competitions, reports, trades } = await recordedScenario("market_1");
  const reported = policiesByAuction({ debugReports: reports.values() });
  const charged = policiesByAuction({
    trades: trades.values(),
    competitions: competitions.values(),
  });
  let compared = 0;
  for (const [auctionId, ofAuction] of charged) {
    for (const [uid, policies] of ofAuction) {
      const known = reported.get(auctionId)?.get(uid);
      assert(known !== undefined);
      assertEquals(withoutQuotes(policies), withoutQuotes(known));
      compared++;
    }
  }
  assertEquals(compared, 664);
});
