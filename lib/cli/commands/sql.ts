import { EXIT } from "../terminal/exit_code.ts";
import { counted } from "../terminal/in_words.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { usageError } from "../words/usage_error.ts";

/** `orderlens sql` */
export const SQL: CommandSpec = {
  name: "sql",
  summary: "Query a dataset in SQL, exact to the atom",
  description: "Tables, views such as fills, fees and leaderboard, and functions on amounts, in " +
    "DuckDB on this machine. The dataset is only read.",
  arguments: [
    { name: "<folder>", text: "folder of the dataset", values: "folder" },
    { name: "[query]", text: "one SELECT, or the name of a file with one", values: "file" },
  ],
  options: [
    { flags: "--list", text: "list tables, views and columns, with units" },
    { flags: "--csv", text: "print rows as CSV" },
    { flags: "--parquet <file>", text: "write rows into a Parquet file", values: "file" },
    { flags: "--memory <size>", text: "most memory, such as 2GB; what needs more uses the disk" },
  ],
  examples: [
    { words: "sql try --list", text: "What queries may name" },
    { words: 'sql try "SELECT * FROM leaderboard"', text: "One row for each solver" },
    {
      words: 'sql try "SELECT * FROM fills" --parquet fills.parquet',
      text: "Surplus and slippage of every fill, in a file",
    },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, given) {
    const [folder, word] = [given.word(0), given.words[1]];
    const [{ openSql }, action] = await Promise.all([
      import("../../sql/mod.ts"),
      import("../actions/sql_action.ts"),
    ]);
    const file = given.text("--parquet");
    const memoryLimit = given.text("--memory");
    using sql = await openSql(folder, { memoryLimit, output: file });
    if (given.has("--list")) {
      if (session.isJson) session.printJson("sql-relations", { relations: sql.relations });
      else session.print(...action.relationLines(sql.relations));
      return EXIT.done;
    }
    if (word === undefined) {
      throw usageError(`${given.cannot} without a query`, "Pass one after the folder, or --list");
    }
    const query = await action.queryOf(word);
    if (file !== undefined) {
      const rows = await action.writeRows(session, sql, { query, file });
      session.say(`${file}: ${counted(rows, "row")}`);
      if (session.isJson) session.printJson("sql-file", { file, rows });
      return EXIT.done;
    }
    const format = session.isJson ? "json" : given.has("--csv") ? "csv" : "table";
    await action.printRows(session, sql, { query, format });
    return EXIT.done;
  },
};
