import fc from "fast-check";
import { decomposeSlippage } from "orderlens/metrics";
import type { FeePolicy } from "orderlens/schemas";
import { assert, assertEquals } from "@std/assert";
import { anyAmount, anyFill, anyLimit, anyQuote, computed, reasonOf } from "../fixtures.ts";

const VOLUME: FeePolicy = { volume: { factor: 0.02 } };
const ORDER = {
  kind: "sell",
  sellAmount: 100n,
  buyAmount: 180n,
  sellToken: "0xa1",
  buyToken: "0xb2",
  quote: { sellAmount: 100n, buyAmount: 205n, fee: 2n },
  fullAppData: '{"metadata":{"partnerFee":{"volumeBps":200,"recipient":"0x' + "a1".repeat(20) +
    '"}}}',
} as const;
const FILL = {
  sellAmount: 100n,
  buyAmount: 190n,
  executedProtocolFees: [{ policy: VOLUME, amount: 4n }, { policy: VOLUME, amount: 3n }],
};
const PRICES = { tokens: ["0xa1", "0xb2"], clearingPrices: [2n, 1n] };

type Parts = Exclude<ReturnType<typeof decomposeSlippage>, { reason: string }>;

function assertAddsUp(parts: Parts): void {
  const { totalAtoms, networkCostAtoms, protocolFeeAtoms, partnerFeeAtoms, marketAtoms } = parts;
  const fees = protocolFeeAtoms + partnerFeeAtoms;
  assertEquals(networkCostAtoms.low + fees + marketAtoms.high, totalAtoms);
  assertEquals(networkCostAtoms.high + fees + marketAtoms.low, totalAtoms);
}

Deno.test("decomposeSlippage() separates partner fees from protocol fees", () => {
  assertEquals(decomposeSlippage(FILL, ORDER, { settlement: PRICES }), {
    totalAtoms: -15n,
    networkCostAtoms: { low: -3n, high: -3n },
    protocolFeeAtoms: -4n,
    partnerFeeAtoms: -3n,
    marketAtoms: { low: -5n, high: -5n },
    basis: "settlement",
  });
});

Deno.test("decomposeSlippage() without calldata returns an interval, which adds up at both ends", () => {
  const parts = computed(decomposeSlippage(FILL, ORDER, { executedFee: 5n }));
  assertEquals(parts.networkCostAtoms, { low: -5n, high: -3n });
  assertEquals(parts.marketAtoms, { low: -5n, high: -3n });
  assertEquals(parts.basis, "executed_fee");
  assertAddsUp(parts);
});

Deno.test("decomposeSlippage() uses the order's fees only if the fill is the whole order", () => {
  const whole = {
    ...ORDER,
    executedSellAmount: 100n,
    executedBuyAmount: 190n,
    executedFee: 5n,
  };
  assertEquals(computed(decomposeSlippage(FILL, whole)).basis, "executed_fee");
  const more = { ...whole, executedSellAmount: 200n, executedBuyAmount: 380n };
  const result = decomposeSlippage(FILL, more);
  assertEquals(reasonOf(result), "no_settlement_or_executed_fee");
});

Deno.test("decomposeSlippage() gives the reason if it is not computable", () => {
  const reason = (fill: object, order: object, options = {}) => {
    return reasonOf(decomposeSlippage({ ...FILL, ...fill }, { ...ORDER, ...order }, {
      settlement: PRICES,
      ...options,
    }));
  };
  assertEquals(reason({}, { quote: null }), "no_quote");
  assertEquals(reason({}, { fullAppData: null }), "unknown_fee_origin");
  assertEquals(reason({}, {}, { appData: null }), "unknown_fee_origin");
  assertEquals(reason({ executedProtocolFees: undefined }, {}), "no_protocol_fees");
  assertEquals(reason({ buyAmount: 0n, sellAmount: 0n }, {}), "nothing_executed");
  assertEquals(reason({}, { sellToken: "0xc3" }), "token_not_in_settlement");
});

Deno.test("decomposeSlippage() adds up for any amounts", () => {
  let added = 0;
  const fees = fc.array(fc.record({ policy: fc.constant(VOLUME), amount: anyAmount() }), {
    maxLength: 3,
  });
  fc.assert(fc.property(
    anyFill(),
    anyLimit(),
    anyQuote(),
    fees,
    fc.tuple(anyAmount(1n), anyAmount(1n)),
    anyAmount(),
    fc.boolean(),
    (fill, limit, quote, executedProtocolFees, clearingPrices, executedFee, hasCalldata) => {
      const order = { ...limit, quote, sellToken: "0xa1", buyToken: "0xb2", fullAppData: "{}" };
      const result = decomposeSlippage({ ...fill, executedProtocolFees }, order, {
        ...(hasCalldata ? { settlement: { ...PRICES, clearingPrices } } : {}),
        executedFee,
      });
      if ("reason" in result) return;
      assertAddsUp(result);
      added++;
    },
  ));
  assert(added > 20);
});
