import { assertEquals } from "@std/assert";
import { pricedSide } from "orderlens/metrics";

const EXCHANGE = { sellToken: "0xa1", sellAmount: 7n, buyToken: "0xb2", buyAmount: 9n };

function measured(prices: Readonly<Record<string, bigint>>) {
  return pricedSide(EXCHANGE, (token) => prices[token]);
}

Deno.test("pricedSide() is what was sold, whatever the price of what was bought", () => {
  const sold = { token: "0xa1", atoms: 7n, price: 3n };
  assertEquals(measured({ "0xa1": 3n }), sold);
  assertEquals(measured({ "0xa1": 3n, "0xb2": 5n }), sold);
  assertEquals(measured({ "0xa1": 0n, "0xb2": 5n }), { ...sold, price: 0n });
});

Deno.test("pricedSide() is what was bought where the token sold has no price", () => {
  assertEquals(measured({ "0xb2": 5n }), { token: "0xb2", atoms: 9n, price: 5n });
  assertEquals(measured({ "0xc3": 5n }), null);
});
