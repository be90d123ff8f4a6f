import { NETWORKS } from "../../networks/networks.ts";
import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens sql-view` */
export const SQL_VIEW: CommandSpec = {
  name: "sql-view",
  summary: "Print a view of `orderlens sql` as one query for another engine",
  description: "With the views that it reads in front of it, and functions on amounts as the " +
    "engine has them: duckdb, spark, trino or dune. Its tables are those of a dataset.",
  arguments: [{ name: "<view>", text: "name of the view, such as fills" }],
  options: [
    { flags: "--dialect <engine>", text: "duckdb, spark, trino or dune (default: duckdb)" },
    {
      flags: "--rules-of <network>",
      text: "reward rules for a deployment without a name",
      values: "network",
    },
  ],
  examples: [
    { words: "sql-view leaderboard --dialect dune", text: "The leaderboard, for Dune" },
  ],
  permissions: ["read", "ffi", "sys"],
  async run(session, given) {
    const { viewText } = await import("../../sql/mod.ts");
    const name = given.word(0);
    const dialect = (given.text("--dialect") ?? "duckdb") as "duckdb";
    const rulesOf = given.choice("--rules-of", "network", Object.keys(NETWORKS));
    const text = await viewText(name, dialect, { rulesOf });
    if (session.isJson) session.printJson("sql-view", { name, dialect, query: text });
    else session.print(text.trimEnd());
    return EXIT.done;
  },
};
