import { assertEquals } from "@std/assert";
import { alikeTexts, bpsText, bpsTexts } from "../../../lib/charts/texts/alike_texts.ts";
import { percentTexts } from "../../../lib/charts/texts/label_text.ts";

Deno.test("alikeTexts() gives numbers that stand together the same decimals", () => {
  assertEquals(alikeTexts([0.00318, 0.001302, 0.003623]), ["0.003180", "0.001302", "0.003623"]);
  assertEquals(alikeTexts([4, 0.5]), ["4.0", "0.5"]);
  assertEquals(alikeTexts([12_000, -3]), ["12,000", "−3"]);
  assertEquals(alikeTexts([0, 0]), ["0", "0"]);
});

Deno.test("alikeTexts() gives all an exponent where one needs it", () => {
  assertEquals(alikeTexts([1e-5, 0.0001, 0]), ["1e−5", "1e−4", "0"]);
  assertEquals(alikeTexts([1.5e30, 2e30]), ["1.5e30", "2.0e30"]);
  assertEquals(alikeTexts([0.8861, 2.5e-5, 0]), ["0.8861", "2.5e−5", "0"]);
  assertEquals(alikeTexts([3e6, 12]), ["3e6", "12"]);
});

Deno.test("bpsTexts() has one decimal in a column: −10.0 beside −9.9", () => {
  assertEquals(bpsTexts([-10, -9.94, 0, 3]), ["−10.0 bps", "−9.9 bps", "0.0 bps", "+3.0 bps"]);
  assertEquals(bpsTexts([0.02, 3]), ["+0.02 bps", "+3.00 bps"]);
});

Deno.test("bpsText() has one decimal, and two digits of what would read as zero", () => {
  const texts = [0, 1, -52.54, 0.0312, 12_345.67, -1e9].map(bpsText);
  assertEquals(texts, [
    "0 bps",
    "+1.0 bps",
    "−52.5 bps",
    "+0.031 bps",
    "+12,345.7 bps",
    "−1e9 bps",
  ]);
});

Deno.test("percentTexts() has a decimal in all where one has it", () => {
  assertEquals(percentTexts([0.881, 0.05, 0.047, 1]), ["88.1%", "5.0%", "4.7%", "100%"]);
  assertEquals(percentTexts([0.5, 0.25]), ["50%", "25%"]);
});
