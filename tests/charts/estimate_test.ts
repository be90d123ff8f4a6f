import { InputError } from "orderlens";
import { estimate } from "orderlens/charts";
import { wilsonInterval } from "orderlens/metrics";
import pl from "nodejs-polars";
import { assert, assertEquals, assertThrows } from "@std/assert";

const FILLS = Array.from({ length: 40 }, (_, index) => ({
  solver: index % 4 === 3 ? "b" : "a",
  bidder_count: index % 2,
  bps: index === 5 ? null : index,
  is_better: index >= 10,
  volume: index + 1,
}));

Deno.test("estimate() has a row for each group, with its value, interval and number of rows", () => {
  const [a, b, ...more] = estimate(FILLS, { by: "solver", value: "bps" });
  assertEquals(more, []);
  // Of a: 0, 1, 2, 4, …, 38 without 5; of b: 3, 7, …, 39.
  assertEquals([a!.group, a!.value, a!.n, a!.left_out], ["a", 20, 29, 1]);
  assertEquals([b!.group, b!.value, b!.n, b!.left_out], ["b", 21, 10, 0]);
  assert(a!.low! < 20 && a!.high! > 20);
});

Deno.test("estimate() gives a frame, its rows and rows in another order the same estimates", () => {
  const query = { by: "solver", value: "bps", stat: "mean" } as const;
  const expected = estimate(FILLS, query);
  assertEquals(estimate(pl.DataFrame(FILLS), query), expected);
  assertEquals(estimate(FILLS.toReversed(), query), expected);
  assertEquals(estimate(FILLS, { ...query, seed: 1 }), expected);
});

Deno.test("estimate() has Wilson's interval of flags, in rows and in frames", () => {
  const expected = wilsonInterval(30, 40)!;
  for (const rows of [FILLS, pl.DataFrame(FILLS)]) {
    const [all] = estimate(rows, { value: "is_better", stat: "share" });
    assertEquals(all, {
      ...{ group: null, value: 0.75, ...expected },
      ...{ reason: null, n: 40, left_out: 0 },
    });
  }
});

Deno.test("estimate() sorts groups by number and by text, rows without a group last", () => {
  const rows = [10, null, 9, 10].map((bidders) => ({ bidders, bps: 1 }));
  const groups = (by: string, of: readonly object[]) =>
    estimate(of, { by, value: "bps" }).map(({ group, n }) => [group, n]);
  assertEquals(groups("bidders", rows), [[9, 1], [10, 2], [null, 1]]);
  const named = [{ name: "b", bps: 1 }, { name: "a", bps: 2 }, { name: "", bps: 3 }];
  assertEquals(groups("name", named), [["a", 1], ["b", 1], [null, 1]]);
  // As JSON, infinite numbers would be null.
  const infinite = [null, Infinity, -Infinity].map((bidders) => ({ bidders, bps: 1 }));
  assertEquals(groups("bidders", infinite).length, 3);
});

Deno.test("estimate() groups by several columns, in their order, of rows and frames", () => {
  const rows = [
    { solver: "b", bidders: 2, bps: 1 },
    { solver: "a", bidders: 10, bps: 2 },
    { solver: null, bidders: 2, bps: 3 },
    { solver: "a", bidders: 2, bps: 4 },
    { solver: "a", bidders: 10, bps: 5 },
  ];
  for (const input of [rows, pl.DataFrame(rows)]) {
    const groups = estimate(input, { by: ["solver", "bidders"], value: "bps" });
    assertEquals(groups.map(({ group: [solver, bidders], n }) => [solver, bidders, n]), [
      ["a", 2, 1],
      ["a", 10, 2],
      ["b", 2, 1],
      [null, 2, 1],
    ]);
    const [first] = estimate(input, { by: ["bidders"], value: "bps" });
    assertEquals([first!.group, first!.value], [[2], 3]);
  }
});

Deno.test("estimate() says why a group has no interval or no value", () => {
  const rows = [
    { group: "all null", bps: null, size: 1 },
    { group: "no weight", bps: 1, size: 0 },
    { group: "one row", bps: 7, size: 2 },
    ...Array.from({ length: 30 }, () => ({ group: "ties", bps: 3, size: 1 })),
    ...Array.from({ length: 30 }, (_, index) => ({ group: "weighted", bps: index, size: 1 })),
    { group: "weighted", bps: 500, size: 0 },
  ];
  const query = { by: "group", value: "bps", weight: "size" } as const;
  for (const input of [rows, pl.DataFrame(rows)]) {
    const means = estimate(input, { ...query, stat: "mean" });
    assertEquals(
      means.map(({ group, value, reason, n, left_out }) => [group, value, reason, n, left_out]),
      [
        ["all null", null, "no_values", 0, 1],
        ["no weight", null, "zero_weight", 0, 1],
        ["one row", 7, "too_few", 1, 0],
        ["ties", 3, "no_spread", 30, 0],
        ["weighted", 14.5, null, 30, 1],
      ],
    );
    assertEquals(means.map(({ low }) => low === null), [true, true, true, true, false]);
    const [, , , ties] = estimate(input, { ...query, stat: "median" });
    assertEquals([ties!.low, ties!.high, ties!.reason], [3, 3, null]);
  }
  // The rows of a ratio count, also where what it is divided by adds up to 0.
  const zero = [{ bps: 2, size: 0 }, { bps: 3, size: 0 }];
  const [ratio] = estimate(zero, { value: "bps", weight: "size", stat: "ratio" });
  assertEquals([ratio!.value, ratio!.reason, ratio!.n, ratio!.left_out], [
    null,
    "zero_weight",
    2,
    0,
  ]);
  assertEquals(estimate([] as typeof rows, query), []);
});

Deno.test("estimate() divides sums for a ratio, and weighs means", () => {
  const rows = [{ gas: 1, surplus: 4 }, { gas: 3, surplus: 4 }, { gas: 9, surplus: null }];
  const [ratio] = estimate(rows, { value: "gas", weight: "surplus", stat: "ratio" });
  assertEquals([ratio!.value, ratio!.n, ratio!.left_out], [0.5, 2, 1]);
  const weighted = [{ bps: 1, size: 3 }, { bps: 5, size: 1 }];
  assertEquals(estimate(weighted, { value: "bps", weight: "size", stat: "mean" })[0]!.value, 2);
});

Deno.test("estimate() names the column whose cells are no numbers", () => {
  const reject = (query: object, words: string) =>
    assertThrows(() => estimate(FILLS, query as never), InputError, words);
  reject({}, "value");
  reject({ value: "nothing" }, "nothing");
  reject({ value: "bps", by: ["solver", "pair"] }, "without pair");
  reject(
    { value: "bps", by: "pair" },
    "Pass columns that the rows have: solver, bidder_count, bps",
  );
  reject({ value: "bps", by: [] }, "by");
  reject({ value: "bps", by: [1] }, "by");
  reject({ value: "solver" }, "the column solver is text");
  reject({ value: "bps", stat: "ratio" }, "a ratio without weight");
  reject({ value: "bps", stat: "share" }, "the column bps has 2");
  reject({ value: "solver", stat: "share" }, "the column solver has a");
  reject({ value: "bps", weigth: "volume" }, "weigth");
  assertThrows(
    () => estimate([{ bps: 1, size: -1 }], { value: "bps", weight: "size" }),
    InputError,
    "the column size has the weight -1",
  );
});
