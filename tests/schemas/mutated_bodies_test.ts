import { assertEquals } from "@std/assert";
import { DecodeError } from "orderlens";
import { WIRE_KINDS, type WireKind } from "orderlens/schemas";
import fc from "fast-check";
import { compiledDecoder, REFUSED } from "../../lib/schemas/codec/compile.ts";
import { decodeWithZod } from "../../lib/schemas/codec/codec.ts";
import { schemaOfKind } from "../../lib/schemas/page.ts";
import { brokenPromise } from "../../tools/fuzz/check_decoding.ts";
import { mutateBody, seededRandom } from "../../tools/fuzz/mutate_body.ts";
import { recordedObjects } from "./recorded_bodies.ts";

interface Mutated {
  readonly kind: WireKind;
  readonly body: unknown;
}

/** Bodies of all kinds with one to four changes each; the numbers are what fast-check shrinks. */
function mutatedBodies(): fc.Arbitrary<Mutated> {
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
    { numRuns: 3_000, seed: 20261121 },
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
    { numRuns: 1_500, seed: 20261122 },
  );
});
