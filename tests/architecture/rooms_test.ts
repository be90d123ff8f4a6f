import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { withFiles } from "../sandbox/temp_folder.ts";
import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { packageOf } from "../../tools/lint/package_of.ts";
import { covers, ROOMS } from "../../tools/lint/rooms.ts";
import plugin from "../../tools/lint/rooms_plugin.ts";

Deno.test("ROOMS has these rooms, in order", () => {
  assertEquals(
    ROOMS.map((room) => room.name).join(" "),
    [
      "errors units networks schemas http endpoints evm metrics client",
      "tables charts reports recordings datasets sql notebook market explorer sandbox cli",
    ].join(" "),
  );
});

Deno.test("ROOMS assigns every package to one room", () => {
  const owned = ROOMS.flatMap((room) => room.packages ?? []).filter((one) =>
    !one.startsWith("node:")
  );
  assertEquals(owned.length, new Set(owned).size);
});

Deno.test("ROOMS assigns every package of the import map to a room, except those of tests and tools", () => {
  const owned = ROOMS.flatMap((room) => room.packages ?? []).map(packageOf);
  const forTestsAndTools = [
    "@duckdb/node-api",
    "@sparticuz/chromium",
    "ajv",
    "ajv-formats",
    "axe-core",
    "dejavu-fonts-ttf",
    "esbuild",
    "fast-check",
    "playwright-core",
    "temporal-polyfill",
  ];
  const unowned = Object.entries(configuration.imports)
    .filter(([, target]) => target.startsWith("npm:"))
    .map(([name]) => packageOf(name))
    .filter((name) => !owned.includes(name) && !forTestsAndTools.includes(name));
  assertEquals(unowned, []);
});

Deno.test("covers() matches a name and its members, but no longer names", () => {
  assert(covers(["Deno.serve"], "Deno.serve"));
  assert(covers(["Deno.jupyter"], "Deno.jupyter.display"));
  assert(!covers(["Deno.serve"], "Deno"));
  assert(!covers(["Deno.serve"], "Deno.serveHttp"));
});

Deno.test("packageOf() strips registry, version and sub-path", () => {
  for (
    const [specifier, name] of [
      ["viem", "viem"],
      ["viem/utils", "viem"],
      ["npm:viem@2.57.20/utils", "viem"],
      ["npm:/@observablehq/plot@0.6.17", "@observablehq/plot"],
      ["@resvg/resvg-wasm/index_bg.wasm", "@resvg/resvg-wasm"],
      ["jsr:@std/assert@1", "@std/assert"],
      ["dejavu-fonts-ttf/", "dejavu-fonts-ttf"],
      ["node:fs/promises", "node:fs"],
      ["https://example.com/zod", "https://example.com/zod"],
    ] as const
  ) assertEquals(packageOf(specifier), name);
});

function lint(file: string, source: string): Deno.lint.Diagnostic[] {
  return Deno.lint.runPlugin(plugin, new URL(`../../${file}`, import.meta.url).pathname, source);
}

/** The rules that object to `source`, in order of place. */
function objections(file: string, source: string): string[] {
  return lint(file, source).toSorted((a, b) => a.range[0] - b.range[0]).map(({ id }) => id);
}

const IMPORTS = ["rooms/imports"];
const EFFECTS = ["rooms/effects"];

Deno.test("rooms/imports lets a room import the rooms above it and its own files", () => {
  const source = `
    import { InputError } from "../errors/mod.ts";
    import type { Order } from "../schemas/order.ts";
    export { divideUp } from "./divide_up.ts";
  `;
  assertEquals(objections("lib/metrics/surplus.ts", source), []);
});

Deno.test("rooms/imports rejects every form of importing a later room", () => {
  for (
    const source of [
      `import { slippage } from "../metrics/slippage.ts";`,
      `import type { Fill } from "../metrics/slippage.ts";`,
      `import "../metrics/mod.ts";`,
      `export { slippage } from "../metrics/slippage.ts";`,
      `export type { Fill } from "../metrics/slippage.ts";`,
      `const metrics = await import("../metrics/mod.ts");`,
      "const metrics = await import(`../metrics/mod.ts`);",
      `type Fill = import("../metrics/slippage.ts").Fill;`,
      `import metrics = require("../metrics/mod.ts");`,
    ]
  ) assertEquals(objections("lib/units/divide.ts", source), IMPORTS, source);
});

