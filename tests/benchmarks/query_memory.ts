/**
 * Runs a query over a dataset, and prints the most memory that the process had:
 * `deno run -A tests/benchmarks/query_memory.ts FOLDER QUERY`.
 *
 * @module
 */
import { openSql } from "orderlens/sql";
import { report } from "../../tools/terminal/say.ts";

if (import.meta.main) {
  const [folder = "", query = ""] = Deno.args;
  using sql = await openSql(folder, { threads: 2 });
  const rows = await sql.query(query);
  const status = await Deno.readTextFile("/proc/self/status");
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  report(JSON.stringify({ rows: rows.length, megabytes: Number(kilobytes) / 1_000 }));
}
