import { assertEquals } from "@std/assert";
import { drift } from "orderlens/schemas";
import { recordedObject, recordedObjects } from "./recorded_bodies.ts";
import { firstDifference } from "../../tools/conformance/first_difference.ts";

Deno.test("drift() finds nothing in the recorded answers of the service", () => {
  const answers = recordedObjects.filter(({ where, kind }) =>
    where.includes("market_1") && kind !== "order_creation" && kind !== "quote_request"
  );
  const report = drift(answers);
  assertEquals([report.unknownFields, report.unknownValues], [[], []]);
  assertEquals(report.bodies > 5_000, true);
});

Deno.test("drift() counts unknown fields and values with their first sample", () => {
  const order = recordedObject("order");
  const report = recordedObject("debug_report", (one) => (one.events as []).length > 1);
  const events = (report.events as Record<string, unknown>[]).map((event) => ({
    ...event,
    label: "paused",
  }));
  const found = drift([
    { kind: "order", body: { ...order, status: "held", extra: 1 }, source: "a" },
    { kind: "order", body: { ...order, status: "held", extra: 2 }, source: "b" },
    { kind: "debug_report", body: { ...report, events } },
  ]);
  assertEquals(found.unknownFields, [
    { kind: "order", path: "extra", count: 2, sample: "1", source: "a" },
  ]);
  assertEquals(
    found.unknownValues.map(({ kind, path, value, count }) => [kind, path, value, count]),
    [["debug_report", "events[].label", "paused", events.length], ["order", "status", "held", 2]],
  );
});

Deno.test("drift() knows the outcomes that carry a text", () => {
  type Auctions = { settlementAttempts: { outcome?: string }[] }[];
  const report = recordedObject(
    "debug_report",
    (one) => (one.auctions as Auctions).some((auction) => auction.settlementAttempts.length > 0),
  );
  const auctions = structuredClone(report.auctions) as Auctions;
  const attempt = auctions.flatMap((one) => one.settlementAttempts)[0]!;
  attempt.outcome = "driver failed: out of gas";
  assertEquals(drift([{ kind: "debug_report", body: { ...report, auctions } }]).unknownValues, []);
  attempt.outcome = "reorged";
  const [value] = drift([{ kind: "debug_report", body: { ...report, auctions } }]).unknownValues;
  assertEquals([value?.path, value?.value], ["auctions[].settlementAttempts[].outcome", "reorged"]);
});

/** Bodies, their encodings, and where they differ first. */
const DIFFERENCES: readonly [body: unknown, encoded: unknown, path: string | undefined][] = [
  [{ a: [1, { b: "x" }], c: null }, { c: null, a: [1, { b: "x" }] }, undefined],
  [{ a: [{ b: "10" }] }, { a: [{ b: "11" }] }, "a[0].b"],
  [{ a: 1, b: 2 }, { a: 1 }, "b"],
  [{ a: 1 }, { a: 1, b: 2 }, "b"],
  [{ a: [1, 2] }, { a: [1] }, "a[1]"],
  [{ a: [] }, { a: {} }, "a"],
  [{ a: "1" }, { a: 1 }, "a"],
  // Exponent text equals the plain digits of the same value, and not the other way round.
  ["100e+16", "1000000000000000000", undefined],
  ["4.21E-10", "0.000000000421", undefined],
  ["100e+16", "1000000000000000001", "the body"],
  ["1000000000000000000", "100e+16", "the body"],
];

Deno.test("firstDifference() names a changed digit, a lost key, a new key and a changed list", () => {
  for (const [body, encoded, path] of DIFFERENCES) {
    assertEquals(firstDifference(body, encoded), path, JSON.stringify(body));
  }
});
