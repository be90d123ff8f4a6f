import { assert, assertAlmostEquals, assertEquals } from "@std/assert";
import { cutText, textWidth, wrapText } from "../../../lib/charts/texts/label_text.ts";

Deno.test("textWidth() is the width of DejaVu Sans, whose digits are 0.64 of an em", () => {
  assertAlmostEquals(textWidth("1234567890", { size: 10 }), 64, 0.001);
  assertAlmostEquals(textWidth("il", { size: 100 }), 56, 0.001);
  assertEquals(textWidth("", { size: 10 }), 0);
  assert(textWidth("name", { size: 10, bold: true }) > textWidth("name", { size: 10 }));
  assertEquals(textWidth("→漢", { size: 10 }), 20, "other characters are rather too wide");
});

Deno.test("wrapText() breaks at spaces, and words that are too long anywhere", () => {
  const style = { size: 10 };
  assertEquals(wrapText("one two three", 45, style), ["one two", "three"]);
  assertEquals(wrapText("1234567890", 32, style), ["12345", "67890"]);
  assertEquals(wrapText("", 32, style), []);
  for (const line of wrapText("any words that are here, antidisestablishmentarianism", 70, style)) {
    assert(textWidth(line, style) <= 70, line);
  }
});

Deno.test("cutText() keeps both ends of a text, or the beginning of one that was cut there", () => {
  const style = { size: 10 };
  assertEquals(cutText("short", 100, style), "short");
  assertEquals(cutText("0123456789", 48, style), "012…89");
  assertEquals(cutText("…123456789", 48, style), "…1234…");
  assertEquals(cutText("0123456789", 1, style), "…");
});
