import { assertEquals } from "@std/assert";
import { decodeCompetition } from "orderlens";
import { solutionsTable } from "orderlens/tables";
import { recordedObject } from "../schemas/recorded_bodies.ts";

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
