import fc from "fast-check";
import { leftOnTheTable, type OrderBid } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { anyAmount } from "../amounts.ts";

function bidOf(sellAmount: bigint, buyAmount: bigint, more: Partial<OrderBid> = {}): OrderBid {
  return {
    auctionId: 1,
    ranking: 2,
    solver: "0xb0",
    score: 0n,
    isWinner: false,
    filteredOut: false,
    sellAmount,
    buyAmount,
    ...more,
  };
}

const winner = bidOf(10n, 20n, { isWinner: true, ranking: 1 });
const fill = { sellAmount: 10n, buyAmount: 20n };

function leftOf(kind: "sell" | "buy", bids: readonly OrderBid[]) {
  return leftOnTheTable(fill, { kind }, { auctionId: 1, bids })?.atoms;
}

Deno.test("leftOnTheTable() of a sell order scales the best other bid to the sold amount", () => {
  assertEquals(leftOf("sell", [winner, bidOf(10n, 19n), bidOf(10n, 18n)]), -1n);
  assertEquals(leftOf("sell", [winner, bidOf(5n, 12n), bidOf(10n, 23n)]), 4n);
  // 10 * 7 / 3 = 23.3 is rounded down.
  assertEquals(leftOf("sell", [winner, bidOf(3n, 7n)]), 3n);
});

Deno.test("leftOnTheTable() of a buy order scales the best other bid to the bought amount", () => {
  assertEquals(leftOf("buy", [winner, bidOf(9n, 20n), bidOf(11n, 20n)]), 1n);
  // 20 * 3 / 7 = 8.6 is rounded up.
  assertEquals(leftOf("buy", [winner, bidOf(3n, 7n)]), 1n);
});

Deno.test("leftOnTheTable() includes filtered bids, and names the bid", () => {
  const filtered = bidOf(10n, 30n, { filteredOut: true, solver: "0xc0" });
  const left = leftOnTheTable(fill, { kind: "sell" }, { auctionId: 1, bids: [winner, filtered] });
  assertEquals(left, { auctionId: 1, best: filtered, atoms: 10n });
});

Deno.test("leftOnTheTable() is unknown if no other solver bid, or bid 0", () => {
  assertEquals(leftOf("sell", [winner]), undefined);
  assertEquals(leftOf("sell", [winner, bidOf(0n, 5n), bidOf(5n, 0n)]), undefined);
});

Deno.test("leftOnTheTable() does not report a bid at the same price", () => {
  fc.assert(fc.property(
    anyAmount(1n),
    anyAmount(1n),
    fc.bigInt({ min: 1n, max: 9n }),
    fc.constantFrom<("sell" | "buy")[]>("sell", "buy"),
    (sellAmount, buyAmount, part, kind) => {
      const same = bidOf(sellAmount * part, buyAmount * part);
      const left = leftOnTheTable({ sellAmount, buyAmount }, { kind }, {
        auctionId: 1,
        bids: [same],
      });
      assert(left!.atoms <= 0n);
    },
  ));
});
