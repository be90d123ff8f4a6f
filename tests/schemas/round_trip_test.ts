import { assert, assertEquals } from "@std/assert";
import { decodeKind, encodeKind, WIRE_KINDS } from "orderlens/schemas";
import { compiledDecoder, REFUSED } from "../../lib/schemas/codec/compile.ts";
import { decodeWithZod } from "../../lib/schemas/codec/codec.ts";
import { schemaOfKind } from "../../lib/schemas/page.ts";
import { firstDifference } from "../../tools/conformance/first_difference.ts";
import { recordedObjects } from "./recorded_bodies.ts";

Deno.test("encode(decode(body)) equals the body for every recorded wire object", () => {
  for (const { kind, body, where } of recordedObjects) {
    const difference = firstDifference(body, encodeKind(kind, decodeKind(kind, body)));
    assertEquals(difference, undefined, `${where}: ${difference}`);
  }
  const kinds = new Set(recordedObjects.map(({ kind }) => kind));
  const missing = WIRE_KINDS.filter((kind) => !kinds.has(kind));
  assertEquals(missing, ["notification"]);
});

Deno.test("the compiled decoder agrees with zod for every recorded wire object", () => {
  const seen = new Map<string, number>();
  for (const { kind, body, where } of recordedObjects) {
    const times = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, times);
    if (times > 150) continue;
    const schema = schemaOfKind(kind);
    const compiled = compiledDecoder(schema)(body);
    assert(compiled !== REFUSED, `${where}: rejected by the compiled decoder`);
    assertEquals(compiled, decodeWithZod(schema, body, kind), where);
  }
});
