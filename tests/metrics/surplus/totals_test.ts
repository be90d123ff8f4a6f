import fc from "fast-check";
import { type OrderPair, totals } from "orderlens/metrics";
import { assertEquals } from "@std/assert";
import { anyAmount, anyFill, anyLimit } from "../amounts.ts";
import { recordedScenario } from "../recorded_scenario.ts";

const WAD = 10n ** 18n;

const sell: OrderPair = {
  kind: "sell",
  sellAmount: 10n,
  buyAmount: 20n,
  sellToken: "0xa1",
  buyToken: "0xb2",
};
const buy: OrderPair = { ...sell, kind: "buy" };

Deno.test("totals() sums each quantity in its own token", () => {
  const sums = totals([
    {
      order: sell,
      fill: { sellAmount: 10n, buyAmount: 25n },
      protocolFees: [{ amount: 3n, token: "0xB2" }, { amount: 1n, token: "0xb2" }],
      executedFee: 2n,
    },
    { order: buy, fill: { sellAmount: 8n, buyAmount: 20n }, protocolFees: [], executedFee: 0n },
  ]);
  const byToken = (total: typeof sums.sold) =>
    total.tokens.map(({ token, atoms }) => [token.toLowerCase(), atoms]);
  assertEquals(sums.fills, 2);
  assertEquals(byToken(sums.sold), [["0xa1", 18n]]);
  assertEquals(byToken(sums.bought), [["0xb2", 45n]]);
  assertEquals(byToken(sums.surplus), [["0xb2", 5n], ["0xa1", 2n]]);
  assertEquals(byToken(sums.protocolFees), [["0xb2", 4n]]);
  assertEquals(byToken(sums.allFees), [["0xa1", 2n]]);
});

Deno.test("totals() values each amount at the price of its own auction, and rounds each down", () => {
  const fill = { sellAmount: 3n, buyAmount: 7n };
  const sums = totals([
    { order: sell, fill, prices: { "0xA1": WAD / 2n } },
    { order: sell, fill, prices: { "0xa1": 2n * WAD } },
    { order: sell, fill, prices: {} },
    { order: sell, fill },
  ]);
  // floor(1.5) + 6, and two that have no price.
  assertEquals(sums.sold, {
    tokens: [{ token: "0xa1", atoms: 12n, nativeAtoms: 7n, unpriced: 2 }],
    nativeAtoms: 7n,
    unpriced: 2,
    unknown: 0,
  });
  assertEquals(sums.bought.unpriced, 4);
});

Deno.test("totals() counts fills without reported fees, which are not fees of 0", () => {
  const sums = totals([{ order: sell, fill: { sellAmount: 10n, buyAmount: 25n } }]);
  assertEquals([sums.protocolFees.unknown, sums.protocolFees.tokens], [1, []]);
  assertEquals([sums.allFees.unknown, sums.sold.unknown], [1, 0]);
});

Deno.test("totals() of no fills are zero", () => {
  const zero = { tokens: [], nativeAtoms: 0n, unpriced: 0, unknown: 0 };
  assertEquals(totals([]), {
    fills: 0,
    sold: zero,
    bought: zero,
    surplus: zero,
    protocolFees: zero,
    allFees: zero,
  });
});

Deno.test("totals() counts the surplus over a limit that fixes nothing as unknown", () => {
  const order = { ...sell, sellAmount: 0n };
  const { surplus, sold } = totals([{ order, fill: { sellAmount: 1n, buyAmount: 1n } }]);
  assertEquals([surplus.tokens, surplus.unknown, sold.unknown], [[], 1, 0]);
});

Deno.test("totals() of parts add up to those of the whole", () => {
  const anyTotalled = fc.record({
    order: anyLimit().map((limit) => ({ ...sell, ...limit })),
    fill: anyFill(),
    prices: fc.option(fc.record({ "0xa1": anyAmount(), "0xb2": anyAmount() }), { nil: undefined }),
  });
  fc.assert(fc.property(fc.array(anyTotalled, { maxLength: 6 }), fc.nat(6), (fills, cut) => {
    const [whole, first, rest] = [fills, fills.slice(0, cut), fills.slice(cut)].map(totals);
    for (const what of ["sold", "bought", "surplus"] as const) {
      assertEquals(
        whole![what].nativeAtoms,
        first![what].nativeAtoms + rest![what].nativeAtoms,
      );
      assertEquals(whole![what].unpriced, first![what].unpriced + rest![what].unpriced);
    }
  }));
});

Deno.test("totals() of a recorded market are the sums of the stored data", async () => {
  const { trades, orders, truth } = await recordedScenario("market_1");
  const sums = totals(
    trades.values().map((fill) => ({
      order: orders.get(fill.orderUid)!,
      fill,
      protocolFees: fill.executedProtocolFees,
    })),
  );
  assertEquals([sums.fills, sums.protocolFees.unknown], [664, 0]);
  for (const { token, atoms } of sums.protocolFees.tokens) {
    const stored = truth!.order_execution!.flatMap((row) =>
      row.protocol_fee_amounts.filter((_, place) => row.protocol_fee_tokens[place] === token)
    );
    assertEquals(atoms, stored.reduce((sum, amount) => sum + BigInt(amount), 0n));
  }
  const sold = sums.sold.tokens.reduce((sum, { atoms }) => sum + atoms, 0n);
  assertEquals(sold, truth!.trades!.reduce((sum, row) => sum + BigInt(row.sell_amount), 0n));
});
