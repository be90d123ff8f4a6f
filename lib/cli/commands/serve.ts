import { NODE_OPTIONS, TARGET_OPTIONS } from "../deployment/target_options.ts";
import type { CommandSpec } from "../words/command_spec.ts";

/** `orderlens serve` */
export const SERVE: CommandSpec = {
  name: "serve",
  summary: "Explore orders, auctions and solvers in a browser",
  description:
    "Pages, search, lists with CSV, and the newest auctions, of a dataset, a recording, a sandbox " +
    "or a deployment; without one of them, of the recording market_1. It listens on this machine " +
    "alone until it is stopped with Ctrl+C.",
  arguments: [{
    name: "[folder]",
    text: "folder of a dataset or a recording",
    values: "folder",
  }],
  options: [
    ...TARGET_OPTIONS,
    { flags: "--port <number>", text: "where it listens (8090; 0 takes any free port)" },
    {
      flags: "--host <address>",
      text: "interface on which it listens (127.0.0.1); others show it to other machines",
    },
    {
      flags: "--allow-hosts <names>",
      text: "other names under which it may be asked, separated by commas",
    },
    ...NODE_OPTIONS,
  ],
  examples: [
    { words: "serve", text: "The recording market_1 at http://127.0.0.1:8090" },
    { words: "serve try --port 0", text: "A dataset, on any free port" },
    { words: "serve --sandbox 7", text: "A market of its own that goes on" },
    { words: "serve --network xdai", text: "A public network, asked sparingly" },
  ],
  permissions: ["read", "loopback", "net", "ffi", "sys", "env"],
  async run(session, given) {
    const { serveAction } = await import("../actions/serve_action.ts");
    return await serveAction(session, given);
  },
};
