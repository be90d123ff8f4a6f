import { EXIT } from "../terminal/exit_code.ts";
import { aligned, grouped } from "../terminal/in_words.ts";
import type { CommandSpec } from "../words/command_spec.ts";
import { FORMATS } from "../words/formats.ts";
import { TABLE_NAMES } from "../words/table_names.ts";
import { usageError } from "../words/usage_error.ts";

/** `orderlens convert` */
export const CONVERT: CommandSpec = {
  name: "convert",
  summary: "Write the tables of a dataset in another format, with every digit",
  description: "CSV, NDJSON and Parquet become a folder with a file per table, SQLite one file. " +
    "An earlier conversion at the same place is replaced.",
  arguments: [
    { name: "<folder>", text: "folder of the dataset", values: "folder" },
    { name: "[output]", text: "where to write (beside the dataset)", values: "file" },
  ],
  options: [
    { flags: "--format <format>", text: "csv, ndjson, sqlite or parquet", values: FORMATS },
    { flags: "--tables <names>", text: "only these tables, separated by commas", values: "table" },
  ],
  examples: [
    { words: "convert try --format sqlite", text: "One database, try.sqlite" },
    {
      words: "convert try for_excel --format csv --tables trades,orders",
      text: "Two tables as CSV in a folder",
    },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, given) {
    const word = given.choice("--format", "format", FORMATS);
    const format = FORMATS.find((each) => each === word);
    if (format === undefined) {
      throw usageError(
        `${given.cannot} without a format`,
        `Pass --format with ${FORMATS.join(", ")}`,
      );
    }
    const { convertInto } = await import("../actions/convert_into.ts");
    const conversion = await convertInto(session, given.word(0), {
      format,
      output: given.words[1],
      tables: given.choices("--tables", "table", TABLE_NAMES),
    });
    if (session.isJson) session.printJson("conversion", conversion);
    else {
      session.print(
        `${conversion.output}: ${format}, rows by table`,
        ...aligned(conversion.tables.map(({ table, rows }) => [table, grouped(rows)])),
      );
    }
    return EXIT.done;
  },
};
