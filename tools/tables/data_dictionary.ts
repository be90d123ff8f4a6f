import type { Table } from "orderlens/tables";
import { runWithInput } from "../terminal/run_with_input.ts";
import { TaskError } from "../terminal/task_error.ts";
import { describeTables } from "./describe_tables.ts";

/**
 * Formats the data dictionary of tables, as `deno fmt` wraps it.
 *
 * @throws {TaskError} If the formatter rejects it.
 */
export async function formatDataDictionary(tables: readonly Table[]): Promise<string> {
  const { success, stdout, stderr } = await runWithInput({
    program: Deno.execPath(),
    args: ["fmt", "--ext=md", "-"],
    input: describeTables(tables),
  });
  if (!success) throw new TaskError(`Cannot format the data dictionary: ${stderr}`);
  return stdout;
}
