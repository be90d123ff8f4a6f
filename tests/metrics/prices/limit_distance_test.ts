import { bestPairOffer, marketOverLimitBps } from "orderlens/metrics";
import { compareRatios, Decimal, ratio } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { assertReason } from "../assert_reason.ts";

const SELL = { kind: "sell", sellAmount: 100n, buyAmount: 200n } as const;
const BUY = { kind: "buy", sellAmount: 100n, buyAmount: 200n } as const;

/** What is given is worth 100 of the first price, what is asked for 200 of the second. */
const ROWS = [
  // Worth 200 and 200: at the market.
  [SELL, 2n, 1n, ratio(0n, 1n)],
  // 210 given for 200: 10 of 200 over the limit; for the buyer 10 of the 210 that it would pay.
  [SELL, new Decimal(21n, 1), 1n, ratio(500n, 1n)],
  [BUY, new Decimal(21n, 1), 1n, ratio(100_000n, 210n)],
  // 200 given for 250: 50 of 250 below, and 50 of 200.
  [SELL, 2n, new Decimal(125n, 2), ratio(-2_000n, 1n)],
  [BUY, 2n, new Decimal(125n, 2), ratio(-2_500n, 1n)],
] as const;

Deno.test("marketOverLimitBps() is what the market gives over the limit, of the limit amount", () => {
  for (const [order, sell, buy, bps] of ROWS) {
    const over = marketOverLimitBps(order, { sell, buy });
    assert(
      "numerator" in over && compareRatios(over, bps) === 0,
      `${order.kind} at ${sell} and ${buy}`,
    );
  }
  assertReason(
    marketOverLimitBps({ ...SELL, buyAmount: 0n }, { sell: 2n, buy: 1n }),
    "zero_baseline",
  );
});

const PAIR = { sellToken: "0x0a", buyToken: "0x0b" };

function solution(ranking: number, orders: object[], more: object = {}) {
  const facts = { solverAddress: `0x5${ranking}`, score: 1n, isWinner: false, filteredOut: false };
  return { ...facts, ranking, clearingPrices: {}, orders, ...more } as never;
}

Deno.test("bestPairOffer() is the best price for another order of the directed pair, without unfair ones", () => {
  const offer = (id: string, sellAmount: bigint, buyAmount: bigint, more: object = {}) => ({
    ...{ id, sellAmount, buyAmount, ...PAIR },
    ...more,
  });
  const solutions = [
    solution(3, [offer("0x02", 100n, 300n)], { filteredOut: true }),
    solution(2, [
      offer("0x01", 100n, 250n),
      offer("0x03", 50n, 101n),
      offer("0x04", 1n, 9n, { sellToken: "0x0b", buyToken: "0x0a" }),
    ]),
    solution(1, [offer("0x06", 100n, 199n), offer("0x05", 100n, 202n, { sellToken: "0x0A" })]),
  ];
  // 202 for 100 and 101 for 50 are one price, and the first has the better rank.
  const order = { uid: "0x01", ...PAIR };
  assertEquals(bestPairOffer({ auctionId: 7, solutions }, order), {
    ...{ auctionId: 7, uid: "0x05", solver: "0x51", ranking: 1 },
    ...{ sellAmount: 100n, buyAmount: 202n },
  });
  assertEquals(bestPairOffer({ auctionId: 7, solutions: [] }, order), null);
});
