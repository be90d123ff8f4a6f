import { assertEquals, assertStringIncludes, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import {
  slippageByPair,
  slippageByQuoteAge,
  slippageBySize,
  slippageGroups,
  slippageSlices,
} from "orderlens/charts";
import { fill } from "../slippage_rows.ts";

/** 120 fills: the smallest 15 at −52.5 bps, the largest 15 at 1.9, the others at 0. */
const fills = Array.from({ length: 120 }, (_, place) =>
  fill(place, {
    volume_native: 1 + place,
    quote_age_seconds: 200 - place,
    slippage_gross_bps: place < 15 ? -52.5 : place < 105 ? 0 : 1.9,
  }));

Deno.test("slippageSlices() are the groups whose medians slippageBySize() draws and names", () => {
  const slices = slippageSlices(fills, { by: "volume_native", baseline: "gross" });
  assertEquals(slices.length, 8);
  assertEquals(slices.map(({ rows }) => rows.length), Array(8).fill(15));
  assertEquals([slices[0]?.median_bps, slices[7]?.median_bps], [-52.5, 1.9]);
  assertEquals([slices[0]?.from, slices[0]?.to, slices[7]?.to], [1, 15, 120]);
  assertEquals(
    slippageBySize(fills, { baseline: "gross" }).title,
    "Fills against the gross quote, by size: median −52.5 bps for the smallest eighth, +1.9 bps for " +
      "the largest",
  );
  const [young] = slippageSlices(fills, { by: "quote_age_seconds", baseline: "gross" });
  assertEquals(young?.median_bps, 1.9);
  assertStringIncludes(
    slippageByQuoteAge(fills, { baseline: "gross" }).title,
    "+1.9 bps for the youngest eighth",
  );
});

Deno.test("slippageSlices() has none for few fills, and rejects what it does not know", () => {
  assertEquals(slippageSlices(fills.slice(0, 29), { by: "volume_native" }), []);
  assertThrows(() => slippageSlices([], { by: "size" as never }), InputError, "size");
  assertThrows(
    () => slippageSlices([], { by: "volume_native", base: "net" } as never),
    InputError,
    "base",
  );
});

Deno.test("slippageGroups() are what slippageByPair() draws", () => {
  const rows = [-20, -10, 0, 10, 40].map((bps, place) => fill(place, { slippage_net_bps: bps }));
  const [group] = slippageGroups([...rows, fill(9, { pair: "B", slippage_net_bps: 7 })], {
    by: "pair",
  });
  // Quartiles of five values are the second and the fourth; the tenth is 0.4 of the way to the second.
  assertEquals(group, {
    name: "WETH → USDC",
    fills: 5,
    median_bps: 0,
    weighted_median_bps: 0,
    tenth_bps: -16,
    lower_quartile_bps: -10,
    upper_quartile_bps: 10,
    ninetieth_bps: 10 + (40 - 10) * (0.9 * 4 - 3),
    better_share: 0.4,
  });
  assertStringIncludes(slippageByPair(rows).svg, "middle half from −10.0 bps to +10.0 bps");
  assertThrows(() => slippageGroups([], { by: "kind" as never }), InputError, "kind");
});
