import { isNotComputable, surplusBpsOfQuote } from "orderlens/metrics";
import { ratio, ratioToNumber } from "orderlens/units";
import { assert, assertEquals } from "@std/assert";
import { assertReason } from "../assert_reason.ts";

Deno.test("surplusBpsOfQuote() scales a gross quote to the fill without rounding it", () => {
  const order = { kind: "sell", sellAmount: 3n, buyAmount: 9n } as const;
  const quote = { sellAmount: 3n, buyAmount: 10n, fee: 1n };
  // Surplus 4 - 3 of a scaled quote of 10 / 3.
  assertEquals(
    surplusBpsOfQuote({ sellAmount: 1n, buyAmount: 4n }, order, quote),
    ratio(10_000n * 3n, 10n),
  );
});

Deno.test("surplusBpsOfQuote() of a buy order divides by the quoted sell amount", () => {
  const order = { kind: "buy", sellAmount: 2_100n, buyAmount: 10n } as const;
  const quote = { sellAmount: 2_000n, buyAmount: 10n, fee: 1n };
  const bps = surplusBpsOfQuote({ sellAmount: 2_050n, buyAmount: 10n }, order, quote);
  assert(!isNotComputable(bps));
  assertEquals(ratioToNumber(bps), 250);
});

Deno.test("surplusBpsOfQuote() gives a reason if the scaled quote is 0 or has no price", () => {
  const order = { kind: "sell", sellAmount: 10n, buyAmount: 5n } as const;
  const fill = { sellAmount: 10n, buyAmount: 6n };
  const nothing = { sellAmount: 10n, buyAmount: 0n, fee: 0n };
  assertReason(surplusBpsOfQuote(fill, order, nothing), "zero_baseline");
  const quote = { sellAmount: 10n, buyAmount: 7n, fee: 0n };
  const none = { sellAmount: 0n, buyAmount: 0n };
  assertReason(surplusBpsOfQuote(none, order, quote), "nothing_executed");
  const free = { sellAmount: 0n, buyAmount: 7n, fee: 0n };
  assertReason(surplusBpsOfQuote(fill, order, free), "quote_without_price");
});
