import fc from "fast-check";
import { assert, assertEquals } from "@std/assert";
import {
  debugFeePolicy,
  networkFee,
  type OrderLimit,
  policiesByAuction,
  priceImprovementAtoms,
  totalFeeInterval,
} from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { chargeFees, recomputeFees } from "../../../lib/metrics/mod.ts";
import { assertReason, buys, computed, fill, quoted, sells } from "../fixtures.ts";
import { debugAuctionOf, orderOf, proposedOf, reportOf } from "../reports.ts";

const ONE = 10n ** 18n;
const sell = sells(ONE, 2_000_000_000n);
const half = { surplus: { factor: 0.5, maxVolumeFactor: 0.9 } };

Deno.test("chargeFees() deducts fees from the amount a sale buys, and adds them to the amount a purchase sells", () => {
  const sale = (...policies: FeePolicy[]) => {
    const charged = computed(chargeFees(fill(ONE, 2_200_000_000n), sell, { policies }));
    assertEquals(charged.sellAmount, ONE);
    return charged.buyAmount;
  };
  // 100 USDC of 2,200 are left of a surplus of 200; 1% of the volume is 22.
  assertEquals(sale(half), 2_100_000_000n);
  assertEquals(sale({ surplus: { factor: 0.5, maxVolumeFactor: 0.01 } }), 2_178_000_000n);
  // Nothing without an improvement, nor over a quote without a price.
  const over = (quote: ReturnType<typeof quoted>) =>
    sale({ priceImprovement: { factor: 0.5, maxVolumeFactor: 0.9, quote } });
  assertEquals(over(quoted(ONE, 2_300_000_000n)), 2_200_000_000n);
  assertEquals(over(quoted(0n, 2_000_000_000n)), 2_200_000_000n);
  const policies = [{ volume: { factor: 0.001 } }];
  const bought = chargeFees(fill(2_000_000_000n, ONE), buys(2_100_000_000n, ONE), { policies });
  assertEquals(bought, fill(2_002_000_000n, ONE));
  const free = chargeFees(fill(ONE, 2_200_000_000n), sells(0n, 2_000_000_000n), {
    policies: [half],
  });
  assertReason(free, "limit_without_price");
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

Deno.test("debugFeePolicy() is null if a factor is missing, and keeps a kind that it does not know", () => {
  for (const kind of ["volume", "surplus", "priceImprovement"]) {
    const partial = { kind, surplusFactor: 0.5, priceImprovementFactor: 0.5 };
    assertEquals(debugFeePolicy(partial), null, kind);
  }
  assertEquals(Object.keys(debugFeePolicy({ kind: "dutchAuction" }) ?? {}), ["dutchAuction"]);
});

Deno.test("policiesByAuction() reads missing policies as none only for orders of a winner", () => {
  const report = reportOf({
    order: orderOf({ uid: "0x0F" }),
    auctions: [
      debugAuctionOf(1, { proposedSolutions: [proposedOf({ isWinner: false })] }),
      debugAuctionOf(2, { proposedSolutions: [proposedOf()] }),
      debugAuctionOf(3, {
        proposedSolutions: [proposedOf()],
        feePolicies: [{ kind: "volume", volumeFactor: 0.1 }],
      }),
      debugAuctionOf(4, { proposedSolutions: [proposedOf()], feePolicies: [{ kind: "volume" }] }),
    ],
  });
  const policies = policiesByAuction({ debugReports: [report] });
  assertEquals([...policies.keys()], [2, 3]);
  assertEquals(policies.get(2)?.get("0x0f"), []);
  assertEquals(policies.get(3)?.get("0x0f"), [{ volume: { factor: 0.1 } }]);
  assertEquals(policiesByAuction({}).size, 0);
});

const SELL_QUOTE = quoted(ONE, 2_080_000_000n, 5n * 10n ** 15n);
const BUY_QUOTE = quoted(2_060_000_000n, ONE, 3_000_000n);

Deno.test("priceImprovementAtoms() scales a quote to the order, rounded down to whole atoms", () => {
  // 40 for 3 are 133.3 for 10, and 20 for 3 are 66.7 for 10.
  assertEquals(priceImprovementAtoms(fill(10n, 143n), sells(10n, 100n), quoted(3n, 40n)), 10n);
  assertEquals(priceImprovementAtoms(fill(60n, 10n), buys(100n, 10n), quoted(20n, 3n)), 6n);
});

Deno.test("priceImprovementAtoms() gives a reason for a quote or a limit without a price", () => {
  const reason = (order: OrderLimit, quote: typeof SELL_QUOTE, expected: string) =>
    assertReason(priceImprovementAtoms(fill(ONE, 2_100_000_000n), order, quote), expected);
  const [forNothing, ofNothing] = ["quote_without_price", "limit_without_price"];
  reason(sell, { ...SELL_QUOTE, sellAmount: 0n }, forNothing);
  reason(buys(2_100_000_000n, ONE), { ...BUY_QUOTE, buyAmount: 0n }, forNothing);
  reason(sells(0n, 2_000_000_000n), SELL_QUOTE, ofNothing);
  reason(buys(2_100_000_000n, 0n), BUY_QUOTE, ofNothing);
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
  for (let s = 1n; s <= 6n; s++) {
    for (let b = 1n; b <= 6n; b++) {
      for (let e = 0n; e <= s - 2n; e++) {
        const found = feesByTrying(s, b, e, 18n);
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
  assert(intervals > 60, `${intervals}`);
});

Deno.test("totalFeeInterval() begins at 0, does not count the signed fee as sold, or gives a reason", () => {
  // Below an atom of the sell token, which is ten of the buy token.
  assertEquals(totalFeeInterval(fill(100n, 1_000n), { executedFee: 0n }), { low: 0n, high: 10n });
  const signed = { ...fill(130n, 190n), sellAmountBeforeFees: 100n };
  assertEquals(totalFeeInterval(signed, { executedFee: 5n }), { low: 10n, high: 12n });
  const none = [[10n, 10n, 10n], [10n, 10n, 11n], [10n, 10n, -1n], [0n, 0n, 0n], [10n, 0n, 0n]];
  for (const [sold, bought, executedFee] of none) {
    assertReason(
      totalFeeInterval(fill(sold!, bought!), { executedFee: executedFee! }),
      "fee_does_not_fit",
    );
  }
  assertReason(totalFeeInterval(fill(10n, 10n), { executedFee: 9n }), "unbounded");
});

const SALE = {
  kind: "sell",
  sellAmount: 100n,
  buyAmount: 180n,
  sellToken: "0xa1",
  buyToken: "0xb2",
} as const;
const PURCHASE = { ...SALE, kind: "buy", sellAmount: 70n, buyAmount: 100n } as const;
const PRICES = { tokens: ["0xa1", "0xb2", "0xb2"], clearingPrices: [2n, 1n, 7n] };

const exact = (low: bigint, high = low) => ({ low, high });

Deno.test("networkFee() is the difference to uniform prices, or to the reported fee, beyond protocol fees", () => {
  const protocolFees = [{ amount: 1n }, { amount: 2n }];
  const fill = { sellAmount: 100n, buyAmount: 190n, executedProtocolFees: [{ amount: 4n }] };
  const whole = { totalAtoms: exact(10n), protocolAtoms: 4n, networkAtoms: exact(6n) };
  const sale = { basis: "settlement", ...whole, executedFee: 5n } as const;
  assertEquals(networkFee(fill, SALE, { settlement: PRICES }), sale);
  const bought = { sellAmount: 60n, buyAmount: 100n };
  const parts = { totalAtoms: exact(10n), protocolAtoms: 3n, networkAtoms: exact(7n) };
  for (
    const [basis, source] of [
      ["settlement", { settlement: PRICES }],
      ["executed_fee", { executedFee: 10n }],
    ] as const
  ) {
    const fee = networkFee(bought, PURCHASE, { ...source, protocolFees });
    assertEquals(fee, { basis, ...parts, executedFee: 10n });
  }
  // 100 at 2 for 3 are 66.7, paid out as 67: a fee of 7, which is 10.5 of what was sold.
  const uneven = { ...PRICES, clearingPrices: [2n, 3n, 7n] };
  const rounded = computed(networkFee({ ...fill, buyAmount: 60n }, SALE, { settlement: uneven }));
  assertEquals([rounded.networkAtoms, rounded.executedFee], [exact(3n), 10n]);
  const none = { settlement: PRICES, protocolFees: [] };
  const free = [
    networkFee({ sellAmount: 100n, buyAmount: 200n }, SALE, none),
    networkFee({ sellAmount: 50n, buyAmount: 100n }, PURCHASE, none),
  ];
  for (const fee of free) assertEquals(computed(fee).totalAtoms, exact(0n));
});

Deno.test("networkFee() names the missing or inconsistent input", () => {
  const sold = { sellAmount: 100n, buyAmount: 190n, executedProtocolFees: [] };
  const { executedProtocolFees: _, ...bare } = sold;
  const free = { tokens: ["0xa1", "0xb2"], clearingPrices: [0n, 1n] };
  const settlement = PRICES;
  const cases: [reason: string, ...Parameters<typeof networkFee>][] = [
    ["no_settlement_or_executed_fee", sold, SALE, {}],
    ["no_protocol_fees", bare, SALE, { executedFee: 1n }],
    ["token_not_in_settlement", sold, SALE, { settlement: { ...free, tokens: ["0xa1"] } }],
    ["zero_price", sold, SALE, { settlement: free }],
    ["unbounded", sold, SALE, { executedFee: 99n }],
    ["fee_does_not_fit", sold, SALE, { executedFee: 100n }],
    // Better than the uniform prices.
    ["fee_does_not_fit", { ...sold, buyAmount: 201n }, SALE, { settlement }],
    ["fee_does_not_fit", { ...sold, sellAmount: 49n, buyAmount: 100n }, PURCHASE, { settlement }],
  ];
  for (const [reason, ...given] of cases) assertReason(networkFee(...given), reason);
});
