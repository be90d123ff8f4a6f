import { assert, assertEquals } from "@std/assert";
import { feePoliciesOf } from "../../../../lib/sandbox/market/fee_policies_of.ts";
import { QUOTE as quote } from "../book_orders.ts";

const recipient = `0x${"9a".repeat(20)}`;
const SHARE = { factor: 0.5, maxVolumeFactor: 0.0098 };
const VOLUME = { volume: { factor: 0.0002 } };

const stored = { sellAmount: 1_000n, buyAmount: 2_000n, fee: 10n };

function orderFor(buyAmount: bigint) {
  return { kind: "sell", sellAmount: 1_000n, buyAmount } as const;
}

Deno.test("feePoliciesOf() charges price improvement of in-market orders", () => {
  // The quote is worth 2,000 less 10 * 2,000 / 1,000: 1,980.
  assertEquals(feePoliciesOf({ order: orderFor(1_980n), quote, partnerFees: [] }), [
    { priceImprovement: { ...SHARE, quote: stored } },
    VOLUME,
  ]);
});

Deno.test("feePoliciesOf() charges surplus of out-of-market orders, and of those without a quote", () => {
  const policies = [{ surplus: SHARE }, VOLUME];
  assertEquals(feePoliciesOf({ order: orderFor(1_981n), quote, partnerFees: [] }), policies);
  assertEquals(feePoliciesOf({ order: orderFor(1n), quote: null, partnerFees: [] }), policies);
});

Deno.test("feePoliciesOf() charges partner fees of every form, after the protocol's", () => {
  const [, , ...partners] = feePoliciesOf({
    order: orderFor(1n),
    quote,
    partnerFees: [
      { bps: 10, recipient },
      { volumeBps: 20, recipient },
      { surplusBps: 2_500, maxVolumeBps: 30, recipient },
      { priceImprovementBps: 10_000, maxVolumeBps: 5, recipient },
    ],
  });
  assertEquals(partners, [
    { volume: { factor: 0.001 } },
    { volume: { factor: 0.002 } },
    { surplus: { factor: 0.25, maxVolumeFactor: 0.003 } },
    // A factor of 1 could not be inverted.
    { priceImprovement: { factor: 0.99, maxVolumeFactor: 0.0005, quote: stored } },
  ]);
});

Deno.test("feePoliciesOf() charges surplus if a partner asks for improvement without a quote", () => {
  const partnerFees = [{ priceImprovementBps: 3_000, maxVolumeBps: 40, recipient }];
  assertEquals(feePoliciesOf({ order: orderFor(1n), quote: null, partnerFees }).at(-1), {
    surplus: { factor: 0.3, maxVolumeFactor: 0.004 },
  });
});

Deno.test("feePoliciesOf() charges all partners together at most 1%, and never less than 0", () => {
  const volumes = (...bps: number[]) =>
    feePoliciesOf({
      order: orderFor(1n),
      quote,
      partnerFees: bps.map((volumeBps) => ({ volumeBps, recipient })),
    }).slice(2).map(({ volume }) => volume!.factor);
  // (1 + 1%) / (1 + 0.8%) - 1
  assertEquals(volumes(80, 90), [0.008, 1.01 / 1.008 - 1]);
  const factors = volumes(76, 17, 100, 100);
  assert(Math.abs(factors.reduce((all, factor) => all * (1 + factor), 1) - 1.01) < 1e-12);
  assertEquals(factors.at(-1), 0);
});
