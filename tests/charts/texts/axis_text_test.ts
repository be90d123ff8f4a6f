import { assertEquals } from "@std/assert";
import { axisText, percentText } from "../../../lib/charts/texts/label_text.ts";

Deno.test("axisText() writes 4 digits, and an exponent where it saves many zeros", () => {
  const texts = [0, 1.23456, 1234.56, 12_345.6, 999_999, 1.5e6, 1e-4, 2.5e-7, -3, -1e9].map(
    axisText,
  );
  assertEquals(texts, [
    "0",
    "1.235",
    "1235",
    "12,350",
    "1,000,000",
    "1.5e6",
    "0.0001",
    "2.5e−7",
    "−3",
    "−1e9",
  ]);
});

Deno.test("percentText() is never 0% or 100% of what is not", () => {
  const texts = [0, 0.0001, 0.023, 0.5, 0.987, 0.99999, 1, 1.5, -0.2].map(percentText);
  assertEquals(texts, [
    "0%",
    "<0.1%",
    "2.3%",
    "50%",
    "98.7%",
    ">99.9%",
    "100%",
    "150%",
    "−20%",
  ]);
});
