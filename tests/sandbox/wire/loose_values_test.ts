import { assertEquals, assertThrows } from "@std/assert";
import { parseU64 } from "../../../lib/sandbox/wire/loose_values.ts";
import { Mismatch, orNull } from "../../../lib/sandbox/wire/json.ts";

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
