import { decodeCompetition } from "orderlens/schemas";
import { solutionOrdersTable, solutionsTable } from "orderlens/tables";
import { assertEquals } from "@std/assert";
import { filterFacts } from "../../lib/datasets/shards/table_context.ts";

const source = { environment: "production", chainId: 1, settlementContract: "0x01" };
const BEGAN: Readonly<Record<number, string>> = {
  1: "2025-06-19T23:59:59Z",
  2: "2025-06-20T00:00:00Z",
};
const times = {
  auction(auctionId: number) {
    const at = BEGAN[auctionId];
    if (at === undefined) return null;
    return { at: Temporal.Instant.from(at), basis: "block", bracket: null } as const;
  },
};

function competition(auctionId: number) {
  const tokens = { sellToken: `0x${"aa".repeat(20)}`, buyToken: `0x${"bb".repeat(20)}` };
  return decodeCompetition({
    auctionId,
    auctionStartBlock: 10,
    auctionDeadlineBlock: 13,
    transactionHashes: [],
    referenceScores: {},
    auction: { orders: [], prices: {} },
    solutions: [{
      solverAddress: `0x${"50".repeat(20)}`,
      score: "1",
      ranking: 1,
      clearingPrices: {},
      orders: [{ id: `0x${"01".repeat(56)}`, sellAmount: "1", buyAmount: "1", ...tokens }],
      isWinner: true,
      filteredOut: false,
      txHash: null,
      referenceScore: null,
    }],
  });
}

Deno.test("what was filtered out is null before the service stored it, and where no time is known it is as sent", () => {
  const known = filterFacts({ times }, { source: { ...source, network: "mainnet" } });
  const auctions = [1, 2, 3].map(competition);
  for (const table of [solutionsTable(auctions, known), solutionOrdersTable(auctions, known)]) {
    const values: unknown[] = table.getColumn("filtered_out").toArray();
    assertEquals(values, [null, false, false]);
  }
});

Deno.test("deployments that are no public network stored it from the beginning", () => {
  assertEquals(filterFacts({ times }, { source: { ...source, network: null } }), {});
});
