import { InputError } from "orderlens";
import { decodeInstance, type Instance, type InstanceOrder } from "orderlens/schemas";
import {
  BEST_OTHER_BIDS,
  BIDS,
  buildTable,
  INSTANCE_ORDERS,
  INSTANCES,
  MISSED_BASELINES,
  SOLUTIONS,
} from "orderlens/tables";
import { assertEquals, assertThrows } from "@std/assert";
import { auctionOf } from "../../metrics/auctions.ts";
import { orderOf } from "../../metrics/reports.ts";
import { cells, tradeOf } from "../made_up.ts";

const OWNER = `0x${"1e".repeat(20)}`;
const JIT = `0x${"02".repeat(32)}${OWNER.slice(2)}ffffffff`;
const PAIR = { sellToken: "0x01", buyToken: "0x02" };
const SOLD = { sellAmount: 100n, ...PAIR };
const USER = { uid: "0x0f", kind: "sell", ...PAIR } as const;

/** Two bids for an order of 100 for at least 180, and one with an order that a solver brought. */
const competition = auctionOf([
  {
    solver: "0xa0",
    score: 3n,
    isWinner: true,
    txHash: "0xaa",
    orders: [{ id: "0x0f", buyAmount: 190n, ...SOLD }, { id: JIT, buyAmount: 52n, ...SOLD }],
  },
  { solver: "0xb0", score: 2n, orders: [{ id: "0x0f", buyAmount: 189n, ...SOLD }] },
], { transactionHashes: ["0xaa"], auction: { orders: ["0x0f"], prices: { "0x02": 10n ** 18n } } });
const competitions = [competition];

/** The order, of which half is left, for a little more than its price; and whose orders capture surplus. */
function instanceOf(order: Partial<InstanceOrder> = {}, more: Partial<Instance> = {}): Instance {
  const left = { sellAmount: 50n, buyAmount: 91n };
  return {
    id: 1,
    orders: [{ ...USER, ...left, fullSellAmount: 100n, fullBuyAmount: 180n, ...order }],
    surplusCapturingJitOrderOwners: [],
    ...more,
  };
}

Deno.test("INSTANCES counts orders and owners of each instance, and says when solvers had to answer", () => {
  const published = decodeInstance({
    id: "1",
    orders: [{}, {}],
    deadline: "2026-08-06T15:11:14.566395390Z",
    effectiveGasPrice: "21294000",
    surplusCapturingJitOrderOwners: [`0x${"B1".repeat(20)}`, `0x${"a1".repeat(20)}`],
  });
  const columns = "auction_id order_count effective_gas_price jit_owner_count jit_owners";
  const frame = buildTable(INSTANCES, { instances: [published, { id: 2, orders: [] }] });
  assertEquals(cells(frame, `${columns} solving_deadline`), [
    [
      ...[1, 2, "21294000", 2, `0x${"a1".repeat(20)} 0x${"b1".repeat(20)}`],
      "2026-08-06T15:11:14.566395390Z",
    ],
    [2, 0, null, null, null, null],
  ]);
  const counts = new Map([[1, 2_900]]);
  const counted = buildTable(INSTANCES, { instances: [published], instanceOrderCounts: counts });
  assertEquals(cells(counted, "order_count"), [[2_900]]);
  const unnamed = () => buildTable(INSTANCES, { instances: [{ orders: [] }] });
  assertThrows(unnamed, InputError, "record 0 has no id");
});

const SOURCES =
  "order_uid kind limit_source limit_sell_amount_atoms limit_buy_amount_atoms agrees " +
  "available_sell_amount_atoms available_buy_amount_atoms role role_source gaps";

Deno.test("INSTANCE_ORDERS takes a limit from the record of an order, otherwise from the instance", () => {
  const build = (instances: Instance[], orders = [orderOf({ buyAmount: 180n })]) =>
    cells(buildTable(INSTANCE_ORDERS, { competitions, instances, orders }), SOURCES);
  const jit = [JIT, null, null, null, null, null, null, null, "liquidity", "instance"]
    .concat("order, instance_order");
  const left = ["50", "91", "listed", "auction", null];
  assertEquals(build([instanceOf()]), [
    jit,
    ["0x0f", "sell", "order", "100", "180", true, ...left],
  ]);
  assertEquals(build([instanceOf()], []), [
    jit,
    ["0x0f", "sell", "instance", "100", "180", null, ...left],
  ]);
  // The record counts.
  assertEquals(build([instanceOf({ fullBuyAmount: 181n })])[1], [
    ...["0x0f", "sell", "order", "100", "180", false],
    ...left,
  ]);
  // What the instance does not say does not agree.
  assertEquals(build([instanceOf({ fullBuyAmount: undefined as never })])[1]?.[5], null);
  const otherAmount = { fullSellAmount: 99n, fullBuyAmount: undefined as never };
  assertEquals(build([instanceOf(otherAmount)])[1]?.[5], false);
  const silent = { id: 1, orders: [] };
  assertEquals(build([silent], []), [
    [JIT, null, null, null, null, null, null, null, "unknown", null]
      .concat("order, instance_order, owner"),
    ["0x0f", null, null, null, null, null, null, null, "listed", "auction"].concat(
      "order, instance_order",
    ),
  ]);
  assertEquals(build([{ ...silent, id: 2 }]), []);
});

