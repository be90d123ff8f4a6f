import {
  type CommandSpec,
  deferRun,
  NODE_OPTIONS,
  TARGET_OPTIONS,
  unknownWordError,
} from "../arguments/command_line.ts";
import { EXIT } from "../terminal/io.ts";

/** `orderlens serve` */
export const SERVE: CommandSpec = {
  name: "serve",
  summary: "Explore orders, auctions and solvers in a browser",
  description:
    "Serves pages, search, lists with CSV, SQL queries with charts, and the newest auctions of a " +
    "dataset, a recording, a sandbox or a deployment; by default of the recording market_1. " +
    "Listens on this machine only, until stopped with Ctrl+C.",
  arguments: { "[folder]": "folder of a dataset or a recording" },
  options: {
    ...TARGET_OPTIONS,
    "--port <number>": "port to listen on (8090; 0 takes any free port)",
    "--host <address>":
      "interface to listen on (127.0.0.1); any other exposes the pages to other machines",
    "--allow-hosts <names>": "additional host names to accept (comma-separated)",
    ...NODE_OPTIONS,
  },
  examples: {
    "serve": "The recording market_1 at http://127.0.0.1:8090",
    "serve try --port 0": "A dataset, on any free port",
    "serve --sandbox 7": "A simulated market that keeps running",
    "serve --network xdai": "A public network, with few requests",
  },
  permissions: ["read", "loopback", "net", "ffi", "sys", "env"],
  run: deferRun(async () => (await import("../actions/serve_actions.ts")).serve),
};

/** `orderlens mcp` */
export const MCP: CommandSpec = {
  name: "mcp",
  summary: "Let a language model inspect orders and query tables",
  description:
    "Runs a read-only Model Context Protocol server on stdin and stdout; a client starts it " +
    "with this command. Its tools inspect orders, triage texts, find auctions, describe tables " +
    "and query them in SQL, for a dataset, a recording, a sandbox or a deployment; by default for " +
    "the recording market_1.",
  arguments: { "[source]": "folder or name of a dataset or a recording" },
  options: {
    ...TARGET_OPTIONS,
    "--last <number>": "load the newest N auctions of a network or --url into tables (20)",
    ...NODE_OPTIONS,
  },
  examples: {
    "mcp": "The recording market_1",
    "mcp try": "A dataset",
    "mcp --network mainnet --last 50": "A public network: orders of any age, and recent auctions",
  },
  permissions: ["read", "net", "ffi", "sys", "env"],
  run: deferRun(async () => (await import("../actions/mcp_action.ts")).run),
};

/** `orderlens sandbox` */
export const SANDBOX: CommandSpec = {
  name: "sandbox",
  summary: "Serve a complete order book with a simulated market",
  description:
    "Listens on this machine only, prints its accounts, tokens and orders, and holds auctions in " +
    "real time until stopped with Ctrl+C.",
  options: {
    "--port <number>": "port to listen on (8080; 0 takes any free port)",
    "--seed <number>": "random seed (7)",
    "--auctions <number>": "number of auctions to hold before it opens (50)",
    "--virtual": "hold no further auctions",
  },
  examples: {
    "sandbox": "An order book at http://127.0.0.1:8080",
    "sandbox --port 0 --seed 3 --virtual": "A market that does not change, on any free port",
  },
  permissions: ["loopback"],
  run: deferRun(async () => (await import("../actions/serve_actions.ts")).serveSandbox),
};

/** `orderlens doctor` */
export const DOCTOR: CommandSpec = {
  name: "doctor",
  summary: "Check what is installed, permitted and reachable, and suggest fixes",
  description:
    "Queries a deployment or a node only if it is named. Exits with 1 if something does " +
    "not work.",
  options: { ...TARGET_OPTIONS, ...NODE_OPTIONS },
  examples: {
    "doctor": "Check this machine",
    "doctor --network mainnet": "Also check that a network can be queried",
  },
  permissions: ["read", "write", "ffi", "sys", "net", "env"],
  run: deferRun(async () => (await import("../actions/doctor_action.ts")).run),
};

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `orderlens completions` */
export const COMPLETIONS: CommandSpec = {
  name: "completions",
  summary: "Print shell completions of commands, options and values",
  arguments: { [`<${SHELLS.join("|")}>`]: "the shell" },
  examples: {
    "completions bash > ~/.local/share/bash-completion/completions/orderlens": "bash",
    'completions zsh > "${fpath[1]}/_orderlens"': "zsh",
    "completions fish > ~/.config/fish/completions/orderlens.fish": "fish",
  },
  permissions: [],
  async run(session, args) {
    const word = args.word(0);
    const shell = SHELLS.find((candidate) => candidate === word);
    if (shell === undefined) {
      throw unknownWordError(`${args.cannot} ${word}`, { noun: "shell", word }, SHELLS);
    }
    const { generateCompletions } = await import("../arguments/completions.ts");
    const { COMMANDS } = await import("./commands.ts");
    const script = (await generateCompletions(COMMANDS, shell)).trimEnd();
    if (session.isJson) session.printJson("completions", { shell, script });
    else session.print(script);
    return EXIT.done;
  },
};
