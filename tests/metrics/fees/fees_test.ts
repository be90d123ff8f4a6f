import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import {
  debugFeePolicy,
  policiesByAuction,
  priceImprovementAtoms,
  totalFeeInterval,
} from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { chargeFees, recomputeFees } from "../../../lib/metrics/mod.ts";
import { assertReason, computed } from "../assert_reason.ts";
import { recordedScenario } from "../recorded_scenario.ts";
import { debugAuctionOf, orderOf, reportOf } from "../reports.ts";

const sell = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
const half = { surplus: { factor: 0.5, maxVolumeFactor: 0.9 } };

Deno.test("chargeFees() charges half of the surplus of a sell order", () => {
  // 100 USDC of 2,200 are left of a surplus of 200.
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_200_000_000n };
  assertEquals(chargeFees(fill, sell, { policies: [half] }), {
    ...fill,
    buyAmount: 2_100_000_000n,
  });
});

Deno.test("chargeFees() caps fees by the volume", () => {
  const capped = { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } };
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_200_000_000n };
  assertEquals(chargeFees(fill, sell, { policies: [capped] }), {
    ...fill,
    buyAmount: 2_178_000_000n,
  });
});

Deno.test("chargeFees() makes a buy order sell more", () => {
  const buy = { kind: "buy", sellAmount: 2_100_000_000n, buyAmount: 10n ** 18n } as const;
  const fill = { sellAmount: 2_000_000_000n, buyAmount: 10n ** 18n };
  const policies = [{ volume: { factor: 0.001 } }];
  assertEquals(chargeFees(fill, buy, { policies }), { ...fill, sellAmount: 2_002_000_000n });
});

Deno.test("chargeFees() charges nothing without an improvement", () => {
  const quote = { sellAmount: 10n ** 18n, buyAmount: 2_300_000_000n, fee: 0n };
  const policies = [{ priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9, quote } }];
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_200_000_000n };
  assertEquals(chargeFees(fill, sell, { policies }), fill);
});

Deno.test("chargeFees() charges nothing over a quote without a price", () => {
  const quote = { sellAmount: 0n, buyAmount: 2_000_000_000n, fee: 0n };
  const policies = [{ priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9, quote } }];
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_200_000_000n };
  assertEquals(chargeFees(fill, sell, { policies }), fill);
});

Deno.test("chargeFees() gives a reason for a limit without a price", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_200_000_000n };
  const charged = chargeFees(fill, { ...sell, sellAmount: 0n }, { policies: [half] });
  assertReason(charged, "limit_without_price");
});

Deno.test("chargeFees() is undone by recomputeFees() but for the roundings", () => {
  fc.assert(fc.property(
    fc.bigInt(2_000_000_000n, 4_000_000_000n),
    fc.integer({ min: 0, max: 80 }),
    fc.integer({ min: 0, max: 99 }),
    (buyAmount, share, bps) => {
      const fill = { sellAmount: sell.sellAmount, buyAmount };
      const policies = [
        { surplus: { factor: share / 100, maxVolumeFactor: 0.02 } },
        { volume: { factor: bps / 10_000 } },
      ];
      const left = computed(chargeFees(fill, sell, { policies }));
      // What is left may lie below the limit, where no surplus fee can be recomputed.
      if (left.buyAmount < sell.buyAmount) return;
      const fees = recomputeFees(left, sell, { policies });
      const sum = fees.reduce((all, fee) => all + ("atoms" in fee ? fee.atoms : 0n), 0n);
      const difference = fill.buyAmount - left.buyAmount - sum;
      if (difference < -4n || difference > 4n) throw new Error(`differs by ${difference}`);
    },
  ));
});

Deno.test("debugFeePolicy() returns the factors of each kind", () => {
  assertEquals(debugFeePolicy({ kind: "volume", volumeFactor: 0.0002, surplusFactor: null }), {
    volume: { factor: 0.0002 },
  });
  assertEquals(
    debugFeePolicy({ kind: "surplus", surplusFactor: 0.5, surplusMaxVolumeFactor: 0.01 }),
    { surplus: { factor: 0.5, maxVolumeFactor: 0.01 } },
  );
  assertEquals(
    debugFeePolicy({
      kind: "priceImprovement",
      priceImprovementFactor: 0,
      priceImprovementMaxVolumeFactor: 0.01,
    }),
    { priceImprovement: { factor: 0, maxVolumeFactor: 0.01 } },
  );
});

Deno.test("debugFeePolicy() is null if a factor is missing", () => {
  assertEquals(debugFeePolicy({ kind: "volume", surplusFactor: 0.5 }), null);
  assertEquals(debugFeePolicy({ kind: "surplus", surplusFactor: 0.5 }), null);
  assertEquals(debugFeePolicy({ kind: "priceImprovement", priceImprovementFactor: 0.5 }), null);
});