Deno.test("INSTANCE_ORDERS says whose list of owners decides", () => {
  const roles = (instances: Instance[], surplusCapturingJitOrderOwners?: string[]) => {
    const options = surplusCapturingJitOrderOwners && { surplusCapturingJitOrderOwners };
    const frame = buildTable(INSTANCE_ORDERS, { competitions, instances, ...options });
    return cells(frame, "role role_source")[0];
  };
  const owners = { surplusCapturingJitOrderOwners: [OWNER.toUpperCase().replace("X", "x")] };
  assertEquals(roles([instanceOf({}, owners)]), ["capturing", "instance"]);
  assertEquals(roles([instanceOf({}, owners)], []), ["capturing", "instance"]);
  assertEquals(roles([{ id: 1, orders: [] }], [OWNER]), ["capturing", "option"]);
  assertEquals(roles([{ id: 1, orders: [] }]), ["unknown", null]);
});

Deno.test("BIDS values bids and what was left by the limit of an instance, where there is no record", () => {
  const columns = "solver kind filled_fraction surplus_atoms over_limit_bps behind_winner_bps " +
    "left_atoms gaps";
  const trades = [tradeOf({ sellAmount: 100n, buyAmount: 190n, txHash: "0xaa" })];
  const build = (more: object) =>
    cells(buildTable(BIDS, { competitions, trades, ...more }), columns)
      .filter(([, kind]) => kind === "sell");
  // 190 and 189 for 100, of which 180 are the limit.
  const expected = [
    ["0xa0", "sell", 1, "10", 10_000 * 10 / 180, 0, null, "order, auction_time"],
    ["0xb0", "sell", 1, "9", 500, 10_000 * 1 / 180, "-1", "order, auction_time"],
  ];
  assertEquals(build({ instances: [instanceOf()] }), expected);
  assertEquals(build({}), []);
  const recorded = build({ instances: [instanceOf()], orders: [orderOf({ buyAmount: 185n })] });
  assertEquals(recorded.map(([, , , surplus, , , , gaps]) => [surplus, gaps]), [
    ["5", "auction_time"],
    ["4", "auction_time"],
  ]);
  // What is left of an order is no limit.
  const partial = instanceOf({ fullBuyAmount: undefined as never });
  assertEquals(build({ instances: [partial] }), []);
});

Deno.test("BIDS knows by an instance whose JIT orders capture surplus", () => {
  const orders = [{ ...orderOf({ buyAmount: 50n }), uid: JIT }];
  const surplusOf = (more: object) =>
    cells(buildTable(BIDS, { competitions, orders, ...more }), "order_uid surplus_atoms")
      .find(([uid]) => uid === JIT)?.[1];
  assertEquals(surplusOf({}), null);
  assertEquals(surplusOf({ instances: [instanceOf()] }), "0");
  // 52 for 100, of which 50 are the limit.
  const owners = { surplusCapturingJitOrderOwners: [OWNER] };
  assertEquals(surplusOf({ instances: [instanceOf({}, owners)] }), "2");
});

Deno.test("SOLUTIONS and MISSED_BASELINES judge fairness by limits of an instance", () => {
  const other = { ...PAIR, buyToken: "0x03" };
  const filtered = auctionOf([
    {
      solver: "0xb0",
      score: 9n,
      isWinner: true,
      orders: [{ id: "0x0f", buyAmount: 189n, ...SOLD }],
    },
    {
      solver: "0xc0",
      score: 20n,
      filteredOut: true,
      orders: [
        { id: "0x0f", buyAmount: 184n, ...SOLD },
        { id: "0x0e", buyAmount: 196n, sellAmount: 100n, ...other },
      ],
    },
  ], {
    auction: { orders: ["0x0f", "0x0e"], prices: { "0x02": 10n ** 18n, "0x03": 10n ** 18n } },
  });
  const { orders: [order] = [] } = instanceOf();
  const instance = { ...instanceOf(), orders: [order!, { ...order!, ...other, uid: "0x0e" }] };
  const known = { competitions: [filtered] };
  const columns = "buy_token is_certain pair_score_low_atoms baseline_atoms";
  const missed = (more: object) =>
    cells(buildTable(MISSED_BASELINES, { ...known, ...more }), columns);
  // Surplus of 4 against a baseline of 9; the fees of the pair are in no record.
  assertEquals(
    missed({ instances: [instance] }).map(([token, , low, baseline]) => [token, low, baseline]),
    [["0x02", "4", "9"]],
  );
  assertEquals(missed({}).map(([token, , low]) => [token, low]), [["0x02", "0"]]);
  assertEquals(buildTable(SOLUTIONS, { ...known, instances: [instance] }).height, 2);
});

Deno.test("BEST_OTHER_BIDS measures what was left with the role that an instance states", () => {
  const order = { ...orderOf({ buyAmount: 50n }), uid: JIT };
  const trade = tradeOf({ orderUid: JIT, sellAmount: 100n, buyAmount: 52n, txHash: "0xaa" });
  const executed = (more: object) => {
    const records = [{ order, trades: [trade] }];
    const frame = buildTable(BEST_OTHER_BIDS, { records, competitions, ...more });
    return cells(frame, "executed_over_limit_bps role role_source")[0];
  };
  assertEquals(executed({}), [null, "unknown", null]);
  assertEquals(executed({ instances: [instanceOf()] }), [0, "liquidity", "instance"]);
  const owners = { surplusCapturingJitOrderOwners: [OWNER] };
  assertEquals(executed({ instances: [instanceOf({}, owners)] }), [400, "capturing", "instance"]);
});
