import fc from "fast-check";
import { totalFeeInterval } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";

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
