import { assertEquals } from "@std/assert";
import { fairGainTable } from "orderlens/tables";
import { cells } from "../made_up.ts";
import { competitions, orders } from "../market.ts";

/** What is counted of the recorded market. */
const rows = fairGainTable(competitions, { orders }).toRecords();

Deno.test("fairGainTable() has what the auction filtered on its first row alone", () => {
  const ids = new Set<unknown>();
  for (const row of rows) {
    assertEquals(row.solution_count !== null, !ids.has(row.auction_id));
    ids.add(row.auction_id);
  }
  const sum = (column: string) => rows.reduce((all, row) => all + BigInt(row[column] ?? 0), 0n);
  // As counted from the recorded bodies in Python.
  assertEquals([sum("filtered_count"), sum("solution_count")], [365n, 1798n]);
  assertEquals(sum("lost_score_atoms"), 411_806_214_788_228_356n);
  assertEquals(sum("total_score_atoms"), 5_180_621_073_009_082_046n);
  assertEquals(sum("gain_native_atoms"), 44_472_915_907_515_069n);
});

Deno.test("fairGainTable() measures the gain in basis points of what the benchmark gives", () => {
  const batches = rows.filter(({ is_batch, gain_bps }) => is_batch === true && gain_bps !== null)
    .map(({ gain_bps }) => Number(gain_bps)).sort((a, b) => a - b);
  assertEquals([batches.length, batches[0], batches[9], batches.at(-1)], [
    18,
    8.257704189676364,
    24.80741419183412,
    25.19571196210618,
  ]);
});

Deno.test("fairGainTable() says what is missing: orders, a benchmark, what was filtered", () => {
  const [blind] = cells(fairGainTable(competitions.slice(0, 1)), "gain_atoms", "gaps");
  assertEquals(blind, [null, "order, auction_time"]);
  const alone = rows.find(({ benchmark_ranking }) => benchmark_ranking === null);
  assertEquals([alone?.gain_atoms, alone?.gain_bps, alone?.gaps], [
    null,
    null,
    "benchmark, auction_time",
  ]);
  const old = fairGainTable(competitions.slice(0, 1), { orders, isFilterStored: () => false });
  assertEquals(cells(old, "filtered_count", "lost_score_atoms")[0], [null, null]);
  assertEquals(`${cells(old, "gaps")[0]}`.includes("filter"), true);
});
