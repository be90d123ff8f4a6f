/**
 * Runs a query over a dataset, and prints the most memory that the process had:
 * `deno run -A tests/benchmarks/query_memory.ts FOLDER QUERY [MEMORY]`.
 *
 * @module
 */
import { openSql } from "orderlens/sql";
import { report } from "../../tools/terminal/say.ts";
import { peakBytes } from "./benchmark_program.ts";

if (import.meta.main) {
  const [folder = "", query = "", memoryLimit] = Deno.args;
  using sql = await openSql(folder, { threads: 2, memoryLimit });
  const rows = await sql.query(query);
  report(JSON.stringify({ rows: rows.length, megabytes: await peakBytes() / 1_024_000 }));
}
