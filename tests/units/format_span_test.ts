import fc from "fast-check";
import { assertEquals, assertThrows } from "@std/assert";
import { formatSpan } from "../../lib/units/format.ts";

Deno.test("formatSpan() writes days to seconds and omits zeros", () => {
  assertEquals(formatSpan(0n), "0 s");
  assertEquals(formatSpan(1n), "0.000000001 s");
  assertEquals(formatSpan(252_300_000_000n), "4 min 12.3 s");
  assertEquals(formatSpan(60_000_000_000n), "1 min");
  assertEquals(formatSpan(3_605_000_000_000n), "1 h 5 s");
  assertEquals(formatSpan(183_845_000_000_001n), "2 d 3 h 4 min 5.000000001 s");
  assertEquals(formatSpan(-252_300_000_000n), "-4 min 12.3 s");
});

Deno.test("formatSpan() rounds the whole span, so that seconds carry into minutes", () => {
  const almost = 59_960_000_000n;
  assertEquals(formatSpan(almost, { fractionDigits: 1, rounding: "halfExpand" }), "1 min");
  assertEquals(formatSpan(almost, { fractionDigits: 1, rounding: "trunc" }), "59.9 s");
  assertEquals(formatSpan(-almost, { fractionDigits: 0, rounding: "floor" }), "-1 min");
  assertEquals(formatSpan(-1n, { fractionDigits: 3, rounding: "trunc" }), "0 s");
});

Deno.test("formatSpan() accepts a duration in any units", () => {
  assertEquals(formatSpan(Temporal.Duration.from("PT252.3S")), "4 min 12.3 s");
  assertEquals(formatSpan(Temporal.Duration.from("-P1DT90M")), "-1 d 1 h 30 min");
  const parts = new Temporal.Duration(0, 0, 0, 0, 0, 0, 1, 2, 3, 4);
  assertEquals(formatSpan(parts), "1.002003004 s");
});

Deno.test("formatSpan() rejects durations whose length depends on a calendar", () => {
  for (const text of ["P1Y", "P1M", "P1W"]) {
    assertThrows(() => formatSpan(Temporal.Duration.from(text)), RangeError, text);
  }
});

Deno.test("formatSpan() rejects numbers of digits outside 0 to 9", () => {
  for (const fractionDigits of [-1, 10, 0.5]) {
    assertThrows(
      () => formatSpan(1n, { fractionDigits, rounding: "trunc" }),
      RangeError,
      `${fractionDigits} fraction digits`,
    );
  }
});

Deno.test("formatSpan() loses nothing", () => {
  const units: Record<string, bigint> = {
    d: 86_400_000_000_000n,
    h: 3_600_000_000_000n,
    min: 60_000_000_000n,
    s: 1_000_000_000n,
  };
  fc.assert(fc.property(fc.bigInt(0n, 10n ** 24n), (span) => {
    let total = 0n;
    for (
      const [, whole, fraction, unit] of formatSpan(span).matchAll(/(\d+)(?:\.(\d+))? ([a-z]+)/g)
    ) {
      total += BigInt(whole!) * units[unit!]! + BigInt((fraction ?? "").padEnd(9, "0"));
    }
    assertEquals(total, span);
    assertEquals(
      formatSpan(Temporal.Duration.from({ nanoseconds: Number(span % 10n ** 15n) })),
      formatSpan(span % 10n ** 15n),
    );
  }));
});
