import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { formatAtoms } from "../../lib/units/format.ts";
import { parseAtoms } from "../../lib/units/parse_atoms.ts";
import type { Rounding } from "../../lib/units/arithmetic.ts";

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
