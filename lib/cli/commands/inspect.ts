import type { CommandSpec } from "../arguments/command_line.ts";
import { NODE_OPTIONS, TARGET_OPTIONS, WEBHOOK_VARIABLE } from "../arguments/options.ts";

const UID =
  "0x4e042b63cc16e729ac5cf8f4d8dc8bcdcc278d6ac538b4ebca2e3809cc21d9f8ba78423395063915fbf92bab6d4c769676f0f55e6b01b27f";

/** `orderlens inspect` */
export const INSPECT: CommandSpec = {
  name: "inspect",
  summary: "Explain an order, auction, solver, account or transaction",
  description:
    "Without a deployment, the public networks are asked which has it. It ends with 5 if an order, " +
    "an auction or a transaction was not found. With --exit-status it ends with 0 if the order was " +
    "filled, 10 if it is open, 11 if it was cancelled, replaced or refunded, 12 if it expired or " +
    "was not placed, and 13 if a part was filled before it ended; of several, with the first that " +
    "is not 0.",
  arguments: [{
    name: "[subjects...]",
    text: "UIDs, transactions, accounts, ids of auctions, or addresses of an explorer",
  }],
  options: [
    ...TARGET_OPTIONS,
    { flags: "--html <file>", text: "write the report as one HTML file", values: "file" },
    { flags: "--open", text: "open the HTML file" },
    {
      flags: "--deep [number]",
      text: "read the auctions of the order's lifetime, so many ids at most (1000)",
    },
    { flags: "--watch", text: "print a line for every change of an order, until it ends" },
    { flags: "--exit-status", text: "end with what became of the order" },
    ...NODE_OPTIONS,
  ],
  examples: [
    { words: `inspect ${UID} --recording market_1`, text: "An order of a recording" },
    { words: `inspect ${UID}`, text: "An order of any public network" },
    { words: `inspect https://explorer.cow.fi/gc/orders/${UID} --json`, text: "For programs" },
    { words: `inspect ${UID} --network mainnet --deep --open`, text: "As a page in the browser" },
    { words: "inspect 2624 --recording market_1", text: "An auction of a recording" },
  ],
  permissions: ["read", "page", "live", "env"],
  async run(session, args) {
    const { inspectAction } = await import("../actions/inspect_action.ts");
    return await inspectAction(session, args);
  },
};

/** `orderlens watch` */
export const WATCH: CommandSpec = {
  name: "watch",
  summary: "Print what happens to orders, as it happens, and tell a webhook",
  description:
    "One line of JSON for each fill, price improvement, expiry, cancellation and lack of balance, " +
    "with its cause; runs until it is stopped, or until the orders that are named have ended. With " +
    "--state, a later run goes on without a gap, and prints an event again only if this one was " +
    "killed while it printed it: its id is the same.",
  arguments: [{ name: "[uids...]", text: "orders; those of an account with --owner instead" }],
  options: [
    ...TARGET_OPTIONS,
    { flags: "--owner <address>", text: "the orders of an account, new ones too" },
    { flags: "--state <file>", text: "checkpoint file to resume from", values: "file" },
    { flags: "--interval <seconds>", text: "time between looks (15)" },
    { flags: "--until-done", text: "end once no order of the account is open" },
    {
      flags: "--webhook <url>",
      text: `post each event here, signed with a secret (${WEBHOOK_VARIABLE}), until it is taken`,
    },
    { flags: "--webhook-secret-file <file>", text: "file with that secret", values: "file" },
    ...NODE_OPTIONS,
  ],
  examples: [
    {
      words:
        "watch --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e --network xdai --state mine.json",
      text: "All orders of an account, through restarts",
    },
    {
      words:
        "watch --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e --network xdai --state mine.json --webhook https://hooks.example/orders",
      text: "The same, to a webhook",
    },
  ],
  permissions: ["read", "output", "net", "webhook env"],
  async run(session, args) {
    const { watchAction } = await import("../actions/watch_action.ts");
    return await watchAction(session, args);
  },
};

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
  async run(session, args) {
    const { triageAction } = await import("../actions/triage_action.ts");
    return await triageAction(session, args);
  },
};
