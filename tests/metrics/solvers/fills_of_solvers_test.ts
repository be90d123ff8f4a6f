import fc from "fast-check";
import {
  cowShares,
  gasAdjustedSurplus,
  type GasPayingFill,
  windowedConcentration,
  type WindowedFill,
} from "orderlens/metrics";
import { compareRatios, ratio } from "orderlens/units";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { anyAmount } from "../fixtures.ts";

// A Tuesday, which begins an accounting week; one millisecond before is the last of another.
const TUESDAY = Date.UTC(2026, 10, 24);

function fill(solver: string | null, volume: bigint | null, more: Partial<WindowedFill> = {}) {
  return { solver, volume, sellToken: "0x1", buyToken: "0x2", filledAt: TUESDAY, ...more };
}

Deno.test("windowedConcentration() counts a letter case of a solver or a token as the same", () => {
  const [, pair, ...others] = windowedConcentration([
    fill("0xa", 1n),
    fill("0xA", 1n, { sellToken: "0X1" }),
  ]);
  assertEquals([pair?.window, pair?.solvers, others.length], ["0x1 0x2", 1, 1]);
});

Deno.test("windowedConcentration() is unknown without volume, and sizes are powers of ten", () => {
  const zero = windowedConcentration([fill("0xa", 0n), fill("0xa", null)]);
  assertEquals(zero.map(({ kind }) => kind), ["week", "pair"]);
  assertEquals([zero[0]?.herfindahl, zero[0]?.equalSolvers, zero[0]?.fills], [null, null, 1]);
  const sizes = [10n ** 18n - 1n, 10n ** 18n, 10n ** 19n].map((volume) =>
    windowedConcentration([fill("0xa", volume)]).find(({ kind }) => kind === "size")?.window
  );
  assertEquals(sizes, ["1e-1", "1e0", "1e1"]);
  assertEquals(windowedConcentration([]), []);
});

Deno.test("windowedConcentration() rejects a negative volume", () => {
  assertThrows(() => windowedConcentration([fill("0xa", -1n)]), RangeError, "must not be negative");
});

Deno.test("windowedConcentration() keeps every fill and its volume, for any fills", () => {
  const anyFill = fc.record({
    sellToken: fc.constantFrom("0x1", "0x2"),
    buyToken: fc.constantFrom("0x1", "0x3"),
    solver: fc.constantFrom("0xa", "0xb", "0xc", null),
    volume: fc.option(anyAmount()),
    filledAt: fc.option(fc.integer({ min: 0, max: 4e12 })),
  });
  fc.assert(fc.property(fc.array(anyFill, { maxLength: 12 }), (fills) => {
    const windows = windowedConcentration(fills);
    const pairs = windows.filter(({ kind }) => kind === "pair");
    const known = fills.filter(({ solver, volume }) => solver !== null && volume !== null);
    assertEquals(pairs.reduce((sum, one) => sum + one.fills + one.unknownFills, 0), fills.length);
    assertEquals(
      pairs.reduce((sum, { volume }) => sum + volume, 0n),
      known.reduce((sum, { volume }) => sum + volume!, 0n),
    );
    for (const { equalSolvers, solvers } of windows) {
      if (equalSolvers === null) continue;
      assert(compareRatios(equalSolvers, ratio(1n, 1n)) >= 0);
      assert(compareRatios(equalSolvers, ratio(BigInt(solvers), 1n)) <= 0);
    }
  }));
});

function paid(
  solver: string | null,
  surplus: bigint | null,
  gasCost: bigint | null,
  txHash: string | null = null,
): GasPayingFill {
  return { solver, surplus, gasCost, txHash };
}

Deno.test("gasAdjustedSurplus() splits the gas of a settlement over its trades, rounded down", () => {
  const settlements = [
    { txHash: "0xAA", gasCost: 100n, tradeCount: 3 },
    { txHash: "0xbb", gasCost: null, tradeCount: 1 },
    { txHash: "0xcc", gasCost: 9n, tradeCount: 0 },
  ];
  const [row] = gasAdjustedSurplus([
    paid("0xa", 40n, null, "0xaa"),
    paid("0xa", 40n, null, "0xaa"),
    // What the answer says comes first.
    paid("0xa", 40n, 50n, "0xaa"),
    paid("0xa", 40n, null, "0xbb"),
    paid("0xa", 40n, null, "0xcc"),
    paid("0xa", 40n, null, "0xdd"),
    paid("0xa", 40n, null),
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

Deno.test("cowShares() counts a trade of a token for itself once", () => {
  const [share, ...others] = cowShares([
    { txHash: "0xa1", sellToken: "0x0a", sellAmount: 10n, buyToken: "0x0A", buyAmount: 9n },
  ]);
  assertEquals([share?.trades.length, share?.sold, share?.bought, others.length], [1, 10n, 9n, 0]);
});

Deno.test("cowShares() never match more than is sold or bought, and lose no atom, for any trades", () => {
  const token = fc.constantFrom("0x0a", "0x0b", "0x0c");
  const anyTrade = fc.record({
    txHash: fc.constantFrom("0xa1", "0xb2"),
    sellToken: token,
    sellAmount: anyAmount(),
    buyToken: token,
    buyAmount: anyAmount(),
  });
  fc.assert(fc.property(fc.array(anyTrade, { maxLength: 10 }), (trades) => {
    const shares = cowShares(trades);
    const sum = (amounts: bigint[]) => amounts.reduce((a, b) => a + b, 0n);
    assertEquals(
      sum(shares.map(({ sold }) => sold)),
      sum(trades.map(({ sellAmount }) => sellAmount)),
    );
    assertEquals(
      sum(shares.map(({ bought }) => bought)),
      sum(trades.map(({ buyAmount }) => buyAmount)),
    );
    for (const { sold, bought, matched, share } of shares) {
      assert(matched <= sold && matched <= bought && (matched === sold || matched === bought));
      assertEquals(share === null, bought === 0n);
    }
  }));
});
