import { surplusBpsOfExecuted } from "orderlens/metrics";
import { ratio } from "orderlens/units";
import { assertEquals } from "@std/assert";
import { assertReason } from "../assert_reason.ts";

Deno.test("surplusBpsOfExecuted() of a sell order divides by the bought amount", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 2_000n } as const;
  const fill = { sellAmount: 10n, buyAmount: 2_100n };
  assertEquals(surplusBpsOfExecuted(fill, order), ratio(1_000_000n, 2_100n));
});

Deno.test("surplusBpsOfExecuted() of a buy order divides by the sold amount, without the signed fee", () => {
  const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 10n } as const;
  const fill = { sellAmount: 2_010n, sellAmountBeforeFees: 2_000n, buyAmount: 10n };
  assertEquals(surplusBpsOfExecuted(fill, order), ratio(1_000_000n, 2_000n));
});

Deno.test("surplusBpsOfExecuted() gives a reason if nothing was executed", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 2_000n } as const;
  const none = { sellAmount: 0n, buyAmount: 0n };
  assertReason(surplusBpsOfExecuted(none, order), "nothing_executed");
  assertReason(surplusBpsOfExecuted(none, { ...order, sellAmount: 0n }), "limit_without_price");
});
