import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import { NATIVE_TOKEN_ADDRESS } from "../../lib/networks/mod.ts";
import type { BookOrder } from "../../lib/sandbox/market/book_order.ts";
import { Random, TOKENS } from "../../lib/sandbox/market/ledger.ts";
import { Market } from "../../lib/sandbox/market/market.ts";
import { createExecution, planExecution } from "../../lib/sandbox/market/plan_execution.ts";
import { filterReachable, findCrossingPairs, propose } from "../../lib/sandbox/market/propose.ts";
import { bookOrder, DAI, ETHER, GNO, planningTerms, USDC, WETH } from "./book_orders.ts";
import { MAX_SOLUTIONS, type Solver, SOLVERS } from "../../lib/sandbox/market/solvers.ts";

/** A sale of 100 WETH atoms for USDC atoms. */
function there(buyAmount: bigint, signed: Parameters<typeof bookOrder>[0] = {}): BookOrder {
  return bookOrder({ sellAmount: 100n, buyAmount, ...signed });
}

/** A sale of 100 USDC atoms for WETH atoms. */
function back(buyAmount: bigint, signed: Parameters<typeof bookOrder>[0] = {}): BookOrder {
  return there(buyAmount, { sellToken: USDC, buyToken: WETH, ...signed });
}

function places(orders: readonly BookOrder[]): string[] {
  return [...findCrossingPairs(orders)].map((pair) =>
    pair.map((order) => orders.indexOf(order)).join(" ")
  );
}

const LARGE = 10n ** 40n;
const NATIVE = { sellToken: GNO, buyToken: NATIVE_TOKEN_ADDRESS };

/** Orders, and the places of those that cross each other, by the earlier one and then the later. */
const CROSSINGS: readonly [BookOrder[], string[]][] = [
  // 200 for 100 and 50 for 100 are the same price; with an atom more on either side they do not cross.
  [[there(200n), back(50n)], ["0 1"]],
  [[there(201n), back(50n)], []],
  [[there(200n), back(51n)], []],
  [
    [back(60n), there(100n), there(190n), back(50n), there(150n), back(90n)],
    ["0 1", "0 4", "1 3", "1 5", "2 3", "3 4"],
  ],
  // Beyond doubles.
  [[there(LARGE, { sellAmount: LARGE }), back(LARGE, { sellAmount: LARGE })], ["0 1"]],
  [[there(LARGE, { sellAmount: LARGE }), back(LARGE + 1n, { sellAmount: LARGE })], []],
  // Buy orders and other pairs do not cross, and the native token is wrapped.
  [[there(1n), back(1n, { kind: "buy" }), back(1n, { buyToken: DAI })], []],
  [[there(1n, NATIVE), there(1n, { sellToken: WETH, buyToken: GNO })], ["0 1"]],
];

Deno.test("findCrossingPairs() yields opposite sell orders whose limits cross or are equal", () => {
  for (const [orders, pairs] of CROSSINGS) assertEquals(places(orders), pairs);
});

/** 1,000,000 sold, of which 10,000 for gas: 990,000 buy 1,980,000. */
const net = { sellAmount: 1_000_000n, buyAmount: 1_980_000n };
const price = { sell: 1_980_000n, buy: 990_000n };
const sale = { sellAmount: 1_000_000n, buyAmount: 1_900_000n };
const volume = { volume: { factor: 0.0002 } };

Deno.test("createExecution() respects limits and amounts", () => {
  assertEquals(createExecution(bookOrder({ ...sale, buyAmount: 1_980_001n }), net, price), null);
  assertEquals(createExecution(bookOrder(sale), { ...net, buyAmount: 0n }, price), null);
  // The limit is met before the fee and not after it.
  const tight = bookOrder({ ...sale, buyAmount: 1_979_700n }, { policies: [volume] });
  assertEquals(createExecution(tight, net, price), null);
  const begun = bookOrder({ ...sale, kind: "buy", partiallyFillable: true });
  begun.executedSellAmount = 1n;
  assertEquals(createExecution(begun, { ...net, buyAmount: 1_900_000n }, price), null);
});

const market = new Market(1);
const terms = planningTerms(market);

Deno.test("planExecution() sells the amount after gas, less the solver's margin", () => {
  // (10^18 - 198,391 * 10^9) WETH into 6,000 of them and 15,000,000 USDC
  const { execution, swap } = planExecution(bookOrder(), terms)!;
  assertEquals(execution.fill, { sellAmount: ETHER, buyAmount: 2_491_591_573n });
  assertEquals("paid" in swap && swap.paid, ETHER - 198_391n * 10n ** 9n);
  // 3% less than planned
  assertEquals(swap.bound, 2_416_843_825n);
  const kept = planExecution(bookOrder(), { ...terms, marginBps: 10n });
  assertEquals(kept?.execution.fill.buyAmount, 2_489_099_981n);
});

Deno.test("filterReachable() drops no executable order", () => {
  const tokens = fc.constantFrom(...TOKENS.map(({ address }) => address));
  const terms = fc.record({
    sellToken: tokens,
    buyToken: tokens,
    kind: fc.constantFrom("sell", "buy"),
    partiallyFillable: fc.boolean(),
    sellAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
    buyAmount: fc.bigInt({ min: 1n, max: 10n ** 24n }),
  });
  const hops = fc.integer({ min: 1, max: 3 });
  const planning = planningTerms(market, { gasPrice: 0 });
  fc.assert(fc.property(terms, hops, (signed, hops) => {
    const order = bookOrder(signed);
    if (planExecution(order, { ...planning, hops }) === null) return;
    assert(filterReachable([order], { liquidity: market.liquidity, hops }).includes(order));
  }));
});

const view = planningTerms(market, { priceOf: (token) => market.atomPrice(token) });
function solver(name: string): Solver {
  const known = SOLVERS.find((one) => one.name === name)!;
  return { ...known, participation: 1_000, marginBps: [0, 0] };
}

Deno.test("propose() plans no order with an unreachable limit, and no more than it submits solutions for", () => {
  const unreachable = Array.from({ length: 1_000 }, () => [
    bookOrder({ buyAmount: 5_000n * 10n ** 6n }),
    back(2n * ETHER, { sellAmount: 2_500n * 10n ** 6n }),
  ]).flat();
  let looks = 0;
  const watched = { ...view, balanceOf: () => (looks++, 2n ** 255n) };
  /** How many orders a solver proposes, and how many it looks at. */
  const proposed = (name: string, orders: readonly BookOrder[]) => {
    looks = 0;
    const random = new Random(1, "solvers");
    return [propose(solver(name), orders, { view: watched, random }).length, looks];
  };
  for (const { name } of SOLVERS) {
    assertEquals(proposed(name, unreachable), [0, 0], name);
    const reachable = bookOrder({ sellToken: GNO, buyToken: DAI });
    assertEquals(proposed(name, [...unreachable, reachable]), [1, 1], name);
  }
  const many = Array.from({ length: 1_000 }, () => bookOrder());
  assertEquals(proposed("direct", many)[1], MAX_SOLUTIONS);
});
