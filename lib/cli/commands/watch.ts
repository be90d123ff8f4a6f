import { NODE_OPTIONS, TARGET_OPTIONS, WEBHOOK_VARIABLE } from "../deployment/target_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

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
  async run(session, given) {
    const { watchAction } = await import("../actions/watch_action.ts");
    return await watchAction(session, given);
  },
};
