#!/usr/bin/env node
/**
 * The program `orderlens` of the package, in Node and in Deno.
 *
 * @module
 */
import process from "node:process";

const MIN_NODE = [22, 15] as const;

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < MIN_NODE[0] || (major === MIN_NODE[0] && minor < MIN_NODE[1])) {
  process.stderr.write(
    `Error: Orderlens needs Node ${MIN_NODE.join(".")} or newer, and this is ${process.version}\n` +
      "Fix: Begin with `npx -p node@22 -p @orderlens/orderlens orderlens`, or install a newer Node\n",
  );
  process.exit(1);
}

// Node 22 warns of its SQLite, whose use here has tests.
const warn = process.emitWarning;
process.emitWarning = (...warning: unknown[]) => {
  if (!String(warning[0]).startsWith("SQLite is an experimental")) {
    Reflect.apply(warn, process, warning);
  }
};

// Node before 26 lacks it.
if (typeof Temporal === "undefined") await import("temporal-polyfill/global");
const { run } = await import("./run.ts");
const { processIo } = await import("./terminal/process_io.ts");
const io = processIo({
  isColored: (process.env.NO_COLOR ?? "") === "",
  env: (name) => process.env[name] || undefined,
});
process.exit(await run(process.argv.slice(2), io));
