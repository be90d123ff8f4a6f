import {
  ABOUT_OPTIONS,
  type CommandSpec,
  deferRun,
  FORMATS,
  NODE_OPTIONS,
  readRewardTerms,
  REWARD_OPTIONS,
  TABLE_NAMES,
  TARGET_OPTIONS,
  WALKS,
} from "../arguments/command_line.ts";
import { align, EXIT, formatCount } from "../terminal/io.ts";

const FOLDER = { "<folder>": "folder of the dataset, or name of a shipped one: market_1" };

/** `orderlens export` */
export const EXPORT: CommandSpec = {
  name: "export",
  summary: "Export auctions or orders as a dataset, or resume an export",
  description: "Requires a deployment and exactly one selection: dates, IDs, blocks, the newest " +
    "auctions, an account, or UIDs. Run the same command again to resume an interrupted export; " +
    "final data is never requested twice. An export of more than 30 minutes prints its " +
    "plan first.",
  arguments: { "<folder>": "folder of the dataset" },
  options: {
    ...TARGET_OPTIONS,
    "--from <date>": "start of a range of dates: a day or a time (UTC)",
    "--to <date>": "end of the range, exclusive",
    "--auctions <A..B>": "range of auction IDs",
    "--blocks <A..B>": "range of blocks",
    [`--discover-by <${WALKS.join("|")}>`]:
      "settlements: export only auctions that settled in these blocks or dates, found in the logs of --rpc-url",
    "--last <number>": "newest N auctions",
    "--owner <address>": "orders of an account",
    "--uids <file>": "orders whose UIDs are in a text file (- reads stdin)",
    "--tables <tables>": "only these tables, separated by commas",
    "--no-trades": "skip fills",
    "--no-debug-reports": "skip debug reports",
    "--no-block-times": "skip block timestamps, even with a node",
    "--no-settlements": "skip settlements, even with a node",
    "--instances <url>":
      "also export what solvers were asked to solve, from the store at this URL, with {id} for the auction ID; it keeps them for about a month",
    "--follow":
      "keep exporting new auctions until stopped; requires --last, --from without --to, or --auctions A..",
    "--rate <number>":
      "maximum requests per minute, shared by all exports on this machine (80 for public networks)",
    "--max-requests <number>": "stop after N requests; the same command resumes",
    [`--format <${FORMATS.join("|")}>`]:
      "also write the tables in this format (Parquet is always written)",
    ...ABOUT_OPTIONS,
    "--dry-run": "print the plan, and write nothing",
    ...NODE_OPTIONS,
  },
  examples: {
    "export try --recording market_1 --last 20": "Export twenty auctions from a recording",
    "export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run":
      "Plan the export of a week of mainnet",
    "export mine --network xdai --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e":
      "Export all orders of an account",
  },
  permissions: ["read", "write", "ffi", "sys", "net", "env"],
  isResumable: true,
  run: deferRun(async () => (await import("../actions/export_action.ts")).run),
};

/** `orderlens convert` */
export const CONVERT: CommandSpec = {
  name: "convert",
  summary: "Convert the tables of a dataset to another format, with full precision",
  description:
    "Writes CSV, NDJSON and Parquet as a folder with one file per table, and SQLite as one " +
    "file. Replaces an earlier conversion at the same path.",
  arguments: { ...FOLDER, "[output]": "where to write (next to the dataset)" },
  options: {
    [`--format <${FORMATS.join("|")}>`]: "format to write",
    "--tables <tables>": "only these tables, separated by commas",
    "--partition <day>": "a folder per table, with one file per UTC day",
  },
  examples: {
    "convert try --format sqlite": "One database, try.sqlite",
    "convert try for_excel --format csv --tables trades,orders": "Two tables as CSV in a folder",
  },
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const format = args.choice("--format", FORMATS);
    if (format === undefined) {
      throw args.error("without a format", `Pass --format with one of ${FORMATS.join(", ")}`);
    }
    const { convertInto } = await import("../actions/dataset_actions.ts");
    const conversion = await convertInto(session, args.word(0), {
      format,
      output: args.words[1],
      tables: args.choices("--tables", TABLE_NAMES),
      partition: args.choice("--partition", ["day"]),
    });
    if (session.isJson) session.printJson("conversion", conversion);
    else {
      session.print(
        `${conversion.output}: ${format}, rows by table`,
        ...align(conversion.tables.map(({ table, rows }) => [table, formatCount(rows)])),
      );
    }
    return EXIT.done;
  },
};

