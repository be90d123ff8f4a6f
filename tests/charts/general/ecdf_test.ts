import pl from "nodejs-polars";
import { assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import { ecdf, type EcdfOptions } from "orderlens/charts";
import { createCurve, listMarks, listSteps } from "../../../lib/charts/general/ecdf.ts";
import { createOpenAxis } from "../../../lib/charts/axes/axis_scale.ts";
import { testPicture, testSays } from "../svg_marks.ts";

const AGES = [4, 1, 3, 2].map((quote_age_seconds) => ({ quote_age_seconds, kind: "sell" }));
const MORE = [10, 30].map((quote_age_seconds) => ({ quote_age_seconds, kind: "buy" }));
const ROWS = [...AGES, ...MORE, { quote_age_seconds: null, kind: "buy" }];
const OPTIONS = { x: "quote_age_seconds", series: "kind" };

Deno.test("listSteps() rises by one row at each value, from the left end to the right", () => {
  const points = [2, 1, 2, 5];
  const curve = createCurve({ name: "", label: "", color: "black", points });
  const axis = createOpenAxis(points, { label: "", unit: "", towards: "right" });
  assertEquals(listSteps(curve, axis), [
    { x: 0, share: 0 },
    { x: 1, share: 0.25 },
    { x: 2, share: 0.75 },
    { x: 5, share: 1 },
    { x: 5, share: 1 },
  ]);
});

Deno.test("listSteps() has about 1,000 corners where there are more values, and ends at 100%", () => {
  const points = Array.from({ length: 10_000 }, (_, at) => at);
  const steps = listSteps(
    createCurve({ name: "", label: "", color: "black", points }),
    createOpenAxis(points, { label: "", unit: "", towards: "right" }),
  );
  assertEquals(steps.length, 1_002);
  assertEquals(steps.slice(0, 3).map(({ share }) => share), [0, 0.001, 0.002]);
  // 10 of 10,000 values are at most 9.
  assertEquals(steps[1]!.x, 9);
  assertEquals(steps.at(-1)!.share, 1);
});

Deno.test("listMarks() are the median and the smallest values that reach 10%, 25%, 75% and 90%", () => {
  const points = Array.from({ length: 20 }, (_, at) => at + 1);
  const curve = createCurve({ name: "", label: "", color: "black", points });
  const axis = createOpenAxis(points, { label: "", unit: "", towards: "right" });
  assertEquals(listMarks(curve, axis).map(({ share, value }) => [share, value]), [
    [0.1, 2],
    [0.25, 5],
    [0.75, 15],
    [0.9, 18],
    [0.5, 10.5],
  ]);
});

const of = (values: readonly number[]) => ecdf(values.map((v) => ({ v })), { x: "v" });

testSays("ecdf", {
  "leaves out what has no number": [() => ecdf(ROWS, OPTIONS), 6],
  "has a logarithmic axis": [() => of([1, 10, 5_000]), ">V (logarithmic) →</text>"],
  "has an axis without 0": [() => of([3_000, 3_100]), "The axis does not start at 0"],
  "has an axis with signs": [() => of([-5, 4, 3]), ">+4</text>"],
  "has an axis that leaves out what is far": [
    () => of([...Array.from({ length: 99 }, (_, at) => at - 50), 90_000]),
    "1 value beyond the axis, up to +90,000 in size, shown at its edge",
  ],
});

testPicture(
  "ecdf",
  (rows, options) => ecdf(rows, { ...OPTIONS, ...options }),
  ROWS,
  "The median of 6 rows is 3.5 s; the middle 80% lie between 1.5 s and 20 s. The 2 series " +
    "have too few rows to tell whether their medians differ.",
  ["No rows in this range", []],
  ["No row in this range has a number in quote_age_seconds", ROWS.slice(-1)],
);

Deno.test("ecdf() draws a frame as its rows, and rejects what are no numbers", () => {
  assertEquals(ecdf(pl.DataFrame(ROWS), OPTIONS).svg, ecdf(ROWS, OPTIONS).svg);
  for (
    const [text, options] of [
      ["Cannot draw ecdf: the column kind is text", { x: "kind" }],
      ["Cannot draw ecdf without x", {}],
      ["Pass columns that the rows have: quote_age_seconds, kind", { x: "age" }],
    ] as const
  ) assertThrows(() => ecdf(ROWS, options as EcdfOptions), InputError, text);
});
