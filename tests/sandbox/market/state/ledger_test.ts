import { assertEquals, assertThrows } from "@std/assert";
import { Ledger, OUTSIDE } from "../../../../lib/sandbox/market/ledger.ts";

Deno.test("Ledger.move() conserves the sum of all balances", () => {
  const ledger = new Ledger();
  ledger.move("x", 10n, { from: OUTSIDE, to: "ann" });
  ledger.move("x", 4n, { from: "ann", to: "bob" });
  ledger.move("x", 3n, { from: "bob", to: "bob" });
  assertEquals([...ledger.entries()], [
    { token: "x", holder: OUTSIDE, atoms: -10n },
    { token: "x", holder: "ann", atoms: 6n },
    { token: "x", holder: "bob", atoms: 4n },
  ]);
  assertEquals(ledger.balanceOf("ann", "y"), 0n);
});

Deno.test("Ledger.move() rejects overdrafts and negative amounts", () => {
  const ledger = new Ledger();
  ledger.move("x", 10n, { from: OUTSIDE, to: "ann" });
  assertThrows(() => ledger.move("x", 11n, { from: "ann", to: "bob" }), RangeError, "-1 would");
  assertThrows(() => ledger.move("x", -1n, { from: "ann", to: "bob" }), RangeError);
  assertThrows(() => ledger.move("x", -1n, { from: OUTSIDE, to: "bob" }), RangeError);
  assertEquals(ledger.balanceOf("ann", "x"), 10n);
});