Deno.test("rooms/imports lets a file import its own folder, those above it and files of the room", () => {
  const source = `
    import { own } from "./own.ts";
    import { fill } from "../orders/fill.ts";
    import { isNotComputable } from "../not_computable.ts";
    import { divide } from "../../units/divide.ts";
  `;
  assertEquals(objections("lib/metrics/fees/network_fee.ts", source), []);
  assertEquals(objections("lib/metrics/mod.ts", `export { a } from "./solvers/a.ts";`), []);
  assertEquals(objections("lib/mod.ts", `export { connect } from "./client/connect.ts";`), []);
  const nested =
    `import { a } from "../programs/a.ts"; import { view } from "../../views/view.ts";`;
  assertEquals(objections("lib/sql/spark/programs/run.ts", nested), []);
});

Deno.test("rooms/imports rejects a later folder of the room, and the folder that it is in", () => {
  for (
    const source of [
      `import { rate } from "../solvers/rate.ts";`,
      `import type { Rate } from "../solvers/rate.ts";`,
      `export { rate } from "../solvers/rate.ts";`,
      `type Rate = import("../solvers/rate.ts").Rate;`,
    ]
  ) assertEquals(objections("lib/metrics/quotes/market_position.ts", source), IMPORTS, source);
  const nested = `import { open } from "../open.ts";`;
  assertEquals(objections("lib/sql/spark/programs/run.ts", nested), IMPORTS);
});

Deno.test("rooms/imports allows a package in its room only, including its sub-paths", () => {
  for (
    const [room, specifier] of [
      ["schemas", "zod"],
      ["schemas", "zod/mini"],
      ["evm", "viem/utils"],
      ["evm", "npm:viem@2.57.20/utils"],
      ["tables", "nodejs-polars"],
      ["charts", "@observablehq/plot"],
      ["charts", "@resvg/resvg-wasm/index_bg.wasm"],
    ]
  ) {
    const source = `import "${specifier}";`;
    assertEquals(objections(`lib/${room}/file.ts`, source), [], source);
    assertEquals(objections("lib/client/file.ts", source), IMPORTS, source);
  }
});

Deno.test("rooms/imports rejects packages without a room", () => {
  for (
    const specifier of [
      "lodash",
      "@std/assert",
      "fast-check",
      "node:fs",
      "node:fs/promises",
      "jsr:@std/path",
      "https://example.com/mod.ts",
      "/mod.ts",
      "#internal",
      "zodiac",
    ]
  ) assertEquals(objections("lib/schemas/file.ts", `import "${specifier}";`), IMPORTS, specifier);
});

Deno.test("rooms/imports lets only tables read the token facts and networks the solvers", () => {
  const tokens = `import facts from "../../data/tokens.json" with { type: "json" };`;
  const other = `import recording from "../../data/recorded/edges.json" with { type: "json" };`;
  assertEquals(objections("lib/tables/token_facts.ts", tokens), []);
  assertEquals(objections("lib/charts/token_facts.ts", tokens), IMPORTS);
  assertEquals(objections("lib/tables/token_facts.ts", other), IMPORTS);
  const solvers = `import facts from "../../data/solvers.json" with { type: "json" };`;
  assertEquals(objections("lib/networks/solvers.ts", solvers), []);
  assertEquals(objections("lib/tables/solvers.ts", solvers), IMPORTS);
});

Deno.test("rooms/imports rejects the front door, files outside rooms and files outside lib/", () => {
  for (const specifier of ["../mod.ts", "../helpers/text.ts", "../text.ts", "../../tests/a.ts"]) {
    assertEquals(objections("lib/sandbox/main.ts", `import "${specifier}";`), IMPORTS, specifier);
  }
});

