import { assert, assertEquals } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { packageOf } from "../../tools/lint/package_of.ts";
import { covers, ROOMS } from "../../tools/lint/rooms.ts";

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
