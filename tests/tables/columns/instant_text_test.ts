import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { instantText } from "../../../lib/tables/columns/columns.ts";

Deno.test("instantText() formats a time to the nanosecond", () => {
  for (
    const text of [
      "2026-11-21T15:00:23.252884Z",
      "2026-11-21T15:00:23Z",
      "2026-11-21T15:00:23.5Z",
      "2026-11-21T15:00:23.000000001Z",
      "1970-01-01T00:00:00Z",
      "1969-12-31T23:59:59.999999999Z",
      "0000-01-01T00:00:00Z",
      "+010000-01-01T00:00:00Z",
      "-000001-12-31T23:59:59Z",
    ]
  ) assertEquals(instantText(Temporal.Instant.from(text)), text);
});

Deno.test("instantText() agrees with the text of Temporal", () => {
  const most = 8_640_000_000_000_000_000_000n;
  fc.assert(fc.property(fc.bigInt({ min: -most, max: most }), (nanoseconds) => {
    const instant = new Temporal.Instant(nanoseconds);
    assertEquals(instantText(instant), instant.toString());
  }));
});
