import { surplusBpsBeforeFees } from "orderlens/metrics";
import { ratio } from "orderlens/units";
import { assertEquals } from "@std/assert";
import { assertReason } from "../assert_reason.ts";

Deno.test("surplusBpsBeforeFees() adds fees to the bought amount of a sell order", () => {
  const order = { kind: "sell", sellAmount: 1n, buyAmount: 1_800n } as const;
  const fill = { sellAmount: 1n, buyAmount: 1_900n };
  assertEquals(
    surplusBpsBeforeFees(fill, order, { feeAtoms: 100n }),
    ratio(1_000_000n, 2_000n),
  );
});

Deno.test("surplusBpsBeforeFees() subtracts fees from the sold amount of a buy order", () => {
  const order = { kind: "buy", sellAmount: 2_200n, buyAmount: 1n } as const;
  const fill = { sellAmount: 2_100n, buyAmount: 1n };
  assertEquals(
    surplusBpsBeforeFees(fill, order, { feeAtoms: 100n }),
    ratio(1_000_000n, 2_000n),
  );
});

Deno.test("surplusBpsBeforeFees() gives a reason if fees are the whole amount", () => {
  const buy = { kind: "buy", sellAmount: 10n, buyAmount: 1n } as const;
  const fill = { sellAmount: 5n, buyAmount: 1n };
  assertReason(surplusBpsBeforeFees(fill, buy, { feeAtoms: 5n }), "fees_above_volume");
  assertReason(surplusBpsBeforeFees(fill, buy, { feeAtoms: 6n }), "fees_above_volume");
  const sell = { kind: "sell", sellAmount: 5n, buyAmount: 0n } as const;
  assertReason(
    surplusBpsBeforeFees({ sellAmount: 5n, buyAmount: 0n }, sell, { feeAtoms: 0n }),
    "nothing_executed",
  );
});
