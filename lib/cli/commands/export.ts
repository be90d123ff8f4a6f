import { ABOUT_OPTIONS, type CommandSpec, FORMATS } from "../arguments/command_line.ts";
import { NODE_OPTIONS, TARGET_OPTIONS } from "../arguments/options.ts";

/** `orderlens export` */
export const EXPORT: CommandSpec = {
  name: "export",
  summary: "Export auctions or orders into a dataset, or resume an export",
  description:
    "A deployment and exactly one selection are needed: dates, ids, blocks, the newest, an account or UIDs. The same command resumes an export that was interrupted, and asks for nothing twice that can no longer change. " +
    "A run of more than 30 minutes tells its plan before it starts.",
  arguments: [{ name: "<folder>", text: "folder of the dataset", values: "folder" }],
  options: [
    ...TARGET_OPTIONS,
    { flags: "--from <date>", text: "auctions from this day or time of UTC on" },
    { flags: "--to <date>", text: "end of the range, exclusive" },
    { flags: "--auctions <A..B>", text: "a range of auction ids" },
    { flags: "--blocks <A..B>", text: "a range of blocks" },
    {
      flags: "--discover-by <how>",
      text:
        "ids, or settlements: only the auctions that settled in these blocks or dates, by the logs of --rpc-url",
    },
    { flags: "--last <number>", text: "the newest N auctions" },
    { flags: "--owner <address>", text: "the orders of an account" },
    {
      flags: "--uids <file>",
      text: "the orders whose UIDs are in a text file (- reads stdin)",
      values: "file",
    },
    { flags: "--tables <names>", text: "only these tables, separated by commas", values: "table" },
    { flags: "--no-trades", text: "leave out the fills of orders" },
    { flags: "--no-debug-reports", text: "leave out debug reports" },
    { flags: "--no-block-times", text: "leave out timestamps of blocks, with a node" },
    { flags: "--no-settlements", text: "leave out settlements, with a node" },
    {
      flags: "--follow",
      text:
        "go on with new auctions until it is stopped; with --last, --from alone or --auctions A..",
    },
    {
      flags: "--rate <number>",
      text: "requests a minute at most, of all exports here (80 for public networks)",
    },
    {
      flags: "--max-requests <number>",
      text: "stop after so many requests; the same command goes on",
    },
    {
      flags: "--format <format>",
      text: "also write the tables as csv, ndjson or sqlite (parquet is always there)",
      values: FORMATS,
    },
    ...ABOUT_OPTIONS,
    { flags: "--dry-run", text: "only tell the plan, and write nothing" },
    ...NODE_OPTIONS,
  ],
  examples: [
    { words: "export try --recording market_1 --last 20", text: "Twenty auctions of a recording" },
    {
      words: "export week --network mainnet --from 2026-11-01 --to 2026-11-08 --dry-run",
      text: "The plan of a week of mainnet",
    },
    {
      words: "export mine --network xdai --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e",
      text: "All orders of an account",
    },
  ],
  permissions: ["read", "write", "ffi", "sys", "net", "env"],
  isResumable: true,
  async run(session, args) {
    const { exportAction } = await import("../actions/export_action.ts");
    return await exportAction(session, args);
  },
};
