import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { formatAtoms } from "../../lib/units/format.ts";
import { parseAtoms } from "../../lib/units/parse_atoms.ts";
import type { Rounding } from "../../lib/units/arithmetic.ts";
import { InputError } from "../../lib/errors/mod.ts";

const decimals = fc.integer({ min: 0, max: 77 });
const atoms = fc.bigInt(-(2n ** 256n), 2n ** 256n);

Deno.test("formatAtoms() drops trailing zeros of the fraction, never of the whole part", () => {
  assertEquals(formatAtoms(1_500_000n, 6), "1.5");
  assertEquals(formatAtoms(100_000_000n, 6), "100");
  assertEquals(formatAtoms(100n, 0), "100");
  assertEquals(formatAtoms(1n, 18), "0.000000000000000001");
  assertEquals(formatAtoms(0n, 18), "0");
  assertEquals(formatAtoms(-1_010n, 2), "-10.1");
});

Deno.test("formatAtoms() keeps all digits on request", () => {
  assertEquals(formatAtoms(1_500_000n, 6, { fractionDigits: "all" }), "1.500000");
  assertEquals(formatAtoms(0n, 2, { fractionDigits: "all" }), "0.00");
  assertEquals(formatAtoms(7n, 0, { fractionDigits: "all" }), "7");
});

Deno.test("formatAtoms() writes the largest amount at the largest number of decimals", () => {
  assertEquals(
    formatAtoms(2n ** 256n - 1n, 77),
    "1.15792089237316195423570985008687907853269984665640564039457584007913129639935",
  );
});

Deno.test("formatAtoms() groups the whole part only", () => {
  const format = { grouping: ",", fractionDigits: "all" } as const;
  assertEquals(formatAtoms(123_456_789_012n, 5, format), "1,234,567.89012");
  assertEquals(formatAtoms(-123_456n, 3, format), "-123.456");
  assertEquals(formatAtoms(-100_000n, 2, { grouping: "$&" }), "-1$&000");
});

Deno.test("formatAtoms() writes the symbol after a space", () => {
  assertEquals(formatAtoms(1_500_000n, 6, { symbol: "USDC" }), "1.5 USDC");
});

Deno.test("formatAtoms() pads if the token has fewer decimals than requested", () => {
  assertEquals(formatAtoms(15n, 1, { fractionDigits: 3, rounding: "trunc" }), "1.500");
});

Deno.test("formatAtoms() writes no sign for an amount that rounds to zero", () => {
  assertEquals(formatAtoms(-4n, 3, { fractionDigits: 2, rounding: "halfEven" }), "0.00");
  assertEquals(formatAtoms(-4n, 3, { fractionDigits: 2, rounding: "floor" }), "-0.01");
});

Deno.test("formatAtoms() round-trips through parseAtoms(), trimmed or not", () => {
  fc.assert(fc.property(atoms, decimals, (amount, places) => {
    assertEquals(parseAtoms(formatAtoms(amount, places), places), amount);
    assertEquals(
      parseAtoms(formatAtoms(amount, places, { fractionDigits: "all" }), places),
      amount,
    );
  }));
});

// Intl.NumberFormat is an implementation of its own and exact for decimal text.
Deno.test("formatAtoms() rounds and groups as Intl.NumberFormat does, for each rounding", () => {
  const digits = (minLength: number) =>
    fc.array(fc.constantFrom(..."0123456789459"), { minLength, maxLength: 38 })
      .map((list) => list.join(""));
  const rounding = fc.constantFrom<Rounding>(
    "floor",
    "ceil",
    "trunc",
    "expand",
    "halfEven",
    "halfExpand",
  );
  fc.assert(
    fc.property(
      fc.constantFrom("", "-"),
      digits(1),
      digits(0),
      fc.integer({ min: 0, max: 40 }),
      rounding,
      (sign, whole, fraction, fractionDigits, roundingMode) => {
        const reference = new Intl.NumberFormat("en", {
          minimumFractionDigits: fractionDigits,
          maximumFractionDigits: fractionDigits,
          roundingMode,
          signDisplay: "negative",
        });
        const text = fraction === "" ? whole : `${whole}.${fraction}`;
        const amount = BigInt(whole + fraction) * (sign === "-" ? -1n : 1n);
        assertEquals(
          formatAtoms(amount, fraction.length, {
            fractionDigits,
            rounding: roundingMode,
            grouping: ",",
          }),
          reference.format(`${sign}${text}` as Intl.StringNumericLiteral),
        );
      },
    ),
    { numRuns: 500 },
  );
});

Deno.test("formatAtoms() rejects numbers of digits outside 0 to 77", () => {
  assertThrows(() => formatAtoms(1n, 78), RangeError, "78 decimals");
  assertThrows(() => formatAtoms(1n, -1), RangeError, "-1 decimals");
  assertThrows(
    () => formatAtoms(1n, 6, { fractionDigits: 2.5, rounding: "floor" }),
    RangeError,
    "2.5 decimals",
  );
});

Deno.test("formatAtoms() rejects an unknown rounding at run time", () => {
  const format = JSON.parse('{ "fractionDigits": 2 }');
  assertThrows(() => formatAtoms(1_239n, 3, format), RangeError, "unknown rounding");
});

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
