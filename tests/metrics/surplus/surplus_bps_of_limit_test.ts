import fc from "fast-check";
import { isNotComputable, scaledLimit, surplusAtoms, surplusBpsOfLimit } from "orderlens/metrics";
import { ratio } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { anyFill, anyLimit } from "../amounts.ts";
import { assertReason, computed } from "../assert_reason.ts";

Deno.test("surplusBpsOfLimit() divides by the limit of the filled part", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 20_000n } as const;
  assertEquals(
    surplusBpsOfLimit({ sellAmount: 3n, buyAmount: 6_100n }, order),
    ratio(100n * 10_000n, 6_000n),
  );
});

Deno.test("surplusBpsOfLimit() of a buy order divides by its maximum cost", () => {
  const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 10n } as const;
  assertEquals(
    surplusBpsOfLimit({ sellAmount: 2_000n, buyAmount: 10n }, order),
    ratio(100n * 10_000n, 2_100n),
  );
});

Deno.test("surplusBpsOfLimit() is negative below the limit, and 0 at it", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 100n } as const;
  assertEquals(
    surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 99n }, order),
    ratio(-10_000n, 100n),
  );
  assertEquals(surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 100n }, order), ratio(0n, 100n));
});

Deno.test("surplusBpsOfLimit() gives a reason for an order that would sell for nothing", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 0n } as const;
  assertReason(surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 5n }, order), "zero_baseline");
  const free = { ...order, sellAmount: 0n };
  assertReason(surplusBpsOfLimit({ sellAmount: 10n, buyAmount: 5n }, free), "limit_without_price");
});

Deno.test("surplusBpsOfLimit() times the limit is the surplus", () => {
  fc.assert(fc.property(anyFill(), anyLimit(), (fill, order) => {
    const bps = surplusBpsOfLimit(fill, order);
    const limit = scaledLimit(fill, order);
    if (isNotComputable(bps)) return assertEquals(limit, 0n);
    assert(bps.denominator === limit);
    assertEquals(bps.numerator, 10_000n * computed(surplusAtoms(fill, order)));
  }));
});
