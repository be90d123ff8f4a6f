import { EXIT } from "../terminal/exit_code.ts";
import { aligned, grouped } from "../terminal/in_words.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { usageError } from "../words/usage_error.ts";

/** `orderlens publish` */
export const PUBLISH: CommandSpec = {
  name: "publish",
  summary: "Register the files of a dataset as they lie as Iceberg tables",
  description:
    "A catalogue in a folder of its own names the Parquet files, which are not copied: " +
    "Trino, Snowflake, Spark and pyiceberg read the tables from there. Needs Python; pyiceberg is " +
    "installed when first asked for.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    { flags: "--iceberg", text: "as Iceberg tables" },
    {
      flags: "--into <folder>",
      text: "a new folder for the catalogue (<folder>-iceberg)",
      values: "folder",
    },
  ],
  examples: [{ words: "publish try --iceberg", text: "A catalogue in try-iceberg" }],
  permissions: ["read", "write", "run", "env"],
  async run(session, given) {
    if (!given.has("--iceberg")) {
      throw usageError(`${given.cannot} without a kind`, "Pass --iceberg");
    }
    const folder = given.word(0);
    const into = given.text("--into") ?? `${folder.replace(/\/+$/, "")}-iceberg`;
    const { publishIceberg } = await import("../../datasets/publishing/publish_iceberg.ts");
    const tables = await publishIceberg(folder, into, {
      onStep: (text) => session.say(text),
      signal: session.signal,
    });
    if (session.isJson) session.printJson("publication", { into, tables });
    else {
      session.print(
        `${into}: Iceberg, rows by table`,
        ...aligned(Object.entries(tables).map(([table, rows]) => [table, grouped(rows)])),
      );
    }
    return EXIT.done;
  },
};
