import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { withFiles } from "../sandbox/temp_folder.ts";
import { assertEquals, assertStringIncludes } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { readPackageName } from "../../tools/lint/package_of.ts";
import { ROOMS } from "../../tools/lint/rooms.ts";
import plugin from "../../tools/lint/rooms_plugin.ts";

Deno.test("ROOMS assigns every package of the import map to one room, except those of tests and tools", () => {
  const packages = ROOMS.flatMap((room) => room.packages ?? []);
  const own = packages.filter((one) => !one.startsWith("node:"));
  assertEquals(own.length, new Set(own).size);
  const owned = packages.map(readPackageName);
  const forTestsAndTools = new Set([
    ...["@duckdb/node-api", "@sparticuz/chromium", "ajv", "ajv-formats", "axe-core"],
    ...[
      "dejavu-fonts-ttf",
      "esbuild",
      "fast-check",
      "linkedom",
      "playwright-core",
      "temporal-polyfill",
    ],
  ]);
  const unowned = Object.entries(configuration.imports)
    .filter(([, target]) => target.startsWith("npm:"))
    .map(([name]) => readPackageName(name))
    .filter((name) => !owned.includes(name) && !forTestsAndTools.has(name));
  assertEquals(unowned, []);
});

function lint(file: string, source: string): Deno.lint.Diagnostic[] {
  return Deno.lint.runPlugin(plugin, new URL(`../../${file}`, import.meta.url).pathname, source);
}

/** Lines of a file, each on its own, that one rule objects to; those that none objects to. */
type Lines = readonly [
  rule: "imports" | "effects" | "named-exports" | null,
  file: string,
  ...sources: string[],
];

function imports(...specifiers: string[]): string[] {
  return specifiers.map((specifier) => `import "${specifier}";`);
}

function ofData(path: string): string {
  return `import facts from "../../data/${path}" with { type: "json" };`;
}

const OWN_PACKAGES: Readonly<Record<string, readonly string[]>> = {
  schemas: ["zod", "zod/mini"],
  evm: ["viem/utils", "npm:viem@2.57.20/utils"],
  tables: ["nodejs-polars"],
  charts: ["@observablehq/plot", "@resvg/resvg-wasm/index_bg.wasm"],
};

const OWN_EFFECTS: Readonly<Record<string, readonly string[]>> = {
  http: [`await fetch("/");`, "setTimeout(done, 10);", "AbortSignal.timeout(10);"],
  notebook: ["Deno.jupyter.display(frame);"],
  sandbox: ["Deno.listen(address);"],
  datasets: [`Deno.permissions.querySync({ name: "env" });`],
  charts: ["document.body.append(svg);"],
};

