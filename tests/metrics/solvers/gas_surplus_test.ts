import fc from "fast-check";
import { gasAdjustedSurplus, type GasPayingFill } from "orderlens/metrics";
import { assert, assertEquals } from "@std/assert";
import { anyAmount } from "../amounts.ts";

const ETH = 10n ** 18n;

function fill(
  solver: string | null,
  surplus: bigint | null,
  gasCost: bigint | null,
  txHash: string | null = null,
): GasPayingFill {
  return { solver, surplus, gasCost, txHash };
}

Deno.test("gasAdjustedSurplus() is exact, and leaves out fills without surplus or gas", () => {
  const rows = gasAdjustedSurplus([
    fill("0xa", 1_000n * ETH + 1n, 1_000n * ETH),
    fill("0xA", 4n, 7n),
    fill("0xa", -5n, 0n),
    fill("0xa", 9n, null),
    fill(null, null, 3n),
  ]);
  assertEquals(rows, [
    {
      solver: "0xa",
      fills: 3,
      unknownFills: 1,
      surplus: 1_000n * ETH,
      gasCost: 1_000n * ETH + 7n,
      afterGas: -7n,
      belowGas: 2,
    },
    {
      solver: null,
      fills: 0,
      unknownFills: 1,
      ...{ surplus: null, gasCost: null, afterGas: null },
      belowGas: 0,
    },
  ]);
});

Deno.test("gasAdjustedSurplus() splits the gas of a settlement over its trades, rounded down", () => {
  const settlements = [
    { txHash: "0xAA", gasCost: 100n, tradeCount: 3 },
    { txHash: "0xbb", gasCost: null, tradeCount: 1 },
    { txHash: "0xcc", gasCost: 9n, tradeCount: 0 },
  ];
  const [row] = gasAdjustedSurplus([
    fill("0xa", 40n, null, "0xaa"),
    fill("0xa", 40n, null, "0xaa"),
    // What the answer says comes first.
    fill("0xa", 40n, 50n, "0xaa"),
    fill("0xa", 40n, null, "0xbb"),
    fill("0xa", 40n, null, "0xcc"),
    fill("0xa", 40n, null, "0xdd"),
    fill("0xa", 40n, null),
  ], settlements);
  assertEquals([row?.fills, row?.unknownFills], [3, 4]);
  assertEquals([row?.gasCost, row?.afterGas, row?.belowGas], [33n + 33n + 50n, 4n, 1]);
});

Deno.test("gasAdjustedSurplus() adds up to the surplus of all fills less their gas, for any fills", () => {
  const anyFill = fc.record({
    solver: fc.constantFrom("0xa", "0xb", null),
    surplus: fc.option(fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n })),
    gasCost: fc.option(anyAmount()),
    txHash: fc.constantFrom("0xaa", "0xbb", null),
  });
  const anyGas = fc.record({
    txHash: fc.constantFrom("0xaa", "0xbb"),
    gasCost: fc.option(anyAmount()),
    tradeCount: fc.option(fc.integer({ min: 0, max: 5 })),
  });
  fc.assert(fc.property(fc.array(anyFill), fc.array(anyGas, { maxLength: 2 }), (fills, gas) => {
    const rows = gasAdjustedSurplus(fills, gas);
    assertEquals(
      rows.reduce((sum, one) => sum + one.fills + one.unknownFills, 0),
      fills.length,
    );
    for (const { surplus, gasCost, afterGas, belowGas, fills } of rows) {
      if (afterGas === null) {
        assertEquals([surplus, gasCost, belowGas, fills], [null, null, 0, 0]);
        continue;
      }
      assertEquals(afterGas + gasCost!, surplus);
      assert(fills > 0 && belowGas <= fills && (afterGas >= 0n || belowGas > 0));
    }
  }));
});
