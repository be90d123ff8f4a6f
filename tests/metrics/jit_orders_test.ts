import { network } from "orderlens";
import * as metrics from "orderlens/metrics";
import { assertEquals } from "@std/assert";
import { ETHER, jitRecording } from "../jit_recording.ts";
import { assertReason, computed } from "./fixtures.ts";

const liquidity = await jitRecording({ owners: [] });
const { jitOrder: order, jitTrade: fill, settlement, competition } = liquidity;
const NOTHING = { low: 0n, high: 0n };
const orders = new Map([
  [liquidity.userUid, liquidity.userOrder],
  [order.uid, { ...order, buyAmount: ETHER / 2n }],
]);

Deno.test("metrics that depend on an unknown owner are not computable, with a reason", () => {
  const role = metrics.auctionRole(order, competition.auction);
  assertEquals(role, "unknown");
  const quoted = { ...order, quote: { sellAmount: 10n, buyAmount: 10n, fee: 0n } };
  const answers = [
    metrics.networkFee(fill, order, { settlement, role }),
    metrics.networkFee(fill, order, { executedFee: 0n, role }),
    // Class and app data alone do not tell, but neither is the order taken for a user's.
    metrics.networkFee(fill, order, { settlement }),
    metrics.settledSurplus(fill, order),
    metrics.settledSurplus(fill, order, role),
    metrics.slippage(fill, order, null, "limit", { role }),
    metrics.decomposeSlippage(fill, quoted, { settlement, role }),
  ];
  for (const answer of answers) assertReason(answer, "jit_owner_unknown");
});

Deno.test("decomposeSlippage() of an unlisted order has no fees, and no quote without one", () => {
  const none = metrics.decomposeSlippage(fill, order, { settlement, role: "liquidity" });
  assertReason(none, "no_quote");
  // Quoted 2 ether for 10, of which it got 1.
  const quote = { sellAmount: 10n * ETHER, buyAmount: 2n * ETHER, fee: 0n };
  const parts = metrics.decomposeSlippage(fill, { ...order, quote }, {
    settlement,
    role: "liquidity",
  });
  assertEquals(parts, {
    totalAtoms: -ETHER,
    networkCostAtoms: NOTHING,
    protocolFeeAtoms: 0n,
    partnerFeeAtoms: 0n,
    marketAtoms: { low: -ETHER, high: -ETHER },
    basis: "role",
  });
});

Deno.test("checkUniformPrices() ignores a solver's liquidity", () => {
  const jit = { uid: order.uid, order, fill, executedFee: 0n };
  const user = {
    uid: liquidity.userUid,
    order: liquidity.userOrder,
    fill: { sellAmount: 10n * ETHER, buyAmount: 10n * ETHER },
    executedFee: 0n,
  };
  for (const options of [{ settlement }, {}]) {
    const whats = (role?: "liquidity" | "unknown" | "listed") => {
      const { violations, unchecked } = metrics.checkUniformPrices(
        [user, { ...jit, role }],
        options,
      );
      return [violations.map(({ what }) => what), unchecked.length];
    };
    assertEquals(whats(), [[], 1]);
    assertEquals(whats("listed"), [["settlement" in options ? "other_fee" : "no_common_price"], 0]);
    assertEquals(whats("liquidity"), [[], 0]);
    assertEquals(whats("unknown"), [[], 1]);
    const charged = { ...jit, role: "liquidity", executedFee: 1n } as const;
    const { violations } = metrics.checkUniformPrices([charged], options);
    assertEquals(violations.map(({ detail }) => detail), [
      "Reported 1, of a solver's liquidity 0",
    ]);
  }
});

Deno.test("totals() count the volume of a solver's liquidity, and no surplus", () => {
  const better = { ...fill, buyAmount: 2n * ETHER };
  const of = (role: "liquidity" | "unknown" | "capturing") =>
    metrics.totals([{ order, fill: better, role }]);
  assertEquals(of("liquidity").bought.tokens[0]?.atoms, 2n * ETHER);
  assertEquals(of("liquidity").surplus.tokens[0]?.atoms, 0n);
  assertEquals(of("capturing").surplus.tokens[0]?.atoms, ETHER);
  assertEquals([of("unknown").surplus.tokens, of("unknown").surplus.unknown], [[], 1]);
});

Deno.test("scoreSolution() counts an order of a surplus-capturing owner, which has no fee policies", () => {
  const policies = new Map([[liquidity.userUid, []]]);
  const [solution] = competition.solutions;
  const scored = (owners?: readonly string[]) => {
    const found = computed(metrics.scoreSolution(solution!, competition.auction, {
      orders,
      policies,
      surplusCapturingJitOrderOwners: owners,
    }));
    const missing = found.missing.map((one) => one.missing);
    return [found.kind, found.score, found.unscored, missing];
  };
  // The user got 5 ether more than the limit, the solver's order half of one.
  assertEquals(scored([]), ["exact", 5n * ETHER, [order.uid], []]);
  const owner = liquidity.jitOwner.toUpperCase().replace("0X", "0x");
  assertEquals(scored([owner]), ["exact", 11n * ETHER / 2n, [], []]);
  assertEquals(scored(), ["lower_bound", 5n * ETHER, [order.uid], ["jit_owner"]]);
});

Deno.test("consistencyShares() exclude a solver's liquidity", () => {
  const outcomes = metrics.settlementOutcomes([competition], { trades: [fill] });
  const counts = (owners?: readonly string[]) => {
    const shares = metrics.consistencyShares([competition], {
      outcomes,
      orders,
      surplusCapturingJitOrderOwners: owners,
    });
    return [shares.executedOrders, shares.ordersWithoutSurplus, shares.ordersUnknown];
  };
  assertEquals(counts([]), [1, 1, 0]);
  assertEquals(counts([liquidity.jitOwner]), [2, 0, 0]);
  assertEquals(counts(), [1, 0, 1]);
});

Deno.test("estimateRewards() needs no protocol fees of an unlisted order", () => {
  const userTrade = { ...fill, orderUid: liquidity.userUid, logIndex: 0 };
  const trades = [userTrade];
  const estimate = metrics.estimateRewards([competition], {
    rules: network("mainnet").rewards.at(-1)!,
    outcomes: metrics.settlementOutcomes([competition], { trades }),
    trades,
    orders: [liquidity.userOrder],
    surplusCapturingJitOrderOwners: [],
  });
  assertEquals(estimate.unknown, []);
});
