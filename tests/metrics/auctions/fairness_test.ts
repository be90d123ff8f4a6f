import { assertEquals } from "@std/assert";
import type { Competition } from "orderlens";
import { fairGains, missedBaselines } from "orderlens/metrics";
import { auctionOf, type Bid, uidOf } from "../auctions.ts";

const [A, B, C] = ["0x0a", "0x0b", "0x0c"];

/** A bid on an order: what it sells and buys. */
type Amounts = readonly [uid: string, sellAmount: bigint, buyAmount: bigint];

function auction(
  solutions: readonly { orders: readonly Amounts[]; isWinner?: boolean; filteredOut?: boolean }[],
  listed = ["0x01", "0x02"],
): Competition {
  const bids = solutions.map(({ orders, ...fate }, place): Bid => ({
    solver: `0xa${place}`,
    score: 1n,
    ...fate,
    orders: orders.map(([id, sellAmount, buyAmount]) => (
      { id, sellAmount, buyAmount, sellToken: A, buyToken: id === "0x01" ? B : C }
    )),
  }));
  return auctionOf(bids, { auction: { orders: listed, prices: {} } });
}

const SELLS = [{ uid: "0x01", kind: "sell" }, { uid: "0x02", kind: "sell" }] as const;

function gains(competition: Competition) {
  return fairGains(competition, { orders: SELLS })
    .map(({ uid, isBatch, benchmark, atoms }) => [uid, isBatch, benchmark?.ranking, atoms]);
}

Deno.test("fairGains() uses the better ranked of equal bids, though responses list the worst first", () => {
  const equal = auction([
    { orders: [["0x01", 10n, 22n]], isWinner: true },
    { orders: [["0x01", 5n, 11n]] },
  ]);
  const turned = { ...equal, solutions: equal.solutions.toReversed() };
  for (const one of [equal, turned]) assertEquals(gains(one), [["0x01", false, 1, 0n]]);
});

Deno.test("fairGains() counts only orders that score: liquidity makes no batch, and has no row", () => {
  const competition = auction([
    { orders: [["0x01", 10n, 22n], ["0x02", 10n, 9n]], isWinner: true },
  ], ["0x01"]);
  assertEquals(gains(competition), [["0x01", false, 1, 0n]]);
  const owner = { surplusCapturingJitOrderOwners: [`0x${"d0".repeat(20)}`] };
  const own = `0x${"02".repeat(32)}${"d0".repeat(20)}00000001`;
  const captured = auction([{ orders: [["0x01", 10n, 22n], [own, 1n, 1n]], isWinner: true }], [
    "0x01",
  ]);
  assertEquals(fairGains(captured, owner).map(({ isBatch }) => isBatch), [true, true]);
});

Deno.test("fairGains() has no gain without the orders, and no row where tokens are not known", () => {
  const competition = auction([{ orders: [["0x01", 10n, 22n]], isWinner: true }]);
  assertEquals(fairGains(competition).map(({ benchmark, atoms }) => [benchmark, atoms]), [
    [null, null],
  ]);
  const [solution] = competition.solutions;
  const { sellToken: _, ...order } = solution!.orders[0]!;
  const old = { ...competition, solutions: [{ ...solution!, orders: [order] }] };
  assertEquals(fairGains(old, { orders: SELLS }), []);
});

Deno.test("missedBaselines() is empty without filtered solutions, baselines or tokens", () => {
  const batch = { solver: "0xa0", score: 60n, pairs: [[A, B], [B, C]] } as const;
  const filtered = { ...batch, filteredOut: true };
  const single: Bid = { solver: "0xb0", score: 70n, pairs: [[A, B]], isWinner: true };
  for (const bids of [[], [batch], [filtered], [single, batch]]) {
    assertEquals(missedBaselines(auctionOf(bids)), []);
  }
  const competition = auctionOf([single, filtered]);
  assertEquals(missedBaselines(competition).length, 1);
  const solutions = competition.solutions.map((solution) => ({
    ...solution,
    orders: solution.orders.map(({ id, sellAmount, buyAmount }) => ({ id, sellAmount, buyAmount })),
  }));
  assertEquals(missedBaselines({ ...competition, solutions }), []);
});

Deno.test("missedBaselines() lists no baseline that is reached, and bounds unknown pair scores", () => {
  const bids: Bid[] = [
    { solver: "0xb0", score: 20n, pairs: [[A, B]] },
    { solver: "0xb1", score: 70n, pairs: [[B, C]] },
    {
      solver: "0xa0",
      score: 60n,
      filteredOut: true,
      pairs: [[A, B], [B, C], [C, A]],
      buys: [21n, 1n, 1n],
    },
  ];
  const [uid = "", ...unknown] = [uidOf([A, B]), uidOf([B, C]), uidOf([C, A])];
  const limit = { kind: "sell", sellAmount: 1n, buyAmount: 1n } as const;
  const [missed, ...others] = missedBaselines(
    auctionOf(bids, { auction: { orders: [uid, ...unknown], prices: { [B]: 10n ** 18n } } }),
    { orders: new Map([[uid, limit]]), policies: new Map([[uid, []]]) },
  );
  // 21 of B for at least 1 score 20, which its baseline does too; 40 are left for two pairs.
  assertEquals(others, []);
  assertEquals([missed?.sellToken, missed?.pairScore], [B, { low: 0n, high: 40n }]);
});
