import {
  type CommandSpec,
  deferRun,
  NODE_OPTIONS,
  TARGET_OPTIONS,
  WEBHOOK_VARIABLE,
} from "../arguments/command_line.ts";

const EXAMPLE_UID =
  "0x4e042b63cc16e729ac5cf8f4d8dc8bcdcc278d6ac538b4ebca2e3809cc21d9f8ba78423395063915fbf92bab6d4c769676f0f55e6b01b27f";

/** `orderlens inspect` */
export const INSPECT: CommandSpec = {
  name: "inspect",
  summary: "Explain an order, auction, solver, account or transaction",
  description: "Without a deployment, searches the public networks. Exits with 5 if an order, " +
    "auction or transaction was not found. With --exit-status, exits with 0 if the order was " +
    "filled, 10 if it is open or may still be filled, 11 if it was cancelled, replaced or " +
    "refunded, 12 if it expired or was not placed, and 13 if it was partly filled before it " +
    "ended; with several orders, exits with the first nonzero code.",
  arguments: {
    "[subjects...]": "order UIDs, transaction hashes, accounts, auction IDs, or explorer URLs",
  },
  options: {
    ...TARGET_OPTIONS,
    "--html <file>": "write the report to an HTML file",
    "--open": "open the HTML file",
    "--budget <limit>":
      "requests, or seconds such as 5s, for the auctions of the order's lifetime (40 within 10s)",
    "--deep [number]": "search all auctions of the order's lifetime, at most N (1000)",
    "--watch": "print every change of an order until it can no longer be filled",
    "--exit-status": "return the status of the order as the exit code",
    ...NODE_OPTIONS,
  },
  examples: {
    [`inspect ${EXAMPLE_UID} --recording market_1`]: "An order in a recording",
    [`inspect ${EXAMPLE_UID}`]: "An order on any public network",
    [`inspect https://explorer.cow.fi/gc/orders/${EXAMPLE_UID} --json`]: "As JSON",
    [`inspect ${EXAMPLE_UID} --network mainnet --budget 5s`]: "With at most 5 s for its auctions",
    [`inspect ${EXAMPLE_UID} --network mainnet --deep --open`]: "As a page in the browser",
    "inspect 2624 --recording market_1": "An auction in a recording",
  },
  permissions: ["read", "page", "live", "env"],
  run: deferRun(async () => (await import("../actions/inspect_action.ts")).run),
};

/** `orderlens watch` */
export const WATCH: CommandSpec = {
  name: "watch",
  summary: "Print order events as they happen, and notify a webhook",
  description:
    "Prints one line of JSON for each fill, price improvement, expiry, cancellation and " +
    "lack of balance and, with debug reports, for each failed settlement with its cause. Runs " +
    "until it is stopped or the named orders have ended. With --state, a later run resumes " +
    "without gaps; it repeats an event, with the same ID, only if the earlier run was killed " +
    "while printing it.",
  arguments: { "[uids...]": "order UIDs; for the orders of an account, pass --owner instead" },
  options: {
    ...TARGET_OPTIONS,
    "--owner <address>": "watch the orders of an account, including new ones",
    "--state <file>": "checkpoint file to resume from",
    "--interval <seconds>": "seconds between requests (15)",
    "--until-done": "exit once the account has no open orders",
    "--no-bids <number>": "also report N auctions in a row without a bid (with debug reports)",
    "--webhook <url>":
      `post each event to this URL, signed with a secret (${WEBHOOK_VARIABLE}), until it is accepted or permanently refused`,
    "--webhook-secret-file <file>": "file with that secret",
    ...NODE_OPTIONS,
  },
  examples: {
    "watch --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e --network xdai --state mine.json":
      "All orders of an account, across restarts",
    "watch --owner 0x6fc1fb2e17dff120fa8f838af139af443070fd0e --network xdai --state mine.json --webhook https://hooks.example/orders":
      "Also notify a webhook",
  },
  permissions: ["read", "output", "net", "webhook env"],
  run: deferRun(async () => (await import("../actions/watch_action.ts")).run),
};

const { "--settlement <address>": _, ...TRIAGE_TARGET_OPTIONS } = TARGET_OPTIONS;

/** `orderlens triage` */
export const TRIAGE: CommandSpec = {
  name: "triage",
  summary: "Print a verdict for every order UID in a text",
  description:
    "Finds UIDs in any text (CSV, JSON, logs or Parquet; with 0x, \\x or no prefix, even " +
    "wrapped across lines) and prints one row of CSV for each. Strings that look like UIDs but " +
    "are not valid, and counts by verdict and by quoter, go to stderr. Without a deployment, " +
    "queries the public networks one after another. Without --settlements, every fill counts as " +
    "in time. Exits with 1 if there is no UID, and with 3 if an order could not be read.",
  arguments: { "<file>": "file with UIDs (- reads stdin)" },
  options: {
    ...TRIAGE_TARGET_OPTIONS,
    "--resume <file>": "append rows to this file, and skip orders that it already has",
    "--table": "print an aligned table instead of CSV",
    "--settlements": "also read the auction of every fill, to detect late fills",
  },
  refusedOptions: { "--settlement": "no row depends on the contract" },
  examples: {
    "triage slow_orders.csv --network mainnet": "Orders in a list",
    "triage app.log --network base --resume rows.csv": "Orders in a log; run it again to continue",
    "triage - --recording market_1 --table": "UIDs from stdin, as a table",
  },
  permissions: ["read", "output", "native", "live", "env"],
  run: deferRun(async () => (await import("../actions/triage_action.ts")).run),
};
