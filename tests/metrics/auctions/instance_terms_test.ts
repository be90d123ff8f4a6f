import { assertEquals } from "@std/assert";
import {
  completeTerms,
  findContradictions,
  replayCompetition,
  scoreSolution,
} from "orderlens/metrics";
import { type Competition, decodeInstance, type Instance, type Order } from "orderlens/schemas";
import { auctionOf, solutionOf } from "../auctions.ts";
import { computed } from "../fixtures.ts";
import { orderOf } from "../reports.ts";

const WAD = 10n ** 18n;
const OWNER = "0e".repeat(20);
const [SELL, BUY] = [`0x${"a1".repeat(20)}`, `0x${"b2".repeat(20)}`];
const uidWith = (digest: string, owner = OWNER) => `0x${digest.repeat(32)}${owner}ffffffff`;
const [USER, JIT] = [uidWith("01"), uidWith("02", "1e".repeat(20))];

/** One sell order of 10 for at least 20, of which 4 for 8 are left; and one owner. */
const INSTANCE = decodeInstance({
  id: "7",
  tokens: { [BUY]: { referencePrice: "2000000000000000000" } },
  orders: [{
    ...{ uid: USER, kind: "sell", sellToken: SELL, buyToken: BUY },
    ...{ sellAmount: "4", fullSellAmount: "10", buyAmount: "9", fullBuyAmount: "20" },
  }],
  surplusCapturingJitOrderOwners: [`0x${"1E".repeat(20)}`],
});
const PRICED = { orders: [USER], prices: { [BUY]: 2n * WAD } };

function bid(orders: readonly [uid: string, bought: bigint][], score: bigint) {
  return solutionOf({
    solver: "0xa0",
    score,
    isWinner: true,
    orders: orders.map(([id, buyAmount]) => {
      return { id, sellAmount: 5n, buyAmount, sellToken: SELL, buyToken: BUY };
    }),
  });
}

Deno.test("completeTerms() takes signed limits and owners of an instance, and what is left is no limit", () => {
  // 5 of 10 require 10 of 20: 3 more are worth 6 native atoms, at 2 for each.
  const solution = bid([[USER, 13n]], 6n);
  const policies = new Map([[USER, []]]);
  const without = computed(scoreSolution(solution, PRICED, { orders: [], policies }));
  assertEquals([without.kind, without.score, without.missing], [
    "lower_bound",
    0n,
    [{ uid: USER, missing: "order" }],
  ]);
  const terms = completeTerms(INSTANCE, { orders: [], policies });
  const scored = computed(scoreSolution(solution, PRICED, terms));
  assertEquals([scored.kind, scored.score, scored.agrees], ["exact", 6n, true]);
});

Deno.test("completeTerms() knows whose JIT orders capture surplus in this auction", () => {
  const limit = { kind: "sell", sellAmount: 10n, buyAmount: 20n } as const;
  const solution = bid([[USER, 13n], [JIT, 11n]], 8n);
  const orders = new Map([[USER, limit], [JIT, limit]]);
  const policies = new Map([[USER, []]]);
  const unknown = computed(scoreSolution(solution, PRICED, { orders, policies }));
  assertEquals([unknown.kind, unknown.score, unknown.unscored], ["lower_bound", 6n, [JIT]]);
  // 1 more than the limit, by an owner that captures it: 2 native atoms.
  const terms = completeTerms(INSTANCE, { orders, policies });
  const scored = computed(scoreSolution(solution, PRICED, terms));
  assertEquals([scored.kind, scored.score, scored.agrees], ["exact", 8n, true]);
  // The list of this auction counts over one that was passed for any.
  const passed = { orders, policies, surplusCapturingJitOrderOwners: [] };
  const listed = completeTerms(INSTANCE, passed);
  assertEquals(computed(scoreSolution(solution, PRICED, listed)).score, 8n);
});

