import { InputError } from "orderlens";
import { compareRows } from "orderlens/sql";
import { assertEquals, assertThrows } from "@std/assert";

const ROWS = [{ id: 1, atoms: "10", bps: 0.5 }, { id: 2, atoms: null, bps: -0 }];

Deno.test("rows are equal in any order, and whole numbers of both types", () => {
  const other = [{ bps: -0, id: 2n, atoms: null, more: 1 }, { id: 1n, atoms: "10", bps: 0.5 }];
  assertEquals(compareRows(ROWS, other, { key: ["id"], columns: ["id", "atoms", "bps"] }), {
    rows: 2,
    columns: ["id", "atoms", "bps"],
    cells: 6,
    differences: [],
  });
});

Deno.test("nothing is rounded, and text is no number", () => {
  const other = [{ id: 1, atoms: 10, bps: 0.5000000000000001 }, { id: 2, atoms: "0", bps: 0 }];
  const { differences } = compareRows(ROWS, other, { key: ["id"] });
  assertEquals(differences, [
    { key: "id 1", column: "atoms", one: "10", other: 10 },
    { key: "id 1", column: "bps", one: 0.5, other: 0.5000000000000001 },
    { key: "id 2", column: "atoms", one: null, other: "0" },
  ]);
  const except = ["atoms", "bps"];
  assertEquals(compareRows(ROWS, other, { key: ["id"], except }).columns, ["id"]);
  const [one, two] = [[{ id: 1, n: 2n ** 64n }], [{ id: 1, n: 2 ** 64 + 4096 }]];
  assertEquals(compareRows(one, two, { key: ["id"] }).differences.length, 1);
});

Deno.test("rows that only one of both has are differences", () => {
  const { rows, cells, differences } = compareRows(ROWS, ROWS.slice(1), { key: ["id"] });
  assertEquals([rows, cells], [1, 3]);
  assertEquals(differences, [{ key: "id 1", column: null, one: ROWS[0], other: undefined }]);
  assertEquals(compareRows([], ROWS, { key: ["id"] }).differences.length, 2);
  assertEquals(compareRows([], [], { key: ["id"] }).cells, 0);
});

Deno.test("a key that is missing or not unique is refused", () => {
  assertThrows(() => compareRows(ROWS, ROWS, { key: ["uid"] }), InputError, "no column uid");
  const twice = [...ROWS, ROWS[0]!];
  assertThrows(() => compareRows(ROWS, twice, { key: ["id"] }), InputError, "the key id 1");
});
