import { ABOUT_OPTIONS, type CommandSpec, FORMATS } from "../arguments/command_line.ts";
import { NODE_OPTIONS, TARGET_OPTIONS, WALKS } from "../arguments/options.ts";

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
  async run(session, args) {
    const { exportAction } = await import("../actions/export_action.ts");
    return await exportAction(session, args);
  },
};
