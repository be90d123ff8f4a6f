/** One room of `lib/`, and what only it may use. */
export interface Room {
  /** Folder under `lib/`. */
  readonly name: string;
  /**
   * Folders inside it, in order: a file imports files of its own folder and of those above it. Files
   * of the room itself are in none: they may import all, and all may import them.
   */
  readonly folders?: readonly string[];
  /** Packages of the import map, and `node:` modules, that it may import. */
  readonly packages?: readonly string[];
  /** Globals with a side effect that it may use; a name covers its members. */
  readonly effects?: readonly string[];
  /** JSON files under `data/` that it may import. */
  readonly facts?: readonly string[];
  /** Set where the room is an entry point of its own, so that the front door stays light without it. */
  readonly behindItsOwnDoor?: true;
  /** Set where the room is a program: no entry point, and not published. */
  readonly isProgram?: true;
}

const TIMERS = ["setTimeout", "clearTimeout", "setInterval", "clearInterval"];

/**
 * The rooms in order: a room imports only rooms above it.
 *
 * A package of npm belongs to one room. So does a side effect, except timers and files, which several
 * rooms need.
 */
export const ROOMS: readonly Room[] = [
  { name: "errors" },
  { name: "units" },
  { name: "networks", facts: ["data/solvers.json", "data/published_rewards.json"] },
  {
    name: "schemas",
    packages: ["zod"],
    folders: ["codec"],
  },
  {
    name: "http",
    packages: ["node:fs/promises"],
    effects: [
      "fetch",
      "WebSocket",
      "EventSource",
      "XMLHttpRequest",
      "caches",
      "AbortSignal.timeout",
      // Files, in Deno and in Node: cached answers, and the files of the library.
      "process.getBuiltinModule",
      "Deno.makeTempDir",
      ...TIMERS,
    ],
  },
  {
    name: "endpoints",
  },
  {
    name: "evm",
    packages: ["viem", "@noble/hashes", "hash-wasm"],
    folders: ["orders", "settlement", "node"],
  },
  {
    name: "metrics",
    folders: [
      "orders",
      "prices",
      "quotes",
      "fees",
      "slippage",
      "auctions",
      "solvers",
      "settlements",
      "consistency",
    ],
  },
  { name: "client" },
  {
    name: "tables",
    folders: [
      "columns",
      "orders",
      "auctions",
      "fees",
      "fills",
      "rewards",
      "markout",
      "settlements",
    ],
    packages: ["nodejs-polars", "node:buffer"],
    facts: ["data/tokens.json", "data/token_lists.json"],
    behindItsOwnDoor: true,
  },
  {
    name: "charts",
    folders: [
      "texts",
      "axes",
      "png",
      "page",
      "figure",
      "marks",
      "general",
      "explore",
      "auctions",
      "orders",
      "fees",
      "slippage",
      "rewards",
      "settlements",
    ],
    packages: ["@observablehq/plot", "d3-array", "@resvg/resvg-wasm"],
    effects: ["document"],
    behindItsOwnDoor: true,
  },
  {
    name: "reports",
    folders: ["order", "subjects", "triage", "watch", "page"],
    packages: ["hono/html"],
    behindItsOwnDoor: true,
  },
  { name: "recordings", behindItsOwnDoor: true },
  {
    name: "datasets",
    folders: [
      "layout",
      "shards",
      "rate_limit",
      "state",
      "export",
      "rebuilding",
      "reading",
      "converting",
      "merging",
      "publishing",
    ],
    packages: ["node:sqlite", "node:worker_threads"],
    // Built-in modules are looked up at run time, so that importing the room works everywhere. Limits
    // are shared by all processes of a user, in a folder that the environment names.
    effects: [
      "process.getBuiltinModule",
      "process.env",
      "process.memoryUsage",
      "process.platform",
      "Deno.permissions",
    ],
    behindItsOwnDoor: true,
  },
  {
    name: "sql",
    folders: ["views", "python"],
    packages: ["@duckdb/node-api"],
    // Built-in modules are looked up at run time: the real paths of datasets.
    effects: ["process.getBuiltinModule"],
    behindItsOwnDoor: true,
  },
  // Followers of new auctions are sent heartbeats between them.
  // The kernel loses output sent just before a cell ends, so showing waits briefly.
  { name: "notebook", effects: ["Deno.jupyter", "setTimeout"], behindItsOwnDoor: true },
  { name: "market", behindItsOwnDoor: true },
  {
    name: "explorer",
    folders: ["site"],
    packages: ["hono", "node:http"],
    effects: ["Deno.serve", "process.getBuiltinModule", ...TIMERS],
    behindItsOwnDoor: true,
  },
  // A listening sandbox holds auctions in real time, and delays answers for faults.
  {
    name: "sandbox",
    folders: ["wire", "market", "handlers", "service", "server"],
    packages: ["node:http", "node:stream"],
    effects: ["Deno.errors", "Deno.listen", ...TIMERS],
    behindItsOwnDoor: true,
  },
  {
    name: "cli",
    folders: ["terminal", "arguments", "actions", "commands"],
    packages: [
      "@modelcontextprotocol/server",
      "node:fs",
      "node:process",
      "node:tty",
      "temporal-polyfill",
    ],
    effects: ["Deno", "process", ...TIMERS],
    behindItsOwnDoor: true,
    isProgram: true,
  },
];

/** Globals with a side effect, with or without a room; a name covers its members. */
export const EFFECTS: ReadonlySet<string> = new Set([
  ...ROOMS.flatMap((room) => room.effects ?? []),
  "Deno",
  "Worker",
  "alert",
  "confirm",
  "console",
  "globalThis",
  "indexedDB",
  "localStorage",
  "location",
  "navigator",
  "process",
  "prompt",
  "self",
  "sessionStorage",
  "setImmediate",
  "window",
]);

/** Whether `name` is one of `effects` or a member of one. */
export function covers(effects: Iterable<string>, name: string): boolean {
  for (const effect of effects) {
    if (name === effect || name.startsWith(`${effect}.`)) return true;
  }
  return false;
}
