import { assertEquals, assertThrows } from "@std/assert";
import { Mismatch, orNull, parseJson, parseU64 } from "../../../lib/sandbox/wire/loose_values.ts";

Deno.test("parseJson() keeps every digit of whole numbers", () => {
  assertEquals(parseJson('{"a":[123456789012345678901234567890,-1,1.5,1e3,"é",null]}'), {
    a: [123456789012345678901234567890n, -1n, 1.5, 1000, "é", null],
  });
});

Deno.test("parseJson() rejects what is no JSON, infinite numbers and lone surrogates", () => {
  for (const text of ["", "{", "[1,]", "{} {}", "01", "1e400", '"\\ud800"', '"\t"', "\ufeff{}"]) {
    assertThrows(() => parseJson(text), Mismatch, "invalid JSON");
  }
  for (const depth of [5_000, 1_000_000]) {
    assertEquals(orNull(() => parseJson("[".repeat(depth))), null);
  }
});

Deno.test("parseU64() reads unsigned 64-bit integers, with an optional plus sign", () => {
  assertEquals(["0", "+7", "007", "18446744073709551615"].map(parseU64), [
    0n,
    7n,
    7n,
    2n ** 64n - 1n,
  ]);
});

Deno.test("parseU64() reports invalid text as the service's parser does", () => {
  const cases = [
    ["", "cannot parse integer from empty string"],
    ["-1", "invalid digit found in string"],
    ["+", "invalid digit found in string"],
    ["0x7", "invalid digit found in string"],
    ["18446744073709551616", "number too large to fit in target type"],
  ] as const;
  for (const [text, message] of cases) {
    assertEquals(assertThrows(() => parseU64(text), Mismatch).message, message);
  }
});

Deno.test("orNull() is null only for a mismatch", () => {
  assertEquals([orNull(() => parseU64("7")), orNull(() => parseU64("seven"))], [7n, null]);
  assertThrows(() =>
    orNull(() => {
      throw new RangeError("no mismatch");
    }), RangeError);
});
