import { ABOUT_OPTIONS, type CommandSpec, FORMATS, usageError } from "../arguments/command_line.ts";
import { NODE_OPTIONS, TABLE_NAMES, TARGET_OPTIONS } from "../arguments/options.ts";
import { aligned, EXIT, grouped } from "../terminal/io.ts";

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
  async run(session, args) {
    const word = args.choice("--format", "format", FORMATS);
    const format = FORMATS.find((each) => each === word);
    if (format === undefined) {
      throw usageError(
        `${args.cannot} without a format`,
        `Pass --format with ${FORMATS.join(", ")}`,
      );
    }
    const { convertInto } = await import("../actions/dataset_actions.ts");
    const conversion = await convertInto(session, args.word(0), {
      format,
      output: args.words[1],
      tables: args.choices("--tables", "table", TABLE_NAMES),
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
  async run(session, args) {
    if (!args.has("--iceberg")) {
      throw usageError(`${args.cannot} without a kind`, "Pass --iceberg");
    }
    const folder = args.word(0);
    const into = args.text("--into") ?? `${folder.replace(/\/+$/, "")}-iceberg`;
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

/** `orderlens verify` */
export const VERIFY: CommandSpec = {
  name: "verify",
  summary: "Verify a dataset: hashes, keys, rows and references",
  description: "Exits with 6 on failure; prints one problem per line. " +
    "Gaps that the manifest names are no problem, and neither are settlements after their deadline.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    {
      flags: "--refetch <number>",
      text: "ask for so many random auctions and orders again, and compare",
    },
    {
      flags: "--recompute",
      text: "build the tables again, recompute winners, scores, fees, UIDs, and compare",
    },
    {
      flags: "--check-chain",
      text:
        "ask a node for the settlements again, and compare fills, fees and winners with the chain",
    },
    { flags: "--sample <number>", text: "with --check-chain: only so many random settlements" },
    ...NODE_OPTIONS,
    ...TARGET_OPTIONS,
  ],
  examples: [
    { words: "verify try", text: "The files and tables of a dataset" },
    { words: "verify try --recompute", text: "Also what follows from its answers" },
    {
      words: "verify week --check-chain --rpc-url http://localhost:8545",
      text: "Also every settlement, against a node",
    },
    {
      words: "verify week --refetch 20 --network mainnet",
      text: "Also twenty of its auctions and orders, as the service answers today",
    },
  ],
  permissions: ["read", "output", "ffi", "sys", "net", "env"],
  async run(session, args) {
    const { verifyAction } = await import("../actions/verify_action.ts");
    return await verifyAction(session, args);
  },
};

/** `orderlens describe` */
export const DESCRIBE: CommandSpec = {
  name: "describe",
  summary: "Tell what is in a dataset, what is not, and how to cite it",
  arguments: [{
    name: "<folder>",
    text: "folder of the dataset",
    values: "folder",
  }],
  examples: [
    { words: "describe try", text: "A dataset for people" },
    { words: "describe try --json", text: "The same for programs, with every column" },
  ],
  permissions: ["read", "ffi", "sys"],
  async run(session, args) {
    const { describeDataset, describeText } = await import("../../datasets/mod.ts");
    const description = await describeDataset(args.word(0));
    if (session.isJson) session.printJson("describe", description);
    else {
      const { isTerminal, columns } = session.io.out;
      session.write(
        describeText(description, isTerminal ? { columns: Math.max(40, columns) } : {}),
      );
    }
    return EXIT.done;
  },
};

/** `orderlens rebuild` */
export const REBUILD: CommandSpec = {
  name: "rebuild",
  summary: "Make all tables of a dataset again from its answers",
  description:
    "For datasets of an older version of Orderlens, and for lost or damaged tables. With --into, the dataset itself is only read. " +
    "Asks no deployment.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    {
      flags: "--into <folder>",
      text: "write a dataset there, new or empty, and only read this one",
      values: "folder",
    },
    ...ABOUT_OPTIONS,
  ],
  examples: [
    { words: "rebuild try", text: "The tables of a dataset" },
    { words: "rebuild week --into again", text: "The same in a folder of its own" },
    { words: "rebuild week --license CC-BY-4.0", text: "The license of a dataset, with all sums" },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  isResumable: true,
  async run(session, args) {
    const { rebuildAction } = await import("../actions/dataset_actions.ts");
    await rebuildAction(session, args);
    return EXIT.done;
  },
};

/** `orderlens merge` */
export const MERGE: CommandSpec = {
  name: "merge",
  summary: "Join datasets of one chain into a new one",
  description:
    "Ranges that may overlap, and environments such as production and staging. What two of them have is in the result once.",
  arguments: [{ name: "<folders...>", text: "folders of the datasets", values: "folder" }],
  options: [
    {
      flags: "--into <folder>",
      text: "folder of the new dataset; nothing may be there",
      values: "folder",
    },
  ],
  examples: [
    { words: "merge monday tuesday --into both", text: "Two ranges" },
    { words: "merge production staging --into both", text: "Both deployments of a network" },
  ],
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const into = args.text("--into");
    if (into === undefined) {
      throw usageError(
        `${args.cannot} without a place for the result`,
        "Pass --into with a folder",
      );
    }
    const { mergeAction } = await import("../actions/dataset_actions.ts");
    const isComplete = await mergeAction(session, { folders: args.words, into });
    return isComplete ? EXIT.done : EXIT.gaps;
  },
};