const LINES: readonly Lines[] = [
  [
    null,
    "lib/metrics/surplus.ts",
    `import { InputError } from "../errors/mod.ts";`,
    `import type { Order } from "../schemas/order.ts";`,
    `export { divideUp } from "./divide_up.ts";`,
  ],
  [
    "imports",
    "lib/units/divide.ts",
    `import { slippage } from "../metrics/slippage.ts";`,
    `import type { Fill } from "../metrics/slippage.ts";`,
    `import "../metrics/mod.ts";`,
    `export { slippage } from "../metrics/slippage.ts";`,
    `export type { Fill } from "../metrics/slippage.ts";`,
    `const metrics = await import("../metrics/mod.ts");`,
    "const metrics = await import(`../metrics/mod.ts`);",
    `type Fill = import("../metrics/slippage.ts").Fill;`,
    `import metrics = require("../metrics/mod.ts");`,
  ],
  [
    null,
    "lib/metrics/fees/network_fee.ts",
    `import { own } from "./own.ts";`,
    `import { fill } from "../orders/fill.ts";`,
    `import { isNotComputable } from "../not_computable.ts";`,
    `import { divide } from "../../units/divide.ts";`,
  ],
  [null, "lib/metrics/mod.ts", `export { a } from "./solvers/a.ts";`],
  [null, "lib/mod.ts", `export { connect } from "./client/connect.ts";`],
  ["imports", "lib/metrics/quotes/market_position.ts", ...imports("../solvers/rate.ts")],
  ...Object.entries(OWN_PACKAGES).flatMap(([room, packages]): Lines[] => [
    [null, `lib/${room}/file.ts`, ...imports(...packages)],
    ["imports", "lib/client/file.ts", ...imports(...packages)],
  ]),
  [
    "imports",
    "lib/schemas/file.ts",
    ...imports("lodash", "@std/assert", "fast-check", "node:fs", "node:fs/promises", "zodiac"),
    ...imports("jsr:@std/path", "https://example.com/mod.ts", "/mod.ts", "#internal"),
  ],
  [null, "lib/tables/token_facts.ts", ofData("tokens.json")],
  ["imports", "lib/charts/token_facts.ts", ofData("tokens.json")],
  ["imports", "lib/tables/token_facts.ts", ofData("recorded/edges.json")],
  [null, "lib/networks/solvers.ts", ofData("solvers.json")],
  ["imports", "lib/tables/solvers.ts", ofData("solvers.json")],
  [
    "imports",
    "lib/sandbox/main.ts",
    ...imports("../mod.ts", "../helpers/text.ts", "../text.ts", "../../tests/a.ts"),
  ],
  [
    "imports",
    "lib/client/connect.ts",
    ...["`../${room}/mod.ts`", `"../" + room`, "room"]
      .map((specifier) => `const room = "sandbox"; await import(${specifier});`),
  ],
  ["effects", "lib/datasets/file.ts", `new Deno.Command("df");`],
  ...Object.entries(OWN_EFFECTS).flatMap(([room, sources]): Lines[] => [
    [null, `lib/${room}/file.ts`, ...sources],
    ["effects", "lib/metrics/file.ts", ...sources],
  ]),
  // The room may use `Deno.serve`.
  ["effects", "lib/explorer/file.ts", "Deno.serveHttp(connection);", "const { serve } = Deno;"],
  [
    "effects",
    "lib/endpoints/file.ts",
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
  ],
  [
    null,
    "lib/endpoints/file.ts",
    `import { setTimeout } from "../http/clock.ts";
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
    location: for (;;) break location;`,
  ],
  ...["lib/units/mod.ts", "lib/mod.ts"].map((door): Lines => [
    "named-exports",
    door,
    ...[`export * from "./units/a.ts";`, `export * as a from "./units/a.ts";`]
      .map((line) => door === "lib/mod.ts" ? line : line.replace("units/", "")),
  ]),
  ...["lib/evm/node/hex.ts", "lib/evm/mod.ts"]
    .map((file): Lines => [null, file, "export const one = 1;"]),
  ...["tests/lib_test.ts", "tools/bench.ts", "notebooks/cell.ts"].map((file): Lines => [
    null,
    file,
    `import "zod"; import "orderlens"; export * from "../lib/sandbox/mod.ts"; fetch("/");`,
  ]),
];

Deno.test("the plugin objects to these lines by one rule each, and to no others", () => {
  for (const [rule, file, ...sources] of LINES) {
    for (const source of sources) {
      const found = [...new Set(lint(file, source).map(({ id }) => id))];
      const expected = rule === null ? [] : [`rooms/${rule}`];
      assertEquals(found, expected, `${file}: ${source}`);
    }
  }
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
    ...["https://example.com/zod/mod.ts", "/mod.ts"].map((specifier): Objection => [
      "lib/metrics/surplus.ts",
      `import "${specifier}";`,
      `lib/metrics/ imports ${specifier}, which no room owns\n`,
    ]),
    ...["orderlens", "orderlens/sandbox"].map((specifier): Objection => [
      "lib/client/connect.ts",
      `import { connect } from "${specifier}";`,
      "lib/client/ imports orderlens, which is the library itself\n",
    ]),
    [
      "lib/mod.ts",
      `export { ORDERS } from "./tables/orders.ts";`,
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
    ["lib/units/prices/native_price.ts", "export const one = 1;", "Its folders are: none. Add it"],
  ] satisfies Objection[]
) {
  Deno.test(`the plugin says what is wrong with ${source} in ${file}, and the remedy`, () => {
    const [found] = lint(file, source);
    const text = `${found?.id}: ${found?.message}\n${found?.hint}`;
    for (const each of texts) assertStringIncludes(text, each);
  });
}

Deno.test("deno lint runs the plugins that deno.json registers", async () => {
  const project = new URL("../../", import.meta.url);
  const { lint } = JSON.parse(await Deno.readTextFile(new URL("deno.json", project)));
  const files: Record<string, string> = {
    "deno.json": JSON.stringify({ lint }),
    "lib/units/divide.ts":
      `export { slippage } from "../metrics/slippage.ts";\nexport const one = 1;\n`,
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
  assertStringIncludes(output, "error[language/variables]: one leaves open");
});
