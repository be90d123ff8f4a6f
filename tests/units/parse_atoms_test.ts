import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { parseAtoms } from "../../lib/units/parse_atoms.ts";

Deno.test("parseAtoms() reads whole, fractional and signed text exactly", () => {
  assertEquals(parseAtoms("1.5", 6), 1_500_000n);
  assertEquals(parseAtoms("+1.5", 6), 1_500_000n);
  assertEquals(parseAtoms("-0.000001", 6), -1n);
  assertEquals(parseAtoms("007", 2), 700n);
  assertEquals(parseAtoms("-0", 18), 0n);
  assertEquals(
    parseAtoms(
      "1.15792089237316195423570985008687907853269984665640564039457584007913129639935",
      77,
    ),
    2n ** 256n - 1n,
  );
});

Deno.test("parseAtoms() reads the value of the digits", () => {
  const digits = fc.array(fc.constantFrom(..."0123456789"), { minLength: 1, maxLength: 77 })
    .map((list) => list.join(""));
  fc.assert(
    fc.property(digits, digits, fc.integer({ min: 0, max: 77 }), (whole, fraction, spare) => {
      const decimals = Math.min(77, fraction.length + spare);
      const padded = fraction.padEnd(decimals, "0");
      assertEquals(parseAtoms(`${whole}.${fraction}`, decimals), BigInt(whole + padded));
      assertEquals(parseAtoms(`-${whole}`, decimals), -BigInt(whole + "0".repeat(decimals)));
    }),
  );
});

Deno.test("parseAtoms() names the fault and the remedy", async (t) => {
  const rejected: readonly (readonly [string, number])[] = [
    ["", 6],
    ["1.2345678", 6],
    ["1.0", 0],
    ["0.10", 1],
    ["1e18", 18],
    ["1.5E-3", 18],
    ["1,000.5", 6],
    ["1 000", 6],
    ["1_000", 6],
    ["1,5", 6],
    [".5", 6],
    ["5.", 6],
    ["-", 6],
    [" 1", 6],
    ["1\n", 6],
    ["0x10", 6],
    ["1.2.3", 6],
    ["--1", 6],
    ["\u22125", 6],
    ["\u0661", 6],
    ["Infinity", 6],
    ["9".repeat(100) + "x", 6],
  ];
  const messages = rejected.map(([text, decimals]) =>
    assertThrows(() => parseAtoms(text, decimals), InputError).message
  );
  await t.assertSnapshot(messages.join("\n\n"));
});

Deno.test("parseAtoms() either reads a text or throws InputError", () => {
  const nearNumbers = fc.array(fc.constantFrom(..."0123456789+-.eE, _x"), { maxLength: 12 })
    .map((list) => list.join(""));
  fc.assert(
    fc.property(nearNumbers, fc.integer({ min: 0, max: 6 }), (text, decimals) => {
      const [, sign, whole, fraction = ""] = /^([+-]?)(\d+)(?:\.(\d+))?$/.exec(text) ?? [];
      if (whole === undefined || fraction.length > decimals) {
        assertThrows(() => parseAtoms(text, decimals), InputError);
      } else {
        const size = BigInt(whole + fraction.padEnd(decimals, "0"));
        assertEquals(parseAtoms(text, decimals), sign === "-" ? -size : size);
      }
    }),
    { numRuns: 1_000 },
  );
});

Deno.test("parseAtoms() rejects numbers of decimals outside 0 to 77", () => {
  assertThrows(() => parseAtoms("1", 78), RangeError, "78 decimals");
});
