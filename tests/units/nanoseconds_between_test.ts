import { assertEquals } from "@std/assert";
import { nanosecondsBetween } from "../../lib/units/instant.ts";

const EARLIER = Temporal.Instant.from("2026-08-21T10:00:00.000000001Z");
const LATER = Temporal.Instant.from("2026-08-22T10:00:00Z");

Deno.test("nanosecondsBetween() keeps every nanosecond and the sign", () => {
  assertEquals(nanosecondsBetween(EARLIER, LATER), 86_399_999_999_999n);
  assertEquals(nanosecondsBetween(LATER, EARLIER), -86_399_999_999_999n);
  assertEquals(nanosecondsBetween(LATER, LATER), 0n);
});
