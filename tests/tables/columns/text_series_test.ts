import fc from "fast-check";
import { assertEquals } from "@std/assert";
import { textSeries } from "../../../lib/tables/columns/frame.ts";

Deno.test("textSeries() returns every text, whether texts repeat or not", () => {
  const cases = [
    [],
    ["a"],
    [null, null],
    Array.from({ length: 1_000 }, (_, index) => `${index}`),
    Array.from({ length: 1_000 }, (_, index) => index % 7 === 0 ? null : `${index % 3}`),
    Array.from({ length: 1_000 }, () => null),
    Array.from({ length: 1_000 }, (_, index) => index < 500 ? "" : `${index}`),
    Array.from({ length: 1_000 }, (_, index) => index < 500 ? `${index}` : "ä → €"),
  ];
  for (const cells of cases) {
    const series = textSeries("text", [...cells]);
    assertEquals([series.name, series.dtype.variant], ["text", "String"]);
    assertEquals<unknown>(series.toArray(), cells);
  }
});

Deno.test("textSeries() is the same for repeated texts and for distinct ones", () => {
  const repeating = fc.array(fc.option(fc.string({ unit: "binary", maxLength: 2 })), {
    minLength: 500,
    maxLength: 900,
  });
  fc.assert(
    fc.property(repeating, (cells) => {
      assertEquals<unknown>(textSeries("text", cells).toArray(), cells);
    }),
    { numRuns: 8 },
  );
});
