import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { formatAtoms } from "../../lib/units/format.ts";
import { parseAtoms } from "../../lib/units/parse_atoms.ts";
import type { Rounding } from "../../lib/units/arithmetic.ts";
import { InputError } from "../../lib/errors/mod.ts";

const decimals = fc.integer({ min: 0, max: 77 });
const atoms = fc.bigInt(-(2n ** 256n), 2n ** 256n);

Deno.test("formatAtoms() drops trailing zeros of the fraction, never of the whole part", () => {
  assertEquals(formatAtoms(100_000_000n, 6), "100");
  assertEquals(formatAtoms(100n, 0), "100");
  assertEquals(formatAtoms(1n, 18), "0.000000000000000001");
  assertEquals(formatAtoms(0n, 18), "0");
  assertEquals(formatAtoms(-1_010n, 2), "-10.1");
  assertEquals(formatAtoms(0n, 2, { fractionDigits: "all" }), "0.00");
});

Deno.test("formatAtoms() accepts any text between groups", () => {
  assertEquals(formatAtoms(-100_000n, 2, { grouping: "$&" }), "-1$&000");
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
    { numRuns: 2_000 },
  );
});

Deno.test("formatAtoms() and parseAtoms() reject digits outside 0 to 77, and an unknown rounding", () => {
  assertThrows(() => formatAtoms(1n, 78), RangeError, "78 decimals");
  assertThrows(() => parseAtoms("1", 78), RangeError, "78 decimals");
  assertThrows(() => formatAtoms(1n, -1), RangeError, "-1 decimals");
  const halves = { fractionDigits: 2.5, rounding: "floor" } as const;
  assertThrows(() => formatAtoms(1n, 6, halves), RangeError, "2.5 decimals");
  const format = JSON.parse('{ "fractionDigits": 2 }');
  assertThrows(() => formatAtoms(1_239n, 3, format), RangeError, "unknown rounding");
});

Deno.test("parseAtoms() names the fault and the remedy", async (t) => {
  const digits = [
    "",
    "1.2345678",
    "1,000.5",
    "1 000",
    "1_000",
    "1,5",
    ".5",
    "5.",
    "-",
    " 1",
    "1\n",
  ];
  const others = ["0x10", "1.2.3", "--1", "\u22125", "\u0661", "Infinity", `${"9".repeat(100)}x`];
  const rejected: readonly (readonly [string, number])[] = [
    ...[["1.0", 0], ["0.10", 1], ["1e18", 18], ["1.5E-3", 18]] as const,
    ...[...digits, ...others].map((text) => [text, 6] as const),
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
    { numRuns: 4_000 },
  );
});