Deno.test("rooms/imports rejects a specifier that is computed at run time", () => {
  for (const specifier of ["`../${room}/mod.ts`", `"../" + room`, "room"]) {
    const source = `const room = "sandbox"; await import(${specifier});`;
    assertEquals(objections("lib/client/connect.ts", source), IMPORTS, source);
  }
});

Deno.test("rooms/effects allows an effect in its room only", () => {
  for (
    const [room, source] of [
      ["http", `await fetch("/");`],
      ["http", "setTimeout(done, 10);"],
      ["http", "AbortSignal.timeout(10);"],
      ["notebook", "Deno.jupyter.display(frame);"],
      ["sandbox", "Deno.listen(address);"],
      ["datasets", `new Deno.Command("df");`],
      ["charts", "document.body.append(svg);"],
    ] as const
  ) {
    assertEquals(objections(`lib/${room}/file.ts`, source), [], source);
    assertEquals(new Set(objections("lib/metrics/file.ts", source)), new Set(EFFECTS), source);
  }
});

Deno.test("rooms/effects finds every use of an effect as a value", () => {
  for (
    const source of [
      "const send = fetch;",
      "const options = { fetch };",
      "const options = { send: fetch };",
      "const options = { [fetch.name]: 1 };",
      "function send(via = fetch) { return via; }",
      "const send = other ?? fetch;",
      "send(...[fetch]);",
      "new Client(fetch);",
      "const send = fetch as Send;",
      "class Client { send = fetch; }",
      "export default fetch;",
      "export { fetch };",
      "const send = globalThis.fetch;",
      `const send = globalThis["fetch"];`,
      "const send = globalThis[name];",
      "const { fetch: send } = globalThis;",
      "const { serve } = Deno;",
      "const serve = Deno[name];",
      "Deno.readTextFileSync(path);",
      "{ const fetch = 1; } fetch();",
    ]
  ) assertEquals(objections("lib/endpoints/file.ts", source), EFFECTS, source);
});

Deno.test("rooms/effects ignores names that only look like an effect", () => {
  const source = `
    import { setTimeout } from "../http/clock.ts";
    import type { fetch as Fetch } from "../http/fetch.ts";
    interface Book { fetch(path: string): void; console: typeof console; at: Deno.ServeAddr }
    class Sandbox implements Book { fetch() { return this.fetch(); } document = 1; }
    function send({ fetch, ...document }: Options, console = fetch) {
      setTimeout(() => fetch(console, document));
    }
    const fetchOnce = (fetch: Fetch) => fetch("/");
    const has = typeof Deno === "object" && typeof document !== "undefined";
    try { book.fetch(); } catch (console) { report(console, { document: 1 }); }
    for (const location of places) visit(location, AbortSignal.any([]));
    location: for (;;) break location;
  `;
  assertEquals(objections("lib/endpoints/file.ts", source), []);
});

Deno.test("rooms/named-exports rejects export * in the library", () => {
  for (const source of [`export * from "./a.ts";`, `export * as a from "./a.ts";`]) {
    assertEquals(objections("lib/units/mod.ts", source), ["rooms/named-exports"], source);
    assertEquals(objections("lib/mod.ts", source.replace("./a", "./units/a")), [
      "rooms/named-exports",
    ]);
  }
});

Deno.test("rooms/known lets files be in the folders of their room, and in none", () => {
  assertEquals(objections("lib/evm/node/hex.ts", "export const one = 1;"), []);
  assertEquals(objections("lib/evm/mod.ts", "export const one = 1;"), []);
});

/** A file, what it has, and texts of what the plugin says of it. */
type Objection = [file: string, source: string, ...texts: string[]];

