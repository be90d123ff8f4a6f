import { TARGET_OPTIONS } from "../deployment/target_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens triage` */
export const TRIAGE: CommandSpec = {
  name: "triage",
  summary: "Judge every order whose UID is in a text, a row for each",
  description:
    "Finds UIDs in any text (CSV, JSON, logs, Parquet), each once, and prints CSV; counts by " +
    "verdict and by quoter go to stderr. Without a deployment, the public networks are asked one " +
    "after the other. A fill counts as in time unless --settlements is given. Ends with 3 if an " +
    "order could not be read.",
  arguments: [{ name: "<file>", text: "file with UIDs (- reads stdin)", values: "file" }],
  options: [
    ...TARGET_OPTIONS,
    {
      flags: "--resume <file>",
      text: "append rows to this file, and leave out what it has: the same command goes on",
      values: "file",
    },
    { flags: "--table", text: "print a table for people" },
    {
      flags: "--settlements",
      text: "read the auction of every fill too, to detect late fills",
    },
  ],
  examples: [
    { words: "triage slow_orders.csv --network mainnet", text: "Orders of a list" },
    {
      words: "triage app.log --network base --resume rows.csv",
      text: "Many orders of a log; run it again to go on",
    },
    { words: "triage - --recording market_1 --table", text: "UIDs from stdin, as a table" },
  ],
  permissions: ["read", "output", "native", "live", "env"],
  async run(session, given) {
    const { triageAction } = await import("../actions/triage_action.ts");
    return await triageAction(session, given);
  },
};
