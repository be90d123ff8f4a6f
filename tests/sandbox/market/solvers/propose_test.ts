import { assert, assertEquals } from "@std/assert";
import { Market } from "../../../../lib/sandbox/market/market.ts";
import { propose } from "../../../../lib/sandbox/market/propose.ts";
import { Random } from "../../../../lib/sandbox/market/ledger.ts";
import type { PlannedSolution } from "../../../../lib/sandbox/market/book.ts";
import { MAX_SOLUTIONS, type Solver, SOLVERS } from "../../../../lib/sandbox/market/solvers.ts";
import { bookOrder, DAI, ETHER, GNO, planningTerms, USDC, WBTC, WETH } from "../book_orders.ts";

const market = new Market(1);
const view = planningTerms(market, { priceOf: (token) => market.atomPrice(token) });
const AUCTIONS = 60;

function solver(name: string, habits: Partial<Solver> = {}): Solver {
  const known = SOLVERS.find((one) => one.name === name)!;
  return { ...known, participation: 1_000, marginBps: [0, 0], ...habits };
}

/** The solutions of a solver for the same orders, many times. */
function proposals(
  bidder: Solver,
  orders: Parameters<typeof propose>[1],
): PlannedSolution[][] {
  const random = new Random(1, bidder.name);
  return Array.from({ length: AUCTIONS }, () => propose(bidder, orders, { view, random }));
}

/** One WETH for USDC, and one GNO for DAI, at any price. */
const apart = [bookOrder(), bookOrder({ sellToken: GNO, buyToken: DAI })];

Deno.test("propose() batches orders that share no token, and then bids for each", () => {
  const overlapping = bookOrder({ sellToken: USDC, buyToken: WBTC });
  const batches = proposals(solver("batcher"), [apart[0]!, overlapping, apart[1]!])
    .flatMap((solutions) => solutions.filter(({ executions }) => executions.length > 1));
  assert(batches.length > AUCTIONS / 4);
  assert(batches.length < AUCTIONS);
  for (const { executions } of batches) {
    assertEquals(executions.map(({ order }) => order), apart);
  }
});

Deno.test("propose() matches orders with each other before it uses pools", () => {
  const back = bookOrder({
    sellToken: USDC,
    buyToken: WETH,
    sellAmount: 10n ** 9n,
    buyAmount: ETHER / 10n,
  });
  const [match, ...others] = proposals(solver("batcher"), [apart[0]!, back])[0]!;
  assertEquals(match?.executions.map(({ order }) => order), [apart[0]!, back]);
  assertEquals(match?.swaps.length, 1);
  assertEquals(others.map(({ executions }) => executions.length), [1, 1]);
});

Deno.test("propose() plans nothing for orders with unreachable limits", () => {
  const unreachable = Array.from({ length: 1_000 }, () => [
    bookOrder({ buyAmount: 5_000n * 10n ** 6n }),
    bookOrder({
      sellToken: USDC,
      buyToken: WETH,
      sellAmount: 2_500n * 10n ** 6n,
      buyAmount: 2n * ETHER,
    }),
  ]).flat();
  let looks = 0;
  const watched = {
    ...view,
    balanceOf: (...of: Parameters<typeof view.balanceOf>) => {
      looks++;
      return view.balanceOf(...of);
    },
  };
  const random = new Random(1, "solvers");
  for (const { name } of SOLVERS) {
    propose(solver(name), unreachable, { view: watched, random });
    assertEquals(looks, 0, name);
    const orders = [...unreachable, apart[1]!];
    assertEquals(propose(solver(name), orders, { view: watched, random }).length, 1, name);
    assertEquals(looks, 1, name);
    looks = 0;
  }
});

Deno.test("propose() plans no more orders than it submits solutions for", () => {
  const orders = Array.from({ length: 1_000 }, () => bookOrder());
  let looks = 0;
  const watched = { ...view, balanceOf: () => (looks++, 2n ** 255n) };
  propose(solver("direct"), orders, { view: watched, random: new Random(1, "solvers") });
  assertEquals(looks, MAX_SOLUTIONS);
});

Deno.test("propose() sometimes underpays the first order of a batch, but never below its limit", () => {
  const robbed = proposals(solver("robber"), apart)
    .flatMap((solutions) => solutions.filter(({ executions }) => executions.length > 1));
  assert(robbed.length > AUCTIONS / 10);
  assert(robbed.length < AUCTIONS / 2);
  for (const { executions: [victim, other] } of robbed) {
    // 2,491.591573 at a limit of 1: a fifth of the surplus remains.
    assertEquals(victim?.fill.buyAmount, 10n ** 6n + (2_491_591_573n - 10n ** 6n) / 5n);
    assert(victim!.fees.executedFee > 7n * ETHER / 10n);
    assert(other!.fill.buyAmount > 99n * ETHER);
  }
});

Deno.test("propose() draws the outcome by the solver's reliability", () => {
  const fates = (...failures: [number, number, number]) =>
    [
      ...new Set(
        proposals(solver("direct", { failures }), apart).flat().map(({ plannedOutcome }) =>
          plannedOutcome
        ),
      ),
    ].sort();
  assertEquals(fates(1_000, 0, 0), ["reverts"]);
  assertEquals(fates(0, 1_000, 0), ["times out"]);
  assertEquals(fates(0, 0, 1_000), ["late"]);
  assertEquals(fates(0, 0, 0), ["settles", "slow"]);
});
