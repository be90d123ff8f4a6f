import { packTradeFlags, readTradeFlags } from "../../../lib/evm/settlement/trade_flags.ts";
import { InputError } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";

const PLAIN = {
  kind: "sell",
  partiallyFillable: false,
  sellTokenBalance: "erc20",
  buyTokenBalance: "erc20",
  signingScheme: "eip712",
} as const;

// Layout of GPv2Trade.extractFlags in the settlement contract.
Deno.test("readTradeFlags() reads every bit independently", () => {
  assertEquals(readTradeFlags(0n), PLAIN);
  assertEquals(readTradeFlags(0b000_0001n), { ...PLAIN, kind: "buy" });
  assertEquals(readTradeFlags(0b000_0010n), { ...PLAIN, partiallyFillable: true });
  assertEquals(readTradeFlags(0b000_0100n), PLAIN);
  assertEquals(readTradeFlags(0b000_1000n), { ...PLAIN, sellTokenBalance: "external" });
  assertEquals(readTradeFlags(0b000_1100n), { ...PLAIN, sellTokenBalance: "internal" });
  assertEquals(readTradeFlags(0b001_0000n), { ...PLAIN, buyTokenBalance: "internal" });
  assertEquals(readTradeFlags(0b010_0000n), { ...PLAIN, signingScheme: "ethsign" });
  assertEquals(readTradeFlags(0b100_0000n), { ...PLAIN, signingScheme: "eip1271" });
  assertEquals(readTradeFlags(0b110_0000n), { ...PLAIN, signingScheme: "presign" });
  assertEquals(readTradeFlags(0b111_1111n), {
    kind: "buy",
    partiallyFillable: true,
    sellTokenBalance: "internal",
    buyTokenBalance: "internal",
    signingScheme: "presign",
  });
});

Deno.test("readTradeFlags() rejects bits without a meaning", () => {
  assertThrows(() => readTradeFlags(128n), InputError, "Cannot read the flags 128 of a trade");
  assertThrows(() => readTradeFlags(-1n), InputError);
});

Deno.test("packTradeFlags() packs what readTradeFlags() reads", () => {
  // Bit 2 means nothing without bit 3.
  for (let flags = 0n; flags < 128n; flags++) {
    const expected = (flags & 8n) === 0n ? flags & ~4n : flags;
    assertEquals(packTradeFlags(readTradeFlags(flags)), expected);
  }
});
