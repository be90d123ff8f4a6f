import { assert, assertEquals } from "@std/assert";
import { Pool } from "../../../../lib/sandbox/market/liquidity.ts";
import { tradeWithPools, undoTrades } from "../../../../lib/sandbox/market/settlements.ts";

function pools(): [Pool, Pool] {
  return [
    new Pool(["x", "y"], [1_000_000n, 2_000_000n]),
    new Pool(["y", "z"], [500_000n, 500_000n]),
  ];
}

function reserves(...all: Pool[]): bigint[][] {
  return all.map((pool) => pool.tokens.map((token) => pool.reserveOf(token)));
}

Deno.test("tradeWithPools() passes the output of one pool to the next", () => {
  const [xy, yz] = pools();
  const trades = tradeWithPools([{
    route: { from: "x", pools: [xy, yz] },
    paid: 1_000n,
    bound: 1n,
  }]);
  // 2,000,000 * 997,000 / (1,000,000,000 + 997,000) = 1,992.01; then 500,000 * 1,986,024 /
  // (500,000,000 + 1,986,024) = 1,978.17.
  assertEquals(trades?.map(({ token, paid, out }) => [token, paid, out]), [
    ["x", 1_000n, 1_992n],
    ["y", 1_992n, 1_978n],
  ]);
  assertEquals(reserves(xy, yz), [[1_001_000n, 1_998_008n], [501_992n, 498_022n]]);
});

Deno.test("tradeWithPools() pays the input that an exact output requires, and gets no atom more", () => {
  const [xy, yz] = pools();
  const trades = tradeWithPools([
    { route: { from: "x", pools: [xy, yz] }, wanted: 1_978n, bound: 1_000n },
  ]);
  assertEquals(trades?.at(-1)?.out, 1_978n);
  assert(trades![0]!.paid <= 1_000n);
});

Deno.test("tradeWithPools() trades each swap after the ones before it", () => {
  const [xy] = pools();
  const swap = { route: { from: "x", pools: [xy] }, paid: 100_000n, bound: 1n };
  const [first, second] = tradeWithPools([swap, swap])!;
  // 2,000,000 * 99,700,000 / 1,099,700,000 = 181,322.18, then 1,818,678 * 99,700,000 /
  // 1,199,700,000 = 151,139.30.
  assertEquals([first?.out, second?.out], [181_322n, 151_139n]);
});

Deno.test("tradeWithPools() trades nothing if one swap is outside its bound", () => {
  const [xy, yz] = pools();
  const before = reserves(xy, yz);
  const good = { route: { from: "x", pools: [xy] }, paid: 1_000n, bound: 1_992n };
  const route = { from: "y", pools: [yz] };
  assertEquals(tradeWithPools([good, { route, paid: 1_000n, bound: 996n }]), null);
  assertEquals(tradeWithPools([good, { route, wanted: 1_000n, bound: 1_004n }]), null);
  assertEquals(tradeWithPools([good, { route, wanted: 500_000n, bound: 10n ** 9n }]), null);
  assertEquals(reserves(xy, yz), before);
});

Deno.test("undoTrades() restores all reserves", () => {
  const [xy, yz] = pools();
  const before = reserves(xy, yz);
  undoTrades(
    tradeWithPools([
      { route: { from: "x", pools: [xy, yz] }, paid: 12_345n, bound: 1n },
      { route: { from: "z", pools: [yz, xy] }, wanted: 999n, bound: 2_000n },
    ])!,
  );
  assertEquals(reserves(xy, yz), before);
});
