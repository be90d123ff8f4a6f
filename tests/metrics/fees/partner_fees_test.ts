import { partnerNetFee, partnerServiceShare } from "orderlens/metrics";
import { assertEquals } from "@std/assert";

const at = (text: string) => Temporal.Instant.from(text);

Deno.test("partnerServiceShare() is 15 %, 50 % and 25 %, and unknown while it changed", () => {
  for (
    const [time, numerator] of [
      ["2024-04-03T23:59:59.999Z", null],
      ["2024-04-04T00:00:00Z", 1_500n],
      ["2025-01-31T23:59:59.999Z", 1_500n],
      ["2025-02-01T00:00:00Z", 5_000n],
      ["2025-11-10T23:59:59.999Z", 5_000n],
      ["2025-11-11T00:00:00Z", null],
      ["2026-01-05T23:59:59.999Z", null],
      ["2026-01-06T00:00:00Z", 2_500n],
      ["2026-11-21T15:00:00Z", 2_500n],
    ] as const
  ) {
    const share = numerator === null ? null : { numerator, denominator: 10_000n };
    assertEquals(partnerServiceShare(at(time)), share, time);
  }
});

Deno.test("partnerNetFee() is what the service's share leaves, rounded down", () => {
  const time = at("2026-11-21T15:00:00Z");
  // 101 * 3 / 4 = 75.75; 2^256 - 1 is beyond doubles: 3 * (2^256 - 1) = 4 * (3 * 2^254 - 1) + 1.
  assertEquals([0n, 1n, 4n, 101n].map((fee) => partnerNetFee(fee, time)), [0n, 0n, 3n, 75n]);
  assertEquals(partnerNetFee(2n ** 256n - 1n, time), 3n * 2n ** 254n - 1n);
  assertEquals(partnerNetFee(101n, at("2025-06-01T00:00:00Z")), 50n);
  assertEquals(partnerNetFee(101n, at("2024-06-01T00:00:00Z")), 85n);
  assertEquals(partnerNetFee(101n, at("2025-12-01T00:00:00Z")), null);
});
