import type { SqlView } from "orderlens/sql";
import { runWithInput } from "../terminal/run_with_input.ts";
import { TaskError } from "../terminal/task_error.ts";

const HEAD = `# SQL

Views of \`orderlens/sql\`, generated from the files in \`views\` by
\`deno run -A tools/sql/write_dictionary.ts\`. Queries also name the tables of a dataset, which the
[data dictionary of tables](../tables/data_dictionary.md) describes. [SQL for
analysts](../../docs/sql.md) begins with amounts, functions and ten questions.

- Columns that end in \`_atoms\` are exact: BIGNUM in a session of DuckDB, where sums, comparisons and
  order are those of numbers, and text in files, with a minus sign if negative.
- Columns of type Float64 are the nearest doubles: for axes, not for sums.
- \`null\` means "unknown" or "does not apply", never zero.
- Views join by \`chain_id\` and \`environment\`: ids of auctions differ between environments.
`;

/** Formats the data dictionary of the views, as `deno fmt` wraps it. */
export async function formatSqlDictionary(views: readonly SqlView[]): Promise<string> {
  const { success, stdout, stderr } = await runWithInput({
    program: Deno.execPath(),
    args: ["fmt", "--ext=md", "-"],
    input: [HEAD, ...views.map(describe)].join("\n"),
  });
  if (!success) throw new TaskError(`Cannot format the data dictionary: ${stderr}`);
  return stdout;
}

function describe({ name, grain, key, tables, optional, columns }: SqlView): string {
  const sources = tables.map((table) => `\`${table}\``);
  const rows = columns.map((column) =>
    `| \`${column.name}\` | ${column.dtype} | ${column.unit ?? ""} | ${escape(column.text)} |`
  );
  return [
    `## ${name}`,
    "",
    `**${grain}.** Its key is ${key.map((column) => `\`${column}\``).join(", ")}.`,
    "",
    `From ${sources.join(", ")}${
      optional === null ? "" : `; without \`${optional}\`, as if it had no rows`
    }.`,
    "",
    "| column | dtype | unit | meaning |",
    "| --- | --- | --- | --- |",
    ...rows,
    "",
  ].join("\n");
}

function escape(text: string): string {
  return text.replaceAll("|", "\\|").replaceAll("*", "\\*");
}