Deno.test("completeTerms() prefers records of orders, and changes nothing without an instance", () => {
  const recorded = { kind: "sell", sellAmount: 10n, buyAmount: 24n } as const;
  const orders = new Map([[USER, recorded]]);
  const terms = completeTerms(INSTANCE, { orders });
  const scored = computed(scoreSolution(bid([[USER, 13n]], 2n), PRICED, terms));
  // 5 of 10 require 12 of 24 by the record.
  assertEquals([scored.score, scored.missing], [2n, [{ uid: USER, missing: "policies" }]]);
  assertEquals(completeTerms(undefined, { orders }), { orders });
  assertEquals(completeTerms({ id: 7 }, { orders }), { orders });
  const partial: Instance = { id: 7, orders: [{ uid: USER, kind: "sell", fullSellAmount: 10n }] };
  assertEquals(completeTerms(partial, { orders: [] }), { orders: [] });
});

Deno.test("replayCompetition() filters by the limits of an instance where records are missing", () => {
  const other = `0x${"c3".repeat(20)}`;
  const second = uidWith("03");
  const pairs = { sellAmount: 5n, sellToken: SELL };
  const competition = auctionOf([
    { solver: "0xb0", score: 8n, orders: [{ ...pairs, id: USER, buyAmount: 14n, buyToken: BUY }] },
    {
      solver: "0xc0",
      score: 12n,
      orders: [
        { ...pairs, id: USER, buyAmount: 13n, buyToken: BUY },
        { ...pairs, id: second, buyAmount: 13n, buyToken: other },
      ],
    },
  ], { auction: { orders: [USER, second], prices: { [BUY]: 2n * WAD, [other]: 2n * WAD } } });
  const [order] = INSTANCE.orders!;
  const instance: Instance = {
    ...INSTANCE,
    orders: [order!, { ...order!, uid: second, buyToken: other }],
  };
  const policies = new Map([[USER, []], [second, []]]);
  const undecided = replayCompetition(competition, { policies });
  const replayed = replayCompetition(competition, completeTerms(instance, { policies }));
  const fromOf = ({ solutions }: typeof replayed) =>
    solutions.find(({ index }) => competition.solutions[index]!.solverAddress === "0xc0");
  // 3 above the limit are worth 6, less than the 8 of the other bid on the pair.
  assertEquals(fromOf(undecided)?.filterFrom, "reported");
  assertEquals([fromOf(replayed)?.filterFrom, fromOf(replayed)?.filteredOut], ["scores", true]);
});

Deno.test("findContradictions() compares an instance with its auction and its orders", () => {
  const competition: Competition = {
    ...auctionOf([]),
    auctionId: 7,
    auction: PRICED,
  };
  const order: Order = {
    ...orderOf(),
    ...{ uid: USER, kind: "sell", sellToken: SELL, buyToken: BUY },
    ...{ sellAmount: 10n, buyAmount: 20n, executedSellAmount: 0n, executedBuyAmount: 0n },
    status: "open",
  };
  const find = (instance: Instance, record = order) =>
    [...findContradictions({
      orders: [{ order: record, trades: [], debugReport: null }],
      competitions: [competition],
      instances: [instance],
    })].filter(({ kind }) => kind.startsWith("instance")).map(({ kind, difference }) => [
      kind,
      difference,
    ]);
  assertEquals(find(INSTANCE), []);
  const [stated] = INSTANCE.orders!;
  const altered = (changes: object): Instance => ({
    ...INSTANCE,
    orders: [{ ...stated!, ...changes }],
  });
  assertEquals(find(altered({ fullSellAmount: 11n })), [["instance_limit", 1n]]);
  assertEquals(find(altered({ fullBuyAmount: 19n })), [["instance_limit", -1n]]);
  assertEquals(find(altered({ kind: "buy" })), [["instance_limit", null]]);
  assertEquals(find(altered({ uid: JIT })), [["instance_order", null]]);
  assertEquals(find({ ...INSTANCE, tokens: { [BUY]: { referencePrice: 2n * WAD + 3n } } }), [
    ["instance_price", 3n],
  ]);
  assertEquals(find({ ...INSTANCE, id: 8, tokens: { [BUY]: { referencePrice: 1n } } }), []);
  // Solvers buy the token that wraps the native one.
  const native = { ...order, buyToken: "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee" };
  assertEquals(find(INSTANCE, native), []);
});
