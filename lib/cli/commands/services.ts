import { type CommandSpec, unknownWord } from "../arguments/command_line.ts";
import { NODE_OPTIONS, TARGET_OPTIONS } from "../arguments/options.ts";
import { EXIT } from "../terminal/io.ts";

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
  async run(session, args) {
    const { serveAction } = await import("../actions/serve_action.ts");
    return await serveAction(session, args);
  },
};

/** `orderlens sandbox` */
export const SANDBOX: CommandSpec = {
  name: "sandbox",
  summary: "Serve a whole order book with a market of its own",
  description:
    "It listens on this machine alone, says what is in it, and holds auctions in real time " +
    "until it is stopped with Ctrl+C.",
  options: [
    { flags: "--port <number>", text: "where it listens (8080; 0 takes any free port)" },
    { flags: "--seed <number>", text: "random seed (default 7)" },
    { flags: "--auctions <number>", text: "auctions to hold before it opens (50)" },
    { flags: "--virtual", text: "hold no more auctions in real time" },
  ],
  examples: [
    { words: "sandbox", text: "An order book at http://127.0.0.1:8080" },
    { words: "sandbox --port 0 --seed 3 --virtual", text: "Another one, that does not change" },
  ],
  permissions: ["loopback"],
  async run(session, args) {
    const port = args.whole("--port") ?? 8080;
    const seed = args.whole("--seed") ?? 7;
    const auctions = args.whole("--auctions") ?? 50;
    const { openSandbox } = await import("../../sandbox/mod.ts");
    const { sandboxLines } = await import("../actions/sandbox_lines.ts");
    const isStill = args.has("--virtual");
    const sandbox = await openSandbox({ seed, auctions, clock: isStill ? "virtual" : "wall" });
    await using server = sandbox.listen({ port });
    if (session.isJson) session.printJson("sandbox", { url: server.url, ...sandbox.description });
    else session.print(...sandboxLines(server.url, sandbox.description, isStill));
    const { signal } = session;
    if (!signal.aborted) {
      await new Promise((stop) => signal.addEventListener("abort", stop, { once: true }));
    }
    return EXIT.done;
  },
};

/** `orderlens doctor` */
export const DOCTOR: CommandSpec = {
  name: "doctor",
  summary: "Check what is installed, allowed and reachable, with a fix for each",
  description: "Asks the deployment and the node that are named, and nothing else. " +
    "Ends with 1 if something does not work.",
  options: [...TARGET_OPTIONS, ...NODE_OPTIONS],
  examples: [
    { words: "doctor", text: "This machine" },
    { words: "doctor --network mainnet", text: "Also whether a network can be asked" },
  ],
  permissions: ["read", "write", "ffi", "sys", "net", "env"],
  async run(session, args) {
    const { checkAll } = await import("../actions/check_all.ts");
    const checks = await checkAll(session, args);
    if (session.isJson) session.printJson("doctor", { checks });
    else {
      const width = Math.max(...checks.map(({ name }) => name.length));
      for (const { name, state, found, fix } of checks) {
        session.print(`${state.padEnd(7)}  ${name.padEnd(width)}  ${found}`);
        if (fix !== null) session.print(`${" ".repeat(width + 11)}Fix: ${fix}`);
      }
    }
    return checks.some(({ state }) => state === "failed") ? EXIT.failed : EXIT.done;
  },
};

const SHELLS = ["bash", "zsh", "fish"] as const;

/** `orderlens completions` */
export const COMPLETIONS: CommandSpec = {
  name: "completions",
  summary: "Print completions of commands, options and values for a shell",
  arguments: [{ name: "<shell>", text: "bash, zsh or fish", values: SHELLS }],
  examples: [
    {
      words: "completions bash > ~/.local/share/bash-completion/completions/orderlens",
      text: "bash",
    },
    { words: 'completions zsh > "${fpath[1]}/_orderlens"', text: "zsh" },
    { words: "completions fish > ~/.config/fish/completions/orderlens.fish", text: "fish" },
  ],
  permissions: [],
  async run(session, args) {
    const shell = args.word(0);
    const { completionTree } = await import("../arguments/completion_tree.ts");
    const { COMMANDS } = await import("./commands.ts");
    const { bashCompletions } = await import("../arguments/shell_completions.ts");
    const { zshCompletions } = await import("../arguments/shell_completions.ts");
    const { fishCompletions } = await import("../arguments/shell_completions.ts");
    const write = { bash: bashCompletions, zsh: zshCompletions, fish: fishCompletions };
    if (shell !== "bash" && shell !== "zsh" && shell !== "fish") {
      throw unknownWord({ what: `${args.cannot} ${shell}`, noun: "shell", word: shell }, SHELLS);
    }
    const script = write[shell](await completionTree(COMMANDS)).trimEnd();
    if (session.isJson) session.printJson("completions", { shell, script });
    else session.print(script);
    return EXIT.done;
  },
};
