import { assert, assertEquals } from "@std/assert";
import { decodeKind, drift, encodeKind, WIRE_KINDS, type WireKind } from "orderlens/schemas";
import { compileDecoder, INVALID } from "../../lib/schemas/codec/compile.ts";
import { decodeWithZod } from "../../lib/schemas/codec/codec.ts";
import { requireSchema } from "../../lib/schemas/page.ts";
import { findDifference } from "../../tools/conformance/first_difference.ts";
import { recordedObject, recordedObjects } from "./recorded_bodies.ts";
import { DecodeError } from "orderlens";
import fc from "fast-check";
import { findBrokenPromise } from "../../tools/fuzz/check_decoding.ts";
import { createRandom, mutateBody } from "../../tools/fuzz/mutate_body.ts";

const OBJECTS = await Array.fromAsync(recordedObjects());
assert(OBJECTS.length > 0);

Deno.test("encode(decode(body)) equals the body for every recorded wire object", () => {
  const kinds = new Set<WireKind>();
  for (const { kind, body, where } of OBJECTS) {
    const difference = findDifference(body, encodeKind(kind, decodeKind(kind, body)));
    assertEquals(difference, undefined, `${where}: ${difference}`);
    kinds.add(kind);
  }
  // Instances come from a store beside the service, and are in tests of their own.
  assertEquals(WIRE_KINDS.filter((kind) => !kinds.has(kind)), ["instance", "notification"]);
});

Deno.test("the compiled decoder agrees with zod for every recorded wire object", () => {
  for (const { kind, body, where } of OBJECTS) {
    const schema = requireSchema(kind);
    const compiled = compileDecoder(schema)(body);
    assert(compiled !== INVALID, `${where}: rejected by the compiled decoder`);
    assertEquals(compiled, decodeWithZod(schema, body, kind), where);
  }
});

/** Bodies of all kinds with one to four changes each; the numbers are what fast-check shrinks. */
function mutatedBodies(): fc.Arbitrary<{ kind: WireKind; body: unknown }> {
  const byKind = Map.groupBy(OBJECTS, ({ kind }) => kind);
  const kinds = WIRE_KINDS.filter((kind) => byKind.has(kind));
  return fc.record({
    kind: fc.constantFrom(...kinds),
    which: fc.nat(1_000_000),
    seed: fc.nat(0x7fff_ffff),
    changes: fc.integer({ min: 1, max: 4 }),
  }).map(({ kind, which, seed, changes }) => {
    const objects = byKind.get(kind)!;
    const random = createRandom(seed);
    let body = objects[which % objects.length]!.body;
    for (let change = 0; change < changes; change++) body = mutateBody(random, body);
    return { kind, body };
  });
}

Deno.test("decodeKind() rejects a mutated body with a DecodeError, or it round-trips unchanged", () => {
  fc.assert(
    fc.property(mutatedBodies(), ({ kind, body }) => {
      assertEquals(findBrokenPromise(kind, body), undefined);
    }),
    { numRuns: 10_000, seed: 20261121 },
  );
});

Deno.test("the compiled decoder and zod agree on mutated bodies", () => {
  fc.assert(
    fc.property(mutatedBodies(), ({ kind, body }) => {
      const schema = requireSchema(kind);
      const compiled = compileDecoder(schema)(body);
      let expected: unknown = INVALID;
      try {
        expected = decodeWithZod(schema, body, kind);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
      assertEquals(compiled, expected);
    }),
    { numRuns: 5_000, seed: 20261122 },
  );
});

Deno.test("drift() finds nothing in the recorded responses of the service", () => {
  const answers = OBJECTS.filter(({ where, kind }) =>
    where.includes("market_1") && kind !== "order_creation" && kind !== "quote_request"
  );
  const report = drift(answers, { sentAt: Temporal.Instant.from("2026-11-21T12:00:00Z") });
  const { unknownFields, unknownValues, unreadableMembers, missingFields } = report;
  assertEquals([unknownFields, unknownValues, unreadableMembers, missingFields], [[], [], [], []]);
  assertEquals(report.bodies > 5_000, true);
});

Deno.test("drift() counts unknown fields and values with their first sample", async () => {
  const order = await recordedObject("order");
  const report = await recordedObject(
    "debug_report",
    (one) => (one.events as []).length > 1,
  );
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

Deno.test("drift() accepts outcomes that contain a text", async () => {
  type Auctions = { settlementAttempts: { outcome?: string }[] }[];
  const report = await recordedObject(
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
    assertEquals(findDifference(body, encoded), path, JSON.stringify(body));
  }
});