/** `orderlens verify` */
export const VERIFY: CommandSpec = {
  name: "verify",
  summary: "Verify a dataset: hashes, keys, rows and references",
  description:
    "Prints one problem per line, and exits with 6 if there is any. Gaps listed in the " +
    "manifest and settlements after their deadline are not problems.",
  arguments: FOLDER,
  options: {
    "--refetch <number>": "refetch N random auctions, N orders and N absent IDs, and compare them",
    "--recompute": "rebuild the tables, recompute winners, scores, fees and UIDs, and compare them",
    "--check-chain":
      "refetch settlements from a node, and compare fills, fees and winners with the chain",
    "--sample <number>": "with --check-chain: check only N random settlements",
    "--signer <key>":
      "public key, or file of one, that must have signed manifest.json with ssh-keygen or minisign",
    "--seed <number>":
      "with --refetch or --sample: seed that an earlier run printed, to repeat its sample",
    ...NODE_OPTIONS,
    ...TARGET_OPTIONS,
  },
  examples: {
    "verify try": "Check the files and tables of a dataset",
    "verify try --recompute": "Also recompute what follows from its responses",
    "verify week --check-chain --rpc-url http://localhost:8545":
      "Also check every settlement against a node",
    "verify week --refetch 20 --network mainnet":
      "Also refetch twenty auctions and orders from the service",
  },
  permissions: ["read", "output", "ffi", "sys", "net", "env"],
  run: deferRun(async () => (await import("../actions/verify_action.ts")).run),
};

/** `orderlens check` */
export const CHECK: CommandSpec = {
  name: "check",
  summary: "Check whether a dataset is plausible: prices, gaps, times, names",
  description:
    "Prints what may make results wrong, with an example, the consequence and the SQL of the " +
    "rows, and exits with 7 if there is any. It compares no hashes: verify does.",
  arguments: FOLDER,
  examples: {
    "check try": "Print findings, and checks that are not possible",
    "check try --json": "As JSON, with the question of every check",
  },
  permissions: ["read", "ffi", "sys"],
  async run(session, args) {
    const { checkDataset, checkText } = await import("../../datasets/mod.ts");
    const result = await checkDataset(args.word(0));
    if (session.isJson) session.printJson("check", result);
    else session.write(checkText(result));
    return result.findings.length === 0 ? EXIT.done : EXIT.suspect;
  },
};

/** `orderlens describe` */
export const DESCRIBE: CommandSpec = {
  name: "describe",
  summary: "Describe a dataset: its contents, gaps, findings of check, and how to cite it",
  arguments: FOLDER,
  examples: {
    "describe try": "Print a description",
    "describe try --json": "As JSON, with every column",
  },
  permissions: ["read", "ffi", "sys"],
  async run(session, args) {
    const { checkDataset, describeDataset, describeText } = await import("../../datasets/mod.ts");
    const description = await describeDataset(args.word(0));
    const check = await checkDataset(args.word(0));
    const { findings, skipped } = check;
    if (session.isJson) session.printJson("describe", { ...description, findings, skipped });
    else {
      const { isTerminal, columns } = session.io.out;
      session.write(
        describeText(
          description,
          isTerminal ? { check, columns: Math.max(40, columns) } : { check },
        ),
      );
    }
    return EXIT.done;
  },
};

/** `orderlens rebuild` */
export const REBUILD: CommandSpec = {
  name: "rebuild",
  summary: "Rebuild all tables of a dataset from its stored responses",
  description:
    "Use it for datasets of an older version of Orderlens, and where tables are lost or damaged. Sends " +
    "no requests. With --into, the dataset itself stays unchanged.",
  arguments: FOLDER,
  options: {
    "--into <folder>": "write to this new or empty folder, and leave the dataset unchanged",
    ...ABOUT_OPTIONS,
  },
  examples: {
    "rebuild try": "Rebuild the tables of a dataset",
    "rebuild week --into again": "Rebuild them in another folder",
    "rebuild week --license CC-BY-4.0": "Set the license of a dataset, and update all checksums",
  },
  permissions: ["read", "write", "ffi", "sys"],
  isResumable: true,
  run: deferRun(async () => (await import("../actions/dataset_actions.ts")).rebuildAction),
};

/** `orderlens merge` */
export const MERGE: CommandSpec = {
  name: "merge",
  summary: "Merge datasets of one deployment into a new one",
  description: "Ranges may overlap: data that several datasets have is written once. Production " +
    "and staging cannot be merged, but sql can query them side by side.",
  arguments: { "<folders...>": "folders of the datasets, or names of shipped ones" },
  options: { "--into <folder>": "folder of the new dataset, which must not exist" },
  examples: { "merge monday tuesday --into both": "Merge two ranges" },
  permissions: ["read", "write", "ffi", "sys"],
  async run(session, args) {
    const target = args.text("--into");
    if (target === undefined) {
      throw args.error("without a folder for the result", "Pass --into with a folder");
    }
    const { mergeAction } = await import("../actions/dataset_actions.ts");
    const isComplete = await mergeAction(session, { folders: args.words, target });
    return isComplete ? EXIT.done : EXIT.gaps;
  },
};

