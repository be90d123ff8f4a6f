import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { formatInstant, parseInstant } from "orderlens";

const LAST = 8_640_000_000_000_000_000_000n;

Deno.test("formatInstant() writes the fewest of 0, 3, 6 and 9 digits that hold a time", () => {
  // Years of five digits and before the first, too.
  const unit = fc.constantFrom(1n, 1_000n, 1_000_000n, 100_000_000n, 1_000_000_000n);
  fc.assert(
    fc.property(fc.bigInt({ min: -LAST, max: LAST }), unit, (nanoseconds, unit) => {
      const instant = new Temporal.Instant(nanoseconds / unit * unit);
      const whole = instant.toString({ fractionalSecondDigits: 9 });
      assertEquals(formatInstant(instant), whole.replace(/\.?(?:000)+Z$/, "Z"));
    }),
    { numRuns: 2_000, examples: [[0n, 1n], [-1n, 1n], [-62_167_219_200_000_000_000n, 1n]] },
  );
});

Deno.test("formatInstant() repeats the text that was parsed, whatever its digits", () => {
  const second = "2026-11-21T15:00:23";
  for (const digits of ["", ".5", ".50", ".500", ".2683", ".26839", ".268390", ".000000", ".0"]) {
    assertEquals(formatInstant(parseInstant(`${second}${digits}Z`)), `${second}${digits}Z`);
  }
});
