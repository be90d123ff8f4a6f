import { assertEquals } from "@std/assert";
import { valueByHex } from "../../lib/units/hex_map.ts";

Deno.test("valueByHex() finds a key in whatever case either is written", () => {
  const scores = { "0xa0": 1n, "0xB0": 2n };
  assertEquals(["0xa0", "0xA0", "0xb0", "0xB0"].map((key) => valueByHex(scores, key)), [
    1n,
    1n,
    2n,
    2n,
  ]);
});

Deno.test("valueByHex() gives nothing for a key that is not the record's own", () => {
  assertEquals(valueByHex({ "0xa0": 1n }, "0xa1"), undefined);
  assertEquals(valueByHex({}, "toString"), undefined);
});
