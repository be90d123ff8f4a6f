import {
  ABOUT_OPTIONS,
  type CommandSpec,
  deferRun,
  FORMATS,
  NODE_OPTIONS,
  readNetworkName,
  TABLE_NAMES,
  TARGET_OPTIONS,
  WALKS,
} from "../arguments/command_line.ts";
import { alignPairs, EXIT, formatCount } from "../terminal/io.ts";

const FOLDER = { "<folder>": "folder of the dataset, or the name of one that ships: market_1" };

/** `orderlens export` */
export const EXPORT: CommandSpec = {
  name: "export",
  summary: "Export auctions or orders as a dataset, or resume an export",
  description: "Needs a deployment and exactly one selection: dates, IDs, blocks, the newest " +
    "auctions, an account or UIDs. The same command resumes an export that was interrupted; what " +
    "can no longer change is never requested twice. An export of more than 30 minutes prints its " +
    "plan before it starts.",
  arguments: { "<folder>": "folder of the dataset" },
  options: {
    ...TARGET_OPTIONS,
    "--from <date>": "auctions from this day or time (UTC) on",
    "--to <date>": "end of the range, exclusive",
    "--auctions <A..B>": "a range of auction IDs",
    "--blocks <A..B>": "a range of blocks",
    [`--discover-by <${WALKS.join("|")}>`]:
      "settlements: only the auctions that settled in these blocks or dates, by the logs of --rpc-url",
    "--last <number>": "the newest N auctions",
    "--owner <address>": "the orders of an account",
    "--uids <file>": "the orders whose UIDs are in a text file (- reads stdin)",
    "--tables <tables>": "only these tables, separated by commas",
    "--no-trades": "leave out the fills of orders",
    "--no-debug-reports": "leave out debug reports",
    "--no-block-times": "leave out block timestamps, even with a node",
    "--no-settlements": "leave out settlements, even with a node",
    "--follow":
      "continue with new auctions until stopped; with --last, --from without --to, or --auctions A..",
    "--rate <number>":
      "most requests a minute, of all exports on this machine together (80 for public networks)",
    "--max-requests <number>": "stop after N requests; the same command resumes",
    [`--format <${FORMATS.join("|")}>`]:
      "also write the tables in this format (Parquet is always written)",
    ...ABOUT_OPTIONS,
    "--dry-run": "only print the plan, and write nothing",
    ...NODE_OPTIONS,
  },
  examples: {
    "export try --recording market_1 --last 20": "Twenty auctions of a recording",
    "export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run":
      "The plan of a week of mainnet",
    "export mine --network xdai --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e":
      "All orders of an account",
  },
  permissions: ["read", "write", "ffi", "sys", "net", "env"],
  isResumable: true,
  run: deferRun(() => import("../actions/export_action.ts")),
};

/** `orderlens convert` */
export const CONVERT: CommandSpec = {
  name: "convert",
  summary: "Convert the tables of a dataset to another format, with every digit",
  description: "CSV, NDJSON and Parquet become a folder with a file per table, SQLite one file. " +
    "Replaces an earlier conversion in the same place.",
  arguments: { ...FOLDER, "[output]": "where to write (beside the dataset)" },
  options: {
    [`--format <${FORMATS.join("|")}>`]: "format to write",
    "--tables <tables>": "only these tables, separated by commas",
  },
  examples: {
    "convert try --format sqlite": "One database, try.sqlite",
    "convert try for_excel --format csv --tables trades,orders": "Two tables as CSV in a folder",
  },
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const format = args.choice("--format", FORMATS);
    if (format === undefined) {
      throw args.error("without a format", `Pass --format with ${FORMATS.join(", ")}`);
    }
    const { convertInto } = await import("../actions/dataset_actions.ts");
    const conversion = await convertInto(session, args.word(0), {
      format,
      output: args.words[1],
      tables: args.choices("--tables", TABLE_NAMES),
    });
    if (session.isJson) session.printJson("conversion", conversion);
    else {
      session.print(
        `${conversion.output}: ${format}, rows by table`,
        ...alignPairs(conversion.tables.map(({ table, rows }) => [table, formatCount(rows)])),
      );
    }
    return EXIT.done;
  },
};

