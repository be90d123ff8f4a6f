import { assertEquals } from "@std/assert";
import { firstDifference } from "../../tools/conformance/first_difference.ts";

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
