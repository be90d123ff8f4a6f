import fc from "fast-check";
import { assert, assertEquals, assertThrows } from "@std/assert";
import { InputError } from "orderlens";
import type { Cell, Dtype } from "orderlens/tables";
import { buildFrame } from "../../../lib/tables/columns/frame.ts";

function tableOf<Row>(dtype: Dtype, cell: (row: Row) => unknown) {
  const column = { name: "amount", dtype, unit: null, source: "test" };
  return {
    name: "amounts",
    columns: [{ ...column, cell: cell as (row: Row) => Cell }],
  };
}

const MAX_UINT256 = 2n ** 256n - 1n;

Deno.test("buildFrame() rejects values that polars would change: a bigint, an unsafe integer, NaN", () => {
  const cases: [cell: unknown, dtype: Dtype][] = [
    [5n, "String"],
    [5n, "Int64"],
    [5n, "Float64"],
    [2 ** 53, "Int64"],
    [1.5, "Int64"],
    [NaN, "Float64"],
    [Infinity, "Float64"],
    ["5", "Int64"],
    [undefined, "String"],
    [1, "Bool"],
  ];
  for (const [cell, dtype] of cases) {
    const error = assertThrows(() => buildFrame(tableOf(dtype, () => cell), [0, 1]), InputError);
    assert(error.message.startsWith(`Cannot put ${String(cell)} (${typeof cell}) into amounts.`));
    assert(error.message.includes("row: 0"));
  }
});

Deno.test("buildFrame() keeps every amount, double and integer", () => {
  fc.assert(fc.property(
    fc.array(fc.option(fc.bigInt({ min: -MAX_UINT256, max: MAX_UINT256 }))),
    fc.array(fc.option(fc.double({ noNaN: true, noDefaultInfinity: true }))),
    fc.array(fc.option(fc.maxSafeInteger())),
    (amounts, doubles, integers) => {
      const cases: [Dtype, Cell[]][] = [
        ["String", amounts.map((amount) => amount?.toString() ?? null)],
        ["Float64", doubles],
        ["Int64", integers],
      ];
      for (const [dtype, cells] of cases) {
        const table = tableOf<Cell>(dtype, (cell) => cell);
        assertEquals(buildFrame(table, cells).toRecords().map(({ amount }) => amount), cells);
      }
    },
  ));
});
