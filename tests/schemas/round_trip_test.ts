import { assert, assertEquals } from "@std/assert";
import { decodeKind, encodeKind, WIRE_KINDS, type WireKind } from "orderlens/schemas";
import { compiledDecoder, REFUSED } from "../../lib/schemas/codec/compile.ts";
import { decodeWithZod } from "../../lib/schemas/codec/codec.ts";
import { schemaOfKind } from "../../lib/schemas/page.ts";
import { firstDifference } from "../../tools/conformance/first_difference.ts";
import { recordedObjects } from "./recorded_bodies.ts";
import { DecodeError } from "orderlens";
import fc from "fast-check";
import { brokenPromise } from "../../tools/fuzz/check_decoding.ts";
import { mutateBody, seededRandom } from "../../tools/fuzz/mutate_body.ts";

/** All of the recorded objects of rare kinds, and a part of the others. */
function* someOf({ first, each }: { first: number; each: number }) {
  const seen = new Map<WireKind, number>();
  for (const one of recordedObjects) {
    const place = seen.get(one.kind) ?? 0;
    seen.set(one.kind, place + 1);
    if (place < first || place % each === 0) yield one;
  }
}

Deno.test("encode(decode(body)) equals the body for recorded wire objects of every kind", () => {
  const kinds = new Set<WireKind>();
  for (const { kind, body, where } of someOf({ first: 300, each: 4 })) {
    const difference = firstDifference(body, encodeKind(kind, decodeKind(kind, body)));
    assertEquals(difference, undefined, `${where}: ${difference}`);
    kinds.add(kind);
  }
  assertEquals(WIRE_KINDS.filter((kind) => !kinds.has(kind)), ["notification"]);
});

Deno.test("the compiled decoder agrees with zod for recorded wire objects of every kind", () => {
  for (const { kind, body, where } of someOf({ first: 100, each: 50 })) {
    const schema = schemaOfKind(kind);
    const compiled = compiledDecoder(schema)(body);
    assert(compiled !== REFUSED, `${where}: rejected by the compiled decoder`);
    assertEquals(compiled, decodeWithZod(schema, body, kind), where);
  }
});

/** Bodies of all kinds with one to four changes each; the numbers are what fast-check shrinks. */
function mutatedBodies(): fc.Arbitrary<{ kind: WireKind; body: unknown }> {
  const byKind = Map.groupBy(recordedObjects, ({ kind }) => kind);
  const kinds = WIRE_KINDS.filter((kind) => byKind.has(kind));
  return fc.record({
    kind: fc.constantFrom(...kinds),
    which: fc.nat(1_000_000),
    seed: fc.nat(0x7fff_ffff),
    changes: fc.integer({ min: 1, max: 4 }),
  }).map(({ kind, which, seed, changes }) => {
    const objects = byKind.get(kind)!;
    const random = seededRandom(seed);
    let body = objects[which % objects.length]!.body;
    for (let change = 0; change < changes; change++) body = mutateBody(random, body);
    return { kind, body };
  });
}

Deno.test("a mutated body is rejected with a DecodeError or round-trips unchanged", () => {
  fc.assert(
    fc.property(mutatedBodies(), ({ kind, body }) => {
      assertEquals(brokenPromise(kind, body), undefined);
    }),
    { numRuns: 1_500, seed: 20261121 },
  );
});

Deno.test("the compiled decoder and zod agree on mutated bodies", () => {
  fc.assert(
    fc.property(mutatedBodies(), ({ kind, body }) => {
      const schema = schemaOfKind(kind);
      const compiled = compiledDecoder(schema)(body);
      let expected: unknown = REFUSED;
      try {
        expected = decodeWithZod(schema, body, kind);
      } catch (error) {
        if (!(error instanceof DecodeError)) throw error;
      }
      assertEquals(compiled, expected);
    }),
    { numRuns: 800, seed: 20261122 },
  );
});
