import { NODE_OPTIONS, TARGET_OPTIONS } from "../deployment/target_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

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
  async run(session, given) {
    const { inspectAction } = await import("../actions/inspect_action.ts");
    return await inspectAction(session, given);
  },
};
