import { buildTable, WINNERS_CURSE } from "orderlens/tables";
import { assertEquals } from "@std/assert";

Deno.test("WINNERS_CURSE reads exact markouts, and counts fills without one or of unknown bidders", () => {
  const row = (
    bidder_count: number | null,
    markout_exact: string | null,
    solver_efficiency_exact = markout_exact,
  ) => ({ bidder_count, markout_exact, solver_efficiency_exact });
  const frame = buildTable(WINNERS_CURSE, {
    markouts: [
      row(1, "-1/1000", "0/1"),
      row(2, "1/3", "1/2"),
      row(2, null),
      row(null, "1/2"),
    ],
  });
  assertEquals(frame.toRecords().map((one) => Object.values(one)), [
    [1, 1, 0, -10, 0, 0, null, null],
    [2, 1, 1, 10_000 / 3, 5_000, 5_000, null, null],
    [null, 1, 0, 5_000, 5_000, null, null, null],
  ]);
});
