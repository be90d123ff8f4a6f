import type { OnchainSettlement, TradeEvent } from "orderlens/evm";
import { compareSettlement } from "orderlens/metrics";
import { assertEquals, assertStringIncludes } from "@std/assert";
import { auctionOf, type Bid } from "../auctions.ts";

const TX = "0xaa";
const [A, B, SENDER] = ["0a", "0b", "0c"].map((byte) => `0x${byte.repeat(20)}`) as [
  string,
  string,
  string,
];
const [GOLD, SILVER] = ["a1", "b2"].map((byte) => `0x${byte.repeat(20)}`) as [string, string];
const [FIRST, SECOND] = ["01", "02"].map((byte) => `0x${byte.repeat(56)}`) as [string, string];

/** A call of `settle` for a solver, with one trade. */
type Call = readonly [solver: string, uid: string, sellAmount: bigint, buyAmount: bigint];

/** A transaction of another contract that calls `settle` several times. */
function settlementOf(...calls: readonly Call[]): OnchainSettlement {
  const place = { blockNumber: 102, transactionHash: TX, address: `0x${"90".repeat(20)}` };
  const events = calls.flatMap(([solver, orderUid, sellAmount, buyAmount], index) => {
    const trade: TradeEvent = {
      ...{ ...place, event: "Trade", logIndex: 2 * index, owner: SENDER, orderUid },
      ...{ sellToken: GOLD, buyToken: SILVER, sellAmount, buyAmount, feeAmount: 0n },
    };
    return [trade, { ...place, event: "Settlement" as const, logIndex: 2 * index + 1, solver }];
  });
  return {
    ...{ txHash: TX, from: SENDER, to: place.address, through: `0x${"91".repeat(20)}` },
    ...{ isDecoded: false, solver: SENDER, blockNumber: 102, succeeded: true, gasUsed: 1n },
    ...{ effectiveGasPrice: null, events, transfers: [], hasAllLogs: true, isBloomVerified: true },
    ...{ isHashVerified: true, tokens: [], clearingPrices: [], trades: [], auctionId: null },
    ...{ interactions: { pre: [], intra: [], post: [] }, suffix: "0x" },
  };
}

function winnerOf(solver: string, id: string, buyAmount: bigint): Bid {
  const order = { id, sellAmount: 10n, buyAmount, sellToken: GOLD, buyToken: SILVER };
  return { solver, score: 5n, orders: [order], isWinner: true, txHash: TX };
}

function compare(settlement: OnchainSettlement, ...bids: readonly Bid[]) {
  const competition = auctionOf(bids, { transactionHashes: [TX] });
  const { differences, unverified } = compareSettlement(settlement, { competition });
  return {
    differences: differences.map(({ what, uid }) => [what, uid]),
    others: unverified.filter((sentence) => sentence.includes("settles more than")),
  };
}

Deno.test("compareSettlement() compares each solution of a transaction with its own trades", () => {
  const both = settlementOf([A, FIRST, 10n, 40n], [B, SECOND, 10n, 50n]);
  const [first, second] = [winnerOf(A, FIRST, 40n), winnerOf(B, SECOND, 50n)];
  assertEquals(compare(both, first, second), { differences: [], others: [] });
  // The transaction is of two auctions, each of which reports its own solution.
  for (const own of [first, second]) {
    const { differences, others: [text = ""] } = compare(both, own);
    assertEquals(differences, []);
    assertStringIncludes(text, "more than auction 1: 1 of its 2 trades are not compared");
  }
  // Deployments that name no transaction of a solution name its solver.
  const { txHash: _, ...unnamed } = first;
  assertEquals(compare(both, unnamed).differences, []);
});

Deno.test("compareSettlement() distinguishes two fills of one order in a transaction", () => {
  const both = settlementOf([A, FIRST, 10n, 40n], [B, FIRST, 10n, 50n]);
  assertEquals(compare(both, winnerOf(B, FIRST, 50n)).differences, []);
  assertEquals(compare(both, winnerOf(A, FIRST, 41n)).differences, [["other_amounts", FIRST]]);
});

Deno.test("compareSettlement() finds differences in one of several calls of settle", () => {
  const both = settlementOf([A, FIRST, 10n, 40n], [B, SECOND, 10n, 50n]);
  const wrong = compare(both, winnerOf(A, FIRST, 41n), winnerOf(SENDER, SECOND, 50n));
  assertEquals(wrong.differences, [["other_amounts", FIRST]]);
  const stranger = `0x${"0d".repeat(20)}`;
  assertEquals(compare(both, winnerOf(stranger, FIRST, 40n)).differences, [["other_solver", null]]);
  const one = settlementOf([A, FIRST, 10n, 40n]);
  assertEquals(compare(one, winnerOf(A, SECOND, 40n)).differences, [
    ["trade_not_reported", FIRST],
    ["trade_not_settled", SECOND],
  ]);
});
