import { assertEquals, assertThrows } from "@std/assert";
import { decodeCompetition, InputError } from "orderlens";
import { SOLUTIONS, solutionsTable } from "orderlens/tables";
import { buildFrame } from "../../lib/tables/frame.ts";
import { recordedObject } from "../schemas/recorded_bodies.ts";

function dtypesOf(frame: { schema: Record<string, { variant: string }> }): [string, string][] {
  return Object.entries(frame.schema).map(([name, { variant }]) => [name, variant]);
}

const declared = SOLUTIONS.columns.map(({ name, dtype }): [string, string] => [name, dtype]);

Deno.test("solutionsTable() has the declared columns, also without rows", () => {
  const competition = decodeCompetition(recordedObject("competition_v2"));
  for (const competitions of [[], [competition]]) {
    assertEquals(dtypesOf(solutionsTable(competitions) as never), declared);
  }
});

Deno.test("solutionsTable() gives one row a solution, by ranking, every digit kept", () => {
  const body = recordedObject("competition_v2", (one) => (one.solutions as []).length > 2);
  const solutions = (body.solutions as { ranking: number; score: string }[]).map((solution) =>
    solution.ranking === 1 ? { ...solution, score: (2n ** 256n - 1n).toString() } : solution
  );
  const records = solutionsTable([decodeCompetition({ ...body, solutions })]).toRecords();
  assertEquals(records.map((row) => row.ranking), solutions.map((_, index) => index + 1));
  assertEquals(
    records[0]!.score,
    "115792089237316195423570985008687907853269984665640564039457584007913129639935",
  );
  assertEquals(
    records[0]!.score_native,
    115792089237316195423570985008687907853269984665640564039457.58401,
  );
});

Deno.test("buildFrame() refuses a bigint, an unsafe integer and a cell of another kind", () => {
  const table = (cell: () => unknown, dtype: "String" | "Int64") => ({
    name: "amounts",
    grain: "One amount",
    columns: [{ name: "amount", dtype, unit: null, source: "test", cell: cell as () => string }],
  });
  for (
    const [cell, dtype] of [
      [() => 5n, "String"],
      [() => 2 ** 53, "Int64"],
      [() => "5", "Int64"],
      [() => undefined, "String"],
    ] as const
  ) {
    assertThrows(() => buildFrame(table(cell, dtype), [0]), InputError, "amounts.amount");
  }
});
