/**
 * Runs `fills` over a dataset into a Parquet file, and prints the most memory that the process had:
 * `deno run -A tests/benchmarks/query_memory.ts FOLDER OUTPUT`.
 *
 * @module
 */
import { openSql } from "orderlens/sql";
import { report } from "../../tools/terminal/say.ts";

/**
 * What the database may have, less than the joins of a million fills need; the rest is the program,
 * and vectors on their way into it.
 */
const MEMORY = "600MB";
const QUERY = "SELECT chain_id, block_number, log_index, surplus, slippage_gross, slippage_net, " +
  "surplus_bps_of_limit FROM fills";

if (import.meta.main) {
  const [folder = "", output = ""] = Deno.args;
  using sql = await openSql(folder, { memoryLimit: MEMORY, output });
  const { rows } = await sql.write(QUERY, output);
  const status = await Deno.readTextFile("/proc/self/status");
  const [, kilobytes] = /^VmHWM:\s+(\d+) kB/m.exec(status) ?? [];
  report(JSON.stringify({ rows, megabytes: Number(kilobytes) / 1_000 }));
}
