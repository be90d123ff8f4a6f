import { assertEquals, assertStringIncludes } from "@std/assert";
import plugin from "../../tools/lint/rooms_plugin.ts";

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

Deno.test("rooms/imports names both rooms, the allowed imports and the remedy", () => {
  const [found] = lint("lib/schemas/order.ts", `import { getOrder } from "../endpoints/mod.ts";`);
  assertEquals(found?.id, "rooms/imports");
  assertEquals(
    found?.message,
    "lib/schemas/ imports lib/endpoints/, which comes after it in the order of rooms",
  );
  assertEquals(
    found?.hint,
    "lib/schemas/ may import: errors, units, networks. Move the line to lib/endpoints/ or below, " +
      "or move what both need to a room above lib/schemas/.",
  );
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
  const nested =
    `import { a } from "../programs/a.ts"; import { view } from "../../views/view.ts";`;
  assertEquals(objections("lib/sql/spark/programs/run.ts", nested), []);
});

Deno.test("rooms/imports names both folders, the allowed ones and the remedy", () => {
  for (
    const source of [
      `import { rate } from "../solvers/rate.ts";`,
      `import type { Rate } from "../solvers/rate.ts";`,
      `export { rate } from "../solvers/rate.ts";`,
      `type Rate = import("../solvers/rate.ts").Rate;`,
    ]
  ) {
    const [found] = lint("lib/metrics/quotes/market_position.ts", source);
    assertEquals(found?.id, "rooms/imports");
    assertEquals(
      found?.message,
      "lib/metrics/quotes/ imports lib/metrics/solvers/, which comes after it in the order of folders",
    );
    assertEquals(
      found?.hint,
      "In its room, lib/metrics/quotes/ may import: orders, prices. Move the line to " +
        "lib/metrics/solvers/ or below, or what both need above lib/metrics/quotes/.",
    );
  }
  const nested = `import { open } from "../open.ts";`;
  assertEquals(objections("lib/sql/spark/programs/run.ts", nested), IMPORTS);
});

Deno.test("rooms/imports reports that the first room imports no other", () => {
  const [found] = lint("lib/errors/input_error.ts", `import { parse } from "../units/parse.ts";`);
  assertStringIncludes(found?.hint ?? "", "lib/errors/ may import: no other room.");
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

Deno.test("rooms/imports names the room a package belongs to", () => {
  const [found] = lint("lib/metrics/surplus.ts", `import { z } from "zod/mini";`);
  assertEquals(found?.message, "lib/metrics/ imports zod, which belongs to lib/schemas/");
  assertStringIncludes(found?.hint ?? "", "Move the line to lib/schemas/");
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

Deno.test("rooms/imports rejects importing the library by its own name", () => {
  for (const specifier of ["orderlens", "orderlens/sandbox"]) {
    const [found] = lint("lib/client/connect.ts", `import { connect } from "${specifier}";`);
    assertEquals(
      found?.message,
      "lib/client/ imports orderlens, which is the library itself",
      specifier,
    );
  }
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

Deno.test("rooms/imports keeps the front door small", () => {
  assertEquals(objections("lib/mod.ts", `export { connect } from "./client/connect.ts";`), []);
  const [found] = lint("lib/mod.ts", `export { ordersTable } from "./tables/orders.ts";`);
  assertEquals(
    found?.message,
    "lib/mod.ts imports lib/tables/, which is an entry point of its own",
  );
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

Deno.test("rooms/effects allows no room the console, and the command line to one", () => {
  for (const room of ["http", "notebook", "sandbox"]) {
    for (
      const [source, whose] of [
        ["console.log(1);", "which no room may"],
        ["Deno.args.length;", "which belongs to lib/cli/"],
        ["Deno.exit(1);", "which belongs to lib/cli/"],
      ] as const
    ) {
      const [found] = lint(`lib/${room}/file.ts`, source);
      assertStringIncludes(found?.message ?? "", whose, source);
    }
  }
});

Deno.test("rooms/effects names the room an effect belongs to", () => {
  const [found] = lint("lib/endpoints/get_order.ts", `await fetch("/api/v1/orders");`);
  assertEquals(found?.message, "lib/endpoints/ uses fetch, which belongs to lib/http/");
  assertStringIncludes(found?.hint ?? "", "lib/endpoints/ may use these effects: none.");
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

Deno.test("rooms/known rejects a file of the library outside the rooms", () => {
  for (const file of ["lib/utils/text.ts", "lib/text.ts"]) {
    const [found] = lint(file, "export const one = 1;");
    assertEquals(found?.id, "rooms/known");
    assertEquals(found?.message, `${file} is in no room`);
  }
});

Deno.test("rooms/known rejects a folder that its room does not list, and tells where to add it", () => {
  const source = "export const one = 1;";
  const [found] = lint("lib/evm/wallets/sign.ts", source);
  assertEquals(found?.id, "rooms/known");
  assertEquals(found?.message, "lib/evm/wallets/ is no folder of lib/evm/");
  assertEquals(
    found?.hint,
    "Its folders are: orders, settlement, node. Add it to `folders` of " +
      "evm in tools/lint/rooms.ts, above each folder that imports it.",
  );
  const [inFlatRoom] = lint("lib/units/prices/native_price.ts", source);
  assertStringIncludes(inFlatRoom?.hint ?? "", "Its folders are: none. Add it");
  assertEquals(objections("lib/evm/node/hex.ts", source), []);
  assertEquals(objections("lib/evm/mod.ts", source), []);
});

Deno.test("the plugin ignores files outside lib/", () => {
  const source =
    `import "zod"; import "orderlens"; export * from "../lib/sandbox/mod.ts"; fetch("/");`;
  for (const file of ["tests/lib_test.ts", "tools/bench.ts", "notebooks/cell.ts"]) {
    assertEquals(objections(file, source), [], file);
  }
});