for (
  const [file, source, ...texts] of [
    [
      "lib/schemas/order.ts",
      `import { getOrder } from "../endpoints/mod.ts";`,
      "rooms/imports: lib/schemas/ imports lib/endpoints/, which comes after it in the order of rooms\n",
      "\nlib/schemas/ may import: errors, units, networks. Move the line to lib/endpoints/ or below, " +
      "or move what both need to a room above lib/schemas/.",
    ],
    [
      "lib/metrics/quotes/market_position.ts",
      `import { rate } from "../solvers/rate.ts";`,
      "lib/metrics/quotes/ imports lib/metrics/solvers/, which comes after it in the order of folders\n",
      "\nIn its room, lib/metrics/quotes/ may import: orders, prices. Move the line to " +
      "lib/metrics/solvers/ or below, or what both need above lib/metrics/quotes/.",
    ],
    [
      "lib/errors/input_error.ts",
      `import { parse } from "../units/parse.ts";`,
      "\nlib/errors/ may import: no other room.",
    ],
    [
      "lib/metrics/surplus.ts",
      `import { z } from "zod/mini";`,
      "lib/metrics/ imports zod, which belongs to lib/schemas/\n",
      "Move the line to lib/schemas/",
    ],
    ...["orderlens", "orderlens/sandbox"].map((specifier): Objection => [
      "lib/client/connect.ts",
      `import { connect } from "${specifier}";`,
      "lib/client/ imports orderlens, which is the library itself\n",
    ]),
    [
      "lib/mod.ts",
      `export { ordersTable } from "./tables/orders.ts";`,
      "lib/mod.ts imports lib/tables/, which is an entry point of its own\n",
    ],
    [
      "lib/endpoints/get_order.ts",
      `await fetch("/api/v1/orders");`,
      "rooms/effects: lib/endpoints/ uses fetch, which belongs to lib/http/\n",
      "lib/endpoints/ may use these effects: none.",
    ],
    ...["http", "notebook", "sandbox"].flatMap((room): Objection[] => [
      [`lib/${room}/file.ts`, "console.log(1);", "which no room may"],
      [`lib/${room}/file.ts`, "Deno.args.length;", "which belongs to lib/cli/"],
      [`lib/${room}/file.ts`, "Deno.exit(1);", "which belongs to lib/cli/"],
    ]),
    ...["lib/utils/text.ts", "lib/text.ts"].map((file): Objection => [
      file,
      "export const one = 1;",
      `rooms/known: ${file} is in no room\n`,
    ]),
    [
      "lib/evm/wallets/sign.ts",
      "export const one = 1;",
      "rooms/known: lib/evm/wallets/ is no folder of lib/evm/\n" +
      "Its folders are: orders, settlement, node. Add it to `folders` of " +
      "evm in tools/lint/rooms.ts, above each folder that imports it.",
    ],
    [
      "lib/units/prices/native_price.ts",
      "export const one = 1;",
      "Its folders are: none. Add it",
    ],
  ] satisfies Objection[]
) {
  Deno.test(`the plugin says what is wrong with ${source} in ${file}, and the remedy`, () => {
    const [found] = lint(file, source);
    const text = `${found?.id}: ${found?.message}\n${found?.hint}`;
    for (const each of texts) assertStringIncludes(text, each);
  });
}

Deno.test("the plugin ignores files outside lib/", () => {
  const source =
    `import "zod"; import "orderlens"; export * from "../lib/sandbox/mod.ts"; fetch("/");`;
  for (const file of ["tests/lib_test.ts", "tools/bench.ts", "notebooks/cell.ts"]) {
    assertEquals(objections(file, source), [], file);
  }
});

Deno.test("deno lint runs the plugin, as deno.json registers it", async () => {
  const project = new URL("../../", import.meta.url);
  const { lint } = JSON.parse(await Deno.readTextFile(new URL("deno.json", project)));
  assertEquals(lint.plugins, ["./tools/lint/rooms_plugin.ts"]);
  const files: Record<string, string> = {
    "deno.json": JSON.stringify({ lint }),
    "lib/units/divide.ts": `export { slippage } from "../metrics/slippage.ts";\n`,
  };
  for await (const { name } of Deno.readDir(new URL("tools/lint/", project))) {
    files[`tools/lint/${name}`] = await Deno.readTextFile(new URL(`tools/lint/${name}`, project));
  }
  const { success, output } = await withFiles(files, async (folder) => {
    const [program, args, variables] = [Deno.execPath(), ["lint", "lib"], { NO_COLOR: "1" }];
    return await runQuietly({ program, args, folder, variables });
  });
  assertEquals(success, false);
  assertStringIncludes(output, "error[rooms/imports]: lib/units/ imports lib/metrics/");
});