/** `orderlens verify` */
export const VERIFY: CommandSpec = {
  name: "verify",
  summary: "Verify a dataset: hashes, keys, rows and references",
  description: "Exits with 6 on failure; prints one problem per line. Gaps that the manifest " +
    "names are not problems, nor are settlements after their deadline.",
  arguments: FOLDER,
  options: {
    "--refetch <number>": "fetch N random auctions, orders and absent IDs again, and compare",
    "--recompute": "rebuild the tables, recompute winners, scores, fees and UIDs, and compare",
    "--check-chain":
      "fetch the settlements from a node again, and compare fills, fees and winners with the chain",
    "--sample <number>": "with --check-chain: only N random settlements",
    "--seed <number>": "with --refetch or --sample: repeat a draw; its output names the seed",
    ...NODE_OPTIONS,
    ...TARGET_OPTIONS,
  },
  examples: {
    "verify try": "The files and tables of a dataset",
    "verify try --recompute": "Also what follows from its answers",
    "verify week --check-chain --rpc-url http://localhost:8545":
      "Also every settlement, against a node",
    "verify week --refetch 20 --network mainnet":
      "Also twenty of its auctions and orders, as the service answers today",
  },
  permissions: ["read", "output", "ffi", "sys", "net", "env"],
  run: deferRun(() => import("../actions/verify_action.ts")),
};

/** `orderlens describe` */
export const DESCRIBE: CommandSpec = {
  name: "describe",
  summary: "Describe a dataset: what it has, what it lacks, and how to cite it",
  arguments: FOLDER,
  examples: {
    "describe try": "A dataset for people",
    "describe try --json": "The same for programs, with every column",
  },
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
  summary: "Rebuild all tables of a dataset from its answers",
  description: "For datasets of an older version of Orderlens, and for lost or damaged tables. " +
    "With --into, the dataset itself is only read. Sends no requests.",
  arguments: FOLDER,
  options: {
    "--into <folder>": "write the result to this new or empty folder, and only read the dataset",
    ...ABOUT_OPTIONS,
  },
  examples: {
    "rebuild try": "The tables of a dataset",
    "rebuild week --into again": "The same in a folder of its own",
    "rebuild week --license CC-BY-4.0": "The license of a dataset, with all checksums",
  },
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
  summary: "Merge datasets of one deployment into a new one",
  description: "Of ranges, which may overlap. What several datasets have is in the result once. " +
    "Those of production and staging stay apart: sql reads them side by side.",
  arguments: { "<folders...>": "folders of the datasets, or names of those that ship" },
  options: { "--into <folder>": "folder of the new dataset, which must not exist" },
  examples: {
    "merge monday tuesday --into both": "Two ranges",
  },
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const destination = args.text("--into");
    if (destination === undefined) {
      throw args.error("without a place for the result", "Pass --into with a folder");
    }
    const { mergeAction } = await import("../actions/dataset_actions.ts");
    const isComplete = await mergeAction(session, { folders: args.words, destination });
    return isComplete ? EXIT.done : EXIT.gaps;
  },
};

/** `orderlens report week` */
export const REPORT_WEEK: CommandSpec = {
  name: "report week",
  summary: "Write the report of one accounting week of a dataset, as one HTML file",
  description:
    "Who won, what solvers earned, fees, wins that were not settled, slippage, the method " +
    "and how to cite the dataset. The file loads nothing, and prints.",
  arguments: { ...FOLDER, "<file>": "the page, ending in .html" },
  options: {
    "--week <date>": "first day of the week, a Tuesday (the only one)",
    "--rewards-of <network>": "whose rules reward the solvers (those of the dataset's network)",
    "--cow-price <atoms>": "native atoms for one COW (unknown)",
  },
  examples: { "report week try week.html --week 2026-11-17": "One of several weeks" },
  permissions: ["read", "write", "ffi", "sys", "temporary"],
  async run(session, args) {
    const [folder, file] = [args.word(0), args.word(1)];
    const rewardsOf = readNetworkName(args, "--rewards-of");
    const { weekReport } = await import("../../market/mod.ts");
    const { writePage } = await import("../actions/inspect_action.ts");
    await writePage(
      args,
      file,
      await weekReport(folder, {
        week: args.text("--week"),
        rewardsOf,
        cowPrice: args.text("--cow-price"),
      }),
    );
    if (session.isJson) session.printJson("report", { folder, file });
    else session.print(file);
    return EXIT.done;
  },
};
