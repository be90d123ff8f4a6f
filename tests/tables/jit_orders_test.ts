import { assertEquals } from "@std/assert";
import {
  BEST_OTHER_BIDS,
  BIDS,
  buildTable,
  FEE_STEPS,
  FILLS,
  ORDERS,
  type Records,
} from "orderlens/tables";
import { ETHER, jitRecording } from "../jit_recording.ts";
import { reportOf } from "../metrics/reports.ts";
import { cells } from "./made_up.ts";

const { jitOrder, jitOwner, jitTrade, competition, settlement, txHash } = await jitRecording({
  owners: [],
});
/** It got half an ether more than its limit of half of one. */
const order = { ...jitOrder, buyAmount: ETHER / 2n };
const records = [{ order, trades: [jitTrade] }];
const known = { competitions: [competition], settlements: new Map([[txHash, settlement]]) };
const none = { ...known, surplusCapturingJitOrderOwners: [] };
const owned = { ...known, surplusCapturingJitOrderOwners: [jitOwner] };

Deno.test("FEE_STEPS has 0 for a solver's liquidity, the formula for a surplus-capturing owner", () => {
  const network = (options: typeof known) =>
    cells(
      buildTable(FEE_STEPS, { records, ...options }),
      "part",
      "amount_low_atoms",
      "amount_high_atoms",
    )
      .filter(([part]) => part === "network").flat().slice(1);
  assertEquals(network(none), ["0", "0"]);
  assertEquals(network(owned), [`${9n * ETHER}`, `${9n * ETHER}`]);
  assertEquals(network(known), [null, null]);
});

Deno.test("FILLS has 0 against the limit, and reasons for the other baselines", () => {
  const columns = ["slippage_reason slippage_limit_atoms slippage_limit_bps"];
  const surplus = ["surplus_atoms surplus_bps_of_limit surplus_bps_of_executed"];
  const of = (options: typeof known) =>
    cells(buildTable(FILLS, { records, ...options }), ...columns, ...surplus)[0];
  assertEquals(of(none), ["no_quote", "0", 0, "0", 0, 0]);
  const half = `${ETHER / 2n}`;
  assertEquals(of(owned), ["no_quote", half, 10_000, half, 10_000, 5_000]);
  assertEquals(of(known), ["no_quote", null, null, null, null, null]);
});

Deno.test("ORDERS has no surplus of a solver's liquidity", () => {
  const surplus = (options: Records) =>
    cells(buildTable(ORDERS, { orders: [order], ...options }), "surplus_atoms", "surplus_bps")[0];
  const { competitions } = known;
  assertEquals(surplus({ competitions, surplusCapturingJitOrderOwners: [] }), ["0", 0]);
  assertEquals(surplus({ competitions, surplusCapturingJitOrderOwners: [jitOwner] }), [
    `${ETHER / 2n}`,
    10_000,
  ]);
  // Neither the owners nor the auction: class and app data keep it from being taken for a user's.
  assertEquals(surplus({ competitions }), [null, null]);
  assertEquals(surplus({}), [null, null]);
});

Deno.test("BIDS and BEST_OTHER_BIDS measure by the role of the order", () => {
  const bid = (options: Records) =>
    cells(
      buildTable(BIDS, { competitions: [competition], ...options, orders: [order] }),
      "order_uid",
      "over_limit_bps",
    ).find(([uid]) => uid === order.uid)?.[1];
  assertEquals(bid({ surplusCapturingJitOrderOwners: [] }), 0);
  assertEquals(bid({ surplusCapturingJitOrderOwners: [jitOwner] }), 10_000);
  assertEquals(bid({}), null);
  const executed = (options: typeof known) =>
    cells(buildTable(BEST_OTHER_BIDS, { records, ...options }), "executed_over_limit_bps").flat();
  assertEquals([executed(none), executed(owned), executed(known)], [[0], [10_000], [null]]);
});

Deno.test("FILLS takes the role of an order from the auction that its debug report names", () => {
  const user = { ...order, class: "limit", fullAppData: "{}" };
  const debugReport = reportOf({
    order: user,
    trades: [{ ...jitTrade, txHash, auctionId: competition.auctionId }],
  });
  const reported = [{ order: user, trades: [jitTrade], debugReport }];
  const { settlements } = known;
  const surplus = (surplusCapturingJitOrderOwners?: readonly string[]) =>
    cells(
      buildTable(FILLS, { records: reported, settlements, surplusCapturingJitOrderOwners }),
      "slippage_limit_atoms",
    ).flat();
  assertEquals([surplus([]), surplus([jitOwner]), surplus()], [["0"], [`${ETHER / 2n}`], [null]]);
});