Deno.test("debugFeePolicy() keeps an unknown kind", () => {
  assertEquals(Object.keys(debugFeePolicy({ kind: "dutchAuction" }) ?? {}), ["dutchAuction"]);
});

const winning = {
  solutionUid: 0,
  ranking: 1,
  solver: "0xa0",
  isWinner: true,
  filteredOut: false,
  score: 1n,
  executedSell: 1n,
  executedBuy: 1n,
};

Deno.test("policiesByAuction() reads missing policies as none only for orders of a winner", () => {
  const report = reportOf({
    order: orderOf({ uid: "0x0F" }),
    auctions: [
      debugAuctionOf(1, { proposedSolutions: [{ ...winning, isWinner: false }] }),
      debugAuctionOf(2, { proposedSolutions: [winning] }),
      debugAuctionOf(3, {
        proposedSolutions: [winning],
        feePolicies: [{ kind: "volume", volumeFactor: 0.1 }],
      }),
      debugAuctionOf(4, { proposedSolutions: [winning], feePolicies: [{ kind: "volume" }] }),
    ],
  });
  const policies = policiesByAuction({ debugReports: [report] });
  assertEquals([...policies.keys()], [2, 3]);
  assertEquals(policies.get(2)?.get("0x0f"), []);
  assertEquals(policies.get(3)?.get("0x0f"), [{ volume: { factor: 0.1 } }]);
});

Deno.test("policiesByAuction() of no records is empty", () => {
  assertEquals(policiesByAuction({}).size, 0);
});

function withoutQuotes(policies: readonly FeePolicy[]): FeePolicy[] {
  return policies.map(({ priceImprovement, ...others }) => {
    if (priceImprovement === undefined) return others;
    const { quote: _, ...factors } = priceImprovement;
    return { priceImprovement: factors };
  });
}

Deno.test("policiesByAuction() returns the same from trades as from debug reports of a recorded market", async () => {
  const { competitions, reports, trades } = await recordedScenario("market_1");
  const reported = policiesByAuction({ debugReports: reports.values() });
  const charged = policiesByAuction({
    trades: trades.values(),
    competitions: competitions.values(),
  });
  let compared = 0;
  for (const [auctionId, ofAuction] of charged) {
    for (const [uid, policies] of ofAuction) {
      const known = reported.get(auctionId)?.get(uid);
      assert(known !== undefined);
      assertEquals(withoutQuotes(policies), withoutQuotes(known));
      compared++;
    }
  }
  assertEquals(compared, 664);
});

const SELL = { kind: "sell", sellAmount: 10n ** 18n, buyAmount: 2_000_000_000n } as const;
const SELL_QUOTE = { sellAmount: 10n ** 18n, buyAmount: 2_080_000_000n, fee: 5n * 10n ** 15n };
const BUY = { kind: "buy", sellAmount: 2_100_000_000n, buyAmount: 10n ** 18n } as const;
const BUY_QUOTE = { sellAmount: 2_060_000_000n, buyAmount: 10n ** 18n, fee: 3_000_000n };

Deno.test("priceImprovementAtoms() subtracts the quoted network fee first", () => {
  // Net quote 2,080,000,000 - 10,400,000 of the buy token.
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  assertEquals(priceImprovementAtoms(fill, SELL, SELL_QUOTE), 30_400_000n);
  // Net quote 2,063,000,000 of the sell token.
  const bought = { sellAmount: 2_050_000_000n, buyAmount: 10n ** 18n };
  assertEquals(priceImprovementAtoms(bought, BUY, BUY_QUOTE), 13_000_000n);
});

Deno.test("priceImprovementAtoms() is 0 for a fill worse than its quote", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_069_599_999n };
  assertEquals(priceImprovementAtoms(fill, SELL, SELL_QUOTE), 0n);
});

Deno.test("priceImprovementAtoms() measures from the limit if it is tighter than the quote", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  const strict = { ...SELL, buyAmount: 2_090_000_000n };
  assertEquals(priceImprovementAtoms(fill, strict, SELL_QUOTE), 10_000_000n);
  const bought = { sellAmount: 2_050_000_000n, buyAmount: 10n ** 18n };
  const thrifty = { ...BUY, sellAmount: 2_055_000_000n };
  assertEquals(priceImprovementAtoms(bought, thrifty, BUY_QUOTE), 5_000_000n);
});

Deno.test("priceImprovementAtoms() scales the quote down to the order, then up to the fill", () => {
  const order = { kind: "sell", sellAmount: 3n, buyAmount: 1n } as const;
  const quote = { sellAmount: 7n, buyAmount: 70n, fee: 0n };
  // floor(70 * 3 / 7) = 30 for the order, ceil(30 / 3) for a third of it.
  assertEquals(priceImprovementAtoms({ sellAmount: 1n, buyAmount: 12n }, order, quote), 2n);
});

