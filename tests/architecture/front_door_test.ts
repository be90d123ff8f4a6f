import { assertEquals } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { packageOf } from "../../tools/lint/package_of.ts";

const PROJECT = new URL("../../", import.meta.url);

interface Documented {
  nodes: Record<string, {
    symbols: {
      name: string;
      declarations: { kind: string; location: { filename: string } }[];
    }[];
  }>;
}

interface Graph {
  modules: { specifier: string }[];
}

async function deno(...args: string[]): Promise<string> {
  const command = new Deno.Command(Deno.execPath(), {
    args,
    cwd: PROJECT,
    env: { NO_COLOR: "1" },
  });
  const { code, stdout, stderr } = await command.output();
  const text = new TextDecoder();
  assertEquals(code, 0, `deno ${args.join(" ")}: ${text.decode(stderr)}`);
  return text.decode(stdout);
}

/** What an entry point documents; each is read once. */
const DOCUMENTED = new Map<string, Promise<Documented>>();

function documented(path: string): Promise<Documented> {
  return DOCUMENTED.getOrInsertComputed(
    path,
    async () => JSON.parse(await deno("doc", "--json", path)),
  );
}

/** The modules that an entry point loads; each graph is read once. */
const GRAPHS = new Map<string, Promise<Graph>>();

function graphOf(path: string): Promise<Graph> {
  return GRAPHS.getOrInsertComputed(
    path,
    async () => JSON.parse(await deno("info", "--json", path)),
  );
}

/** What native code takes. */
const PERMISSIONS: Readonly<Record<string, readonly string[]>> = {
  "./datasets": ["--allow-ffi", "--allow-read", "--allow-sys"],
  "./market": ["--allow-ffi", "--allow-read", "--allow-sys"],
  "./sql": ["--allow-ffi", "--allow-read", "--allow-sys"],
  "./tables": ["--allow-ffi", "--allow-read", "--allow-sys"],
};

for (const [name, path] of Object.entries(configuration.exports)) {
  const permissions = PERMISSIONS[name] ?? [];
  Deno.test(`importing ${name} needs ${permissions.join(" ") || "no permission"}`, async () => {
    await deno("run", "--no-prompt", "--no-check", ...permissions, path);
  });
}

Deno.test("importing an entry point loads these packages and no other", async (t) => {
  const lines = [];
  for (const [name, path] of Object.entries(configuration.exports)) {
    const graph = await graphOf(path);
    const foreign = graph.modules.map(({ specifier }) => specifier)
      .filter((specifier) => !specifier.startsWith("file:"));
    lines.push(`${name}: ${[...new Set(foreign.map(packageOf))].toSorted().join(", ")}`);
  }
  await t.assertSnapshot(lines.join("\n"));
});

// So it, and what it imports, takes files of networks/ and not its mod.ts, which lists the solvers.
Deno.test("importing the front door reads no file of facts", async () => {
  const graph = await graphOf("./lib/mod.ts");
  const facts = graph.modules.map(({ specifier }) => specifier)
    .filter((specifier) => specifier.endsWith(".json"));
  assertEquals(facts, []);
});

for (const [name, path] of Object.entries(configuration.exports)) {
  Deno.test(`the public exports of ${name} are these`, async (t) => {
    const { nodes } = await documented(path);
    const lines = Object.values(nodes).flatMap(({ symbols }) =>
      symbols.map((symbol) =>
        `${symbol.name} (${
          [...new Set(symbol.declarations.map((one) => one.kind))].toSorted().join(", ")
        })`
      )
    );
    await t.assertSnapshot(lines.toSorted().join("\n"));
  });
}

/** Charts that have the name of the metric that they draw. */
const ALSO_CHARTS = ["leftOnTheTable", "settlementOutcomes"];

Deno.test("entry points give different things different names", async () => {
  const places = new Map<string, Set<string>>();
  for (const path of Object.values(configuration.exports)) {
    const { nodes } = await documented(path);
    for (const { name, declarations } of Object.values(nodes).flatMap(({ symbols }) => symbols)) {
      const found = places.get(name) ?? places.set(name, new Set()).get(name)!;
      for (const { location } of declarations) found.add(location.filename.split("/lib/")[1]!);
    }
  }
  const shared = [...places].filter(([name, files]) =>
    files.size > 1 && !ALSO_CHARTS.includes(name)
  );
  assertEquals(shared.map(([name, files]) => `${name}: ${[...files].join(", ")}`), []);
});