const PUBLISHED = { ...FOLDER, "<out>": "folder to write, which is empty or does not exist" };

const PUBLICATION_OPTIONS = {
  "--creators <file>": "JSON file with the creators: name, orcid and affiliation of each",
  "--description <text>": "description of the dataset",
  "--release <version>": "version of the publication (first digits of the manifest's SHA-256)",
};

const PUBLISH = {
  arguments: PUBLISHED,
  options: {
    ...PUBLICATION_OPTIONS,
    "--no-picture": "leave the picture out of the page",
    "--python <program>": "Python with the tools that validate (python3)",
    "--no-validate": "do not validate, and say so",
    "--anyway": "publish a dataset with problems; its page names them",
  },
  permissions: ["read", "write", "ffi", "sys", "temporary", "run"],
} as const;

/** `orderlens publish huggingface` */
export const PUBLISH_HUGGINGFACE: CommandSpec = {
  name: "publish huggingface",
  summary: "Prepare a dataset for Hugging Face",
  description:
    "Its page is the dataset's card, with gaps and citation. Validates every table with " +
    "datasets, mlcroissant and frictionless. Title, license and publisher are set by rebuild.",
  ...PUBLISH,
  examples: { "publish huggingface market_1 upload": "Make a folder of a shipped dataset" },
  async run(session, args) {
    const { publishAction } = await import("../actions/publish_action.ts");
    return await publishAction(session, args, "huggingface");
  },
};

/** `orderlens publish zenodo` */
export const PUBLISH_ZENODO: CommandSpec = {
  name: "publish zenodo",
  summary: "Prepare a dataset for Zenodo",
  description:
    "Verifies the dataset and writes files to upload; uploads nothing. Zenodo has no folders: each " +
    "table is one archive, and raw.tar has the responses. Unpacked in one folder, they are the " +
    "dataset. .zenodo.json has the metadata.",
  ...PUBLISH,
  examples: { "publish zenodo market_1 upload --release 1.0": "Make the files of release 1.0" },
  async run(session, args) {
    const { publishAction } = await import("../actions/publish_action.ts");
    return await publishAction(session, args, "zenodo");
  },
};

/** `orderlens publish site` */
export const PUBLISH_SITE: CommandSpec = {
  name: "publish site",
  summary: "Write a dataset as a website that needs no server",
  description:
    "Writes the pages of serve as files with relative links, a search, and the dataset in data: totals " +
    "and explore, solvers, pairs, tokens, auctions, orders with verdicts, the data dictionary. It opens " +
    "from a disk or under any path of a web server, and loads nothing from elsewhere. Uploads nothing.",
  arguments: PUBLISHED,
  options: {
    ...PUBLICATION_OPTIONS,
    "--orders <number>": "newest orders with a page and a verdict each (100)",
    "--anyway": "publish a dataset with problems; each page names the first ten",
  },
  examples: {
    "publish site market_1 site --orders 20": "Write a site of a shipped dataset",
    "publish site week site --orders 0": "Leave out the pages of orders",
  },
  permissions: ["read", "write", "ffi", "sys", "temporary"],
  run: deferRun(async () => (await import("../actions/publish_action.ts")).publishSiteAction),
};

/** `orderlens report week` */
export const REPORT_WEEK: CommandSpec = {
  name: "report week",
  summary: "Write an HTML report of one accounting week of a dataset",
  description:
    "Covers who won, what solvers earned, fees, unsettled wins, slippage against quotes and, with a " +
    "node, of settlements, the method, and how to cite the dataset. The file is self-contained and " +
    "can be printed.",
  arguments: { ...FOLDER, "<file>": "HTML file to write, ending in .html" },
  options: {
    "--week <date>": "first day of the week, a Tuesday (the only week of the dataset)",
    ...REWARD_OPTIONS,
  },
  examples: { "report week try week.html --week 2026-11-17": "Report one week" },
  permissions: ["read", "write", "ffi", "sys", "temporary"],
  async run(session, args) {
    const [folder, file] = [args.word(0), args.word(1)];
    const terms = await readRewardTerms(args);
    const { weekReport } = await import("../../market/mod.ts");
    const { writePage } = await import("../actions/inspect_action.ts");
    await writePage(
      args,
      file,
      await weekReport(folder, {
        week: args.text("--week"),
        ...terms,
      }),
    );
    if (session.isJson) session.printJson("report", { folder, file });
    else session.print(file);
    return EXIT.done;
  },
};
