import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { accountingWeek } from "orderlens/metrics";

Deno.test("accountingWeek() goes from Tuesday to Tuesday, the first instant included", () => {
  const of = (time: string) => accountingWeek(Temporal.Instant.from(time)).firstDay;
  assertEquals(of("2026-11-21T15:00:00Z"), "2026-11-17");
  assertEquals(of("2026-11-17T00:00:00Z"), "2026-11-17");
  assertEquals(of("2026-11-16T23:59:59.999Z"), "2026-11-10");
  assertEquals(of("2026-11-23T23:59:59.999999999Z"), "2026-11-17");
  assertEquals(of("2026-11-24T00:00:00Z"), "2026-11-24");
  // Over the turn of a year, a leap day, and before the epoch, a Thursday.
  assertEquals(of("2027-01-01T00:00:00Z"), "2026-12-29");
  assertEquals(of("2028-03-01T00:00:00Z"), "2028-02-29");
  assertEquals(of("1970-01-01T00:00:00Z"), "1969-12-30");
});

Deno.test("accountingWeek() takes milliseconds too, and gives both ends", () => {
  const startMs = Date.UTC(2026, 10, 17);
  assertEquals(accountingWeek(startMs + 1), {
    firstDay: "2026-11-17",
    startMs,
    endMs: Date.UTC(2026, 10, 24),
  });
});

Deno.test("accountingWeek() rejects an invalid time", () => {
  for (const wrong of [NaN, Infinity, "2026-11-21", null, undefined, {}]) {
    assertThrows(
      () => accountingWeek(wrong as never),
      InputError,
      "Cannot find the accounting week of",
    );
  }
});
