import { groupByHex, HexMap } from "orderlens/units";
import { assertEquals } from "@std/assert";

Deno.test("HexMap finds, replaces and removes a key regardless of its case", () => {
  const map = new HexMap([["0xAB", 1]]);
  assertEquals([map.get("0xab"), map.get("0xAB"), map.get("0xaB")], [1, 1, 1]);
  assertEquals([map.has("0xaB"), map.has("0xac")], [true, false]);
  map.set("0xaB", 2);
  assertEquals([...map], [["0xab", 2]]);
  assertEquals([map.delete("0xAB"), map.size], [true, 0]);
});

Deno.test("groupByHex() groups the spellings of one address, in order of first occurrence", () => {
  const groups = groupByHex(["0xB0", "0xa0", "0xb0", "0xA0"], (address) => address);
  assertEquals([...groups.values()], [["0xB0", "0xb0"], ["0xa0", "0xA0"]]);
});
