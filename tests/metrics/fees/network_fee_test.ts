import { decodeSettlement } from "orderlens/evm";
import { networkFee } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { recordedFills } from "../recorded_run.ts";
import { computed, reasonOf } from "../assert_reason.ts";

const SELL = {
  kind: "sell",
  sellAmount: 100n,
  buyAmount: 180n,
  sellToken: "0xa1",
  buyToken: "0xb2",
} as const;
const BUY = { ...SELL, kind: "buy", sellAmount: 70n, buyAmount: 100n } as const;
const PRICES = { tokens: ["0xa1", "0xb2", "0xb2"], clearingPrices: [2n, 1n, 7n] };

const exact = (low: bigint, high = low) => ({ low, high });

Deno.test("networkFee() is the difference to uniform prices, or to the reported fee, beyond protocol fees", () => {
  const protocolFees = [{ amount: 1n }, { amount: 2n }];
  const fill = { sellAmount: 100n, buyAmount: 190n, executedProtocolFees: [{ amount: 4n }] };
  const whole = { totalAtoms: exact(10n), protocolAtoms: 4n, networkAtoms: exact(6n) };
  const sale = { basis: "settlement", ...whole, executedFee: 5n } as const;
  assertEquals(networkFee(fill, SELL, { settlement: PRICES }), sale);
  const bought = { sellAmount: 60n, buyAmount: 100n };
  const parts = { totalAtoms: exact(10n), protocolAtoms: 3n, networkAtoms: exact(7n) };
  for (
    const [basis, source] of [
      ["settlement", { settlement: PRICES }],
      ["executed_fee", { executedFee: 10n }],
    ] as const
  ) {
    const fee = networkFee(bought, BUY, { ...source, protocolFees });
    assertEquals(fee, { basis, ...parts, executedFee: 10n });
  }
});

Deno.test("networkFee() rounds as the settlement contract does: outputs up, inputs down", () => {
  const prices = { tokens: ["0xa1", "0xb2"], clearingPrices: [10n, 3n] };
  const sold = computed(
    networkFee({ sellAmount: 1n, buyAmount: 3n, executedProtocolFees: [] }, SELL, {
      settlement: prices,
    }),
  );
  // ceil(10 / 3) - 3 = 1 of the buy token, floor(3 / 10) of the sell token.
  assertEquals([sold.totalAtoms.low, sold.executedFee], [1n, 0n]);
  const bought = computed(
    networkFee({ sellAmount: 2n, buyAmount: 5n, executedProtocolFees: [] }, BUY, {
      settlement: prices,
    }),
  );
  // 2 - floor(5 * 3 / 10).
  assertEquals(bought.totalAtoms.low, 1n);
});

Deno.test("networkFee() names what is missing", () => {
  const fill = { sellAmount: 100n, buyAmount: 190n, executedProtocolFees: [] };
  assertEquals(reasonOf(networkFee(fill, SELL, {})), "no_settlement_or_executed_fee");
  const { executedProtocolFees: _, ...bare } = fill;
  assertEquals(reasonOf(networkFee(bare, SELL, { executedFee: 1n })), "no_protocol_fees");
  const other = { tokens: ["0xa1"], clearingPrices: [1n] };
  assertEquals(reasonOf(networkFee(fill, SELL, { settlement: other })), "token_not_in_settlement");
  const free = { tokens: ["0xa1", "0xb2"], clearingPrices: [0n, 1n] };
  assertEquals(reasonOf(networkFee(fill, SELL, { settlement: free })), "zero_price");
  assertEquals(reasonOf(networkFee(fill, SELL, { executedFee: 99n })), "unbounded");
  assertEquals(reasonOf(networkFee(fill, SELL, { executedFee: 100n })), "fee_does_not_fit");
});

Deno.test("networkFee() rejects a fill that is better than its uniform prices", () => {
  const fill = { sellAmount: 100n, buyAmount: 201n, executedProtocolFees: [] };
  assertEquals(reasonOf(networkFee(fill, SELL, { settlement: PRICES })), "fee_does_not_fit");
  const bought = { sellAmount: 49n, buyAmount: 100n, executedProtocolFees: [] };
  assertEquals(reasonOf(networkFee(bought, BUY, { settlement: PRICES })), "fee_does_not_fit");
});

Deno.test("networkFee() equals executedFee of the fills of other runs, to the atom, from calldata", async () => {
  const fills = await recordedFills();
  for (const { run, order, trade, executedFee, input } of fills) {
    const settlement = decodeSettlement(input);
    const exact = computed(networkFee(trade, order, { settlement }));
    assertEquals(exact.executedFee, executedFee, `${run} ${trade.orderUid}`);
    const { low, high } = computed(networkFee(trade, order, { executedFee })).totalAtoms;
    assert(low <= exact.totalAtoms.low && exact.totalAtoms.high <= high);
  }
  assertEquals(fills.length, 171);
});