Deno.test("priceImprovementAtoms() is 0 over a quote whose fee exceeds it", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  const quote = { ...SELL_QUOTE, fee: 2n * 10n ** 18n };
  assertEquals(priceImprovementAtoms(fill, SELL, quote), 0n);
});

Deno.test("priceImprovementAtoms() gives a reason for a quote or a limit without a price", () => {
  const fill = { sellAmount: 10n ** 18n, buyAmount: 2_100_000_000n };
  const [forNothing, ofNothing] = ["quote_without_price", "limit_without_price"];
  assertReason(priceImprovementAtoms(fill, SELL, { ...SELL_QUOTE, sellAmount: 0n }), forNothing);
  assertReason(priceImprovementAtoms(fill, BUY, { ...BUY_QUOTE, buyAmount: 0n }), forNothing);
  assertReason(priceImprovementAtoms(fill, { ...SELL, sellAmount: 0n }, SELL_QUOTE), ofNothing);
  assertReason(priceImprovementAtoms(fill, { ...BUY, buyAmount: 0n }, BUY_QUOTE), ofNothing);
});

/** All fees that some price `p / q` gives for this fill and `executedFee`, by trying all prices. */
function feesByTrying(s: bigint, b: bigint, e: bigint, most: bigint): bigint[] {
  const found = new Set<bigint>();
  for (let q = 1n; q <= most; q++) {
    for (let p = 1n; p <= most * most; p++) {
      const fee = (s * p + q - 1n) / q - b;
      if (fee < 0n) continue;
      if (fee * q / p === e) found.add(fee);
      if (fee > most * most) break;
    }
  }
  return [...found].toSorted((one, other) => one < other ? -1 : 1);
}

Deno.test("totalFeeInterval() contains exactly the fees that some price yields", () => {
  let intervals = 0;
  for (let s = 1n; s <= 8n; s++) {
    for (let b = 1n; b <= 8n; b++) {
      for (let e = 0n; e <= s - 2n; e++) {
        const found = feesByTrying(s, b, e, 24n);
        const interval = totalFeeInterval({ sellAmount: s, buyAmount: b }, { executedFee: e });
        if ("reason" in interval) {
          assertEquals(found, [], `${s} ${b} ${e}`);
          continue;
        }
        const { low, high } = interval;
        const whole = Array.from({ length: Number(high - low) + 1 }, (_, at) => low + BigInt(at));
        assertEquals(found, whole, `${s} ${b} ${e}`);
        intervals++;
      }
    }
  }
  assert(intervals > 150);
});

Deno.test("totalFeeInterval() contains the true fee at any price", () => {
  const amounts = fc.bigInt({ min: 1n, max: 2n ** 128n });
  fc.assert(fc.property(amounts, amounts, amounts, amounts, (s, sellPrice, buyPrice, kept) => {
    const before = (s * sellPrice + buyPrice - 1n) / buyPrice;
    const fee = kept % before;
    const fill = { sellAmount: s, buyAmount: before - fee };
    const interval = totalFeeInterval(fill, { executedFee: fee * buyPrice / sellPrice });
    if ("reason" in interval) return assertEquals(interval.reason, "unbounded");
    assert(interval.low <= fee && fee <= interval.high);
  }));
});

Deno.test("totalFeeInterval() of a fee of 0 begins at 0", () => {
  const fill = { sellAmount: 100n, buyAmount: 1_000n };
  // Below an atom of the sell token, which is ten of the buy token.
  assertEquals(totalFeeInterval(fill, { executedFee: 0n }), { low: 0n, high: 10n });
});

Deno.test("totalFeeInterval() does not count the legacy signed fee as sold", () => {
  const fill = { sellAmount: 130n, sellAmountBeforeFees: 100n, buyAmount: 190n };
  assertEquals(totalFeeInterval(fill, { executedFee: 5n }), { low: 10n, high: 12n });
});

Deno.test("totalFeeInterval() gives the reason if there is none", () => {
  const reason = (sellAmount: bigint, buyAmount: bigint, executedFee: bigint) => {
    const result = totalFeeInterval({ sellAmount, buyAmount }, { executedFee });
    return "reason" in result ? result.reason : undefined;
  };
  assertEquals(reason(10n, 10n, 10n), "fee_does_not_fit");
  assertEquals(reason(10n, 10n, 11n), "fee_does_not_fit");
  assertEquals(reason(10n, 10n, -1n), "fee_does_not_fit");
  assertEquals(reason(0n, 0n, 0n), "fee_does_not_fit");
  assertEquals(reason(10n, 0n, 0n), "fee_does_not_fit");
  assertEquals(reason(10n, 10n, 9n), "unbounded");
});
