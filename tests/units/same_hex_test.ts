import { assertEquals } from "@std/assert";
import { sameHex } from "../../lib/units/hex_map.ts";

Deno.test("sameHex() ignores case", () => {
  assertEquals(sameHex("0xAbCdEf", "0xabcdef"), true);
  assertEquals(sameHex("0XABCDEF", "0xabcdef"), true);
  assertEquals(sameHex("0xabcdef", "0xabcdef"), true);
  assertEquals(sameHex("", ""), true);
});

Deno.test("sameHex() compares every digit and the length", () => {
  assertEquals(sameHex("0xabcdef", "0xabcdee"), false);
  assertEquals(sameHex("0xabcdef", "0xabcdef00"), false);
  assertEquals(sameHex("0xabcdef", "abcdef"), false);
});
