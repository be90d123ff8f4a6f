import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { chargeFees, recomputeFees } from "../../../lib/metrics/mod.ts";
import { assertReason, computed } from "../assert_reason.ts";

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
