import { assertEquals } from "@std/assert";
import { largestGroups } from "../../../lib/charts/rows.ts";
import { bpsText, signedText } from "../../../lib/charts/texts/alike_texts.ts";

const group = (names: readonly (string | null)[], limit: number) =>
  largestGroups(names, (name) => name, { limit, noun: "pair" });

Deno.test("largestGroups() gives the largest groups first and all others as one", () => {
  const { groups, rest } = group(["b", "a", "c", "a", "c", "c", null], 2);
  assertEquals(groups.map(({ key, rows }) => [key, rows.length]), [["c", 3], ["a", 2]]);
  assertEquals([rest?.key, rest?.rows.length], ["2 other pairs", 2]);
});

Deno.test("largestGroups() has no rest where all groups fit, and a group of the unknown", () => {
  const { groups, rest } = group(["a", "", null], 2);
  assertEquals(groups.map(({ key }) => key), ["unknown pair", "a"]);
  assertEquals(rest, null);
});

Deno.test("signedText() and bpsText() name the sign and round for people", () => {
  assertEquals([signedText(1.5), signedText(-20), signedText(0)], ["+1.5", "−20", "0"]);
  assertEquals([bpsText(12.3456), bpsText(-0.01234), bpsText(0)], [
    "+12.3 bps",
    "−0.012 bps",
    "0 bps",
  ]);
});
