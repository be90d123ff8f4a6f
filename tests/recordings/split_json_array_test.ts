import { assertEquals } from "@std/assert";
import fc from "fast-check";
import { splitJsonArray } from "../../lib/recordings/recorded_lists.ts";

Deno.test("splitJsonArray() keeps the text of each element", () => {
  assertEquals(splitJsonArray('[ {"price":1.0} , 2e3,[1,[2]], "a,]\\"}\\\\" ,null]'), [
    '{"price":1.0}',
    "2e3",
    "[1,[2]]",
    '"a,]\\"}\\\\"',
    "null",
  ]);
});

Deno.test("splitJsonArray() returns no elements for an empty array", () => {
  assertEquals(splitJsonArray("[]"), []);
  assertEquals(splitJsonArray(" [ ]\n"), []);
});

Deno.test("splitJsonArray() is undefined for anything but a JSON array", () => {
  for (const text of ["", "{}", '"[]"', "[1", "[1,]", "[1]]", "Service unavailable"]) {
    assertEquals(splitJsonArray(text), undefined, text);
  }
});

Deno.test("splitJsonArray() splits any array at its top-level commas only", () => {
  fc.assert(fc.property(fc.array(fc.jsonValue()), fc.nat(3), (values, indent) => {
    const texts = splitJsonArray(JSON.stringify(values, null, indent));
    assertEquals(
      texts?.map((text) => JSON.stringify(JSON.parse(text))),
      values.map((value) => JSON.stringify(value)),
    );
  }));
});
