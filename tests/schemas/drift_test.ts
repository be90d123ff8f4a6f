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
  const report = recordedObject(
    "debug_report",
    (one) =>
      (one.auctions as { settlementAttempts: unknown[] }[]).some((auction) =>
        auction.settlementAttempts.length > 0
      ),
  );
  const auctions = structuredClone(report.auctions) as {
    settlementAttempts: { outcome?: string }[];
  }[];
  const attempt = auctions.flatMap((one) => one.settlementAttempts)[0]!;
  attempt.outcome = "driver failed: out of gas";
  assertEquals(drift([{ kind: "debug_report", body: { ...report, auctions } }]).unknownValues, []);
  attempt.outcome = "reorged";
  const [value] = drift([{ kind: "debug_report", body: { ...report, auctions } }]).unknownValues;
  assertEquals([value?.path, value?.value], ["auctions[].settlementAttempts[].outcome", "reorged"]);
});

Deno.test("firstDifference() finds nothing between equal bodies, regardless of key order", () => {
  assertEquals(
    firstDifference({ a: [1, { b: "x" }], c: null }, { c: null, a: [1, { b: "x" }] }),
    undefined,
  );
});

Deno.test("firstDifference() names a changed digit, a lost key, a new key and a changed list", () => {
  assertEquals(firstDifference({ a: [{ b: "10" }] }, { a: [{ b: "11" }] }), "a[0].b");
  assertEquals(firstDifference({ a: 1, b: 2 }, { a: 1 }), "b");
  assertEquals(firstDifference({ a: 1 }, { a: 1, b: 2 }), "b");
  assertEquals(firstDifference({ a: [1, 2] }, { a: [1] }), "a[1]");
  assertEquals(firstDifference({ a: [] }, { a: {} }), "a");
  assertEquals(firstDifference({ a: "1" }, { a: 1 }), "a");
});

Deno.test("firstDifference() equates exponent text and plain digits of the same value only", () => {
  assertEquals(firstDifference("100e+16", "1000000000000000000"), undefined);
  assertEquals(firstDifference("4.21E-10", "0.000000000421"), undefined);
  assertEquals(firstDifference("100e+16", "1000000000000000001"), "the body");
  assertEquals(firstDifference("1000000000000000000", "100e+16"), "the body");
});
