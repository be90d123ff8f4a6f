import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { blockBins, timeBins } from "../../../lib/charts/fees/timeline_bins.ts";

Deno.test("blockBins() are 1, 2, 5, 10 … blocks wide, at most about 60", () => {
  const widths = [1, 60, 61, 300, 3_200, 1e15].map((span) => {
    const bins = blockBins([100, 99 + span]);
    const last = bins.indexOf(99 + span);
    assert(last <= 61, `${last} bins`);
    return bins.note;
  });
  assertEquals(widths, [
    "One bar is 1 block",
    "One bar is 1 block",
    "One bar is 2 blocks",
    "One bar is 5 blocks",
    "One bar is 100 blocks",
    "One bar is 20,000,000,000,000 blocks",
  ]);
});

Deno.test("blockBins() begin at a multiple of their width and name their blocks", () => {
  const bins = blockBins([123, 622]);
  assertEquals(bins.indexOf(129), 0);
  assertEquals(bins.indexOf(130), 1);
  assertEquals(bins.edgesOf(1), { x1: 130, x2: 140 });
  assertEquals(bins.titleOf(1), "blocks 130 to 139");
});

Deno.test("timeBins() are spans that people use, in UTC", () => {
  const at = (text: string) => Temporal.Instant.from(text).epochMilliseconds / 1_000;
  const hour = timeBins([at("2026-11-21T15:00:07Z"), at("2026-11-21T15:59:00Z")]);
  assertEquals(hour.note, "One bar is one minute");
  assertEquals(hour.titleOf(0), "from 2026-11-21 15:00:00 UTC");
  assertStringIncludes(String(hour.scale.label), "2026-11-21, UTC");
  assertEquals(timeBins([0, 86_400]).note, "One bar is 30 minutes");
  assertEquals(timeBins([0, 86_400 * 400]).note, "One bar is 7 days");
  assertEquals(timeBins([0, 86_400 * 36_500]).note, "One bar is 609 days");
  assertEquals(timeBins([5]).note, "One bar is one second");
});
