import { EXIT } from "../terminal/exit_code.ts";
import type { CommandSpec } from "../words/command_spec.ts";

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
  async run(session, given) {
    const port = given.whole("--port") ?? 8080;
    const seed = given.whole("--seed") ?? 7;
    const auctions = given.whole("--auctions") ?? 50;
    const { openSandbox } = await import("../../sandbox/mod.ts");
    const { sandboxLines } = await import("../actions/sandbox_lines.ts");
    const isStill = given.has("--virtual");
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
