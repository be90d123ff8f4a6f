import { assertEquals } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { readPackageName } from "../../tools/lint/package_of.ts";
import { ended, PIPES } from "../line_process.ts";
import { withFiles } from "../sandbox/temp_folder.ts";

const PROJECT = new URL("../../", import.meta.url);

interface Place {
  filename: string;
  byteIndex: number;
}

interface Declaration {
  kind: string;
  location: Place;
  /** What a reference to a symbol of another entry point points to. */
  def?: { target?: Place };
}

interface Documented {
  nodes: Record<string, { symbols: { name: string; declarations: Declaration[] }[] }>;
}

interface Module {
  specifier: string;
  dependencies?: { specifier: string; code?: Resolved; type?: Resolved }[];
}

interface Resolved {
  specifier?: string;
}

/** Runs a command of Deno, which may read a program from its input. */
async function deno(args: readonly string[], program = ""): Promise<string> {
  const settings = { args: [...args], cwd: PROJECT, env: { NO_COLOR: "1" }, ...PIPES };
  const { code, out, err } = await ended(new Deno.Command(Deno.execPath(), settings), program);
  assertEquals(code, 0, `deno ${args.join(" ")}: ${err}`);
  return out;
}

const ENTRIES = Object.entries(configuration.exports);

let everything: Promise<Documented["nodes"]> | undefined;

/** What an entry point documents; all are read at once. */
async function documented(path: string): Promise<Documented["nodes"][string]> {
  everything ??= readDocumented();
  return (await everything)[new URL(path, PROJECT).href]!;
}

async function readDocumented(): Promise<Documented["nodes"]> {
  const { nodes }: Documented = JSON.parse(
    await deno(["doc", "--json", ...ENTRIES.map(([, path]) => path)]),
  );
  const all = Object.values(nodes).flatMap(({ symbols }) =>
    symbols.flatMap(({ declarations }) => declarations)
  );
  const keyOf = ({ filename, byteIndex }: Place) => `${filename} ${byteIndex}`;
  const kinds = new Map(
    all.filter(({ kind }) => kind !== "reference").map((one) => [keyOf(one.location), one.kind]),
  );
  for (const one of all) {
    const target = one.def?.target;
    if (one.kind !== "reference" || target === undefined) continue;
    Object.assign(one, { kind: kinds.get(keyOf(target)), location: target });
  }
  return nodes;
}

/** The modules of all entry points by address; one command reads the graph. */
let modules: Promise<ReadonlyMap<string, Module>> | undefined;

async function readModules(): Promise<ReadonlyMap<string, Module>> {
  const entries = importing(ENTRIES.map(([, path]) => new URL(path, PROJECT).href));
  return await withFiles({ "entries.ts": entries }, async (folder) => {
    const text = await deno(["info", "--json", `${folder}/entries.ts`]);
    const { modules, redirects } = JSON.parse(text);
    const known = new Map((modules as Module[]).map((one) => [one.specifier, one]));
    for (const [from, to] of Object.entries<string>(redirects)) known.set(from, known.get(to)!);
    return known;
  });
}

/** The modules that an entry point loads, and that its types come from. */
async function modulesOf(path: string): Promise<Module[]> {
  modules ??= readModules();
  const all = await modules;
  const found = new Set<Module>();
  const add = (address: string | undefined) => {
    const module = all.get(address ?? "");
    if (module === undefined || found.has(module)) return;
    found.add(module);
    for (const { code, type } of module.dependencies ?? []) {
      add(code?.specifier);
      add(type?.specifier);
    }
  };
  add(new URL(path, PROJECT).href);
  return [...found];
}

function importing(paths: readonly string[]): string {
  return paths.map((path) => `import ${JSON.stringify(path)};`).join("\n");
}

/** Entry points with native code, and what it takes. */
const NATIVE = ["./datasets", "./market", "./sql", "./tables"];
const PERMISSIONS = "--allow-ffi --allow-read --allow-sys";

const BY_PERMISSIONS = Object.groupBy(
  ENTRIES,
  ([name]) => NATIVE.includes(name) ? PERMISSIONS : "",
);

for (const [permissions, entries = []] of Object.entries(BY_PERMISSIONS)) {
  const names = entries.map(([name]) => name).join(", ");
  Deno.test(`importing ${names} needs ${permissions || "no permission"}`, async () => {
    const args = ["run", "--no-prompt", "--no-check", ...permissions.split(" ").filter(Boolean)];
    await deno([...args, "-"], importing(entries.map(([, path]) => path)));
  });
}

Deno.test("importing an entry point loads these packages and no other, and the front door no file of facts", async (t) => {
  const lines = [];
  for (const [name, path] of ENTRIES) {
    const modules = await modulesOf(path);
    const edges = modules.flatMap(({ dependencies = [] }) => dependencies);
    const { types = [], loaded = [] } = Object.groupBy(
      edges,
      ({ code }) => code === undefined ? "types" : "loaded",
    );
    const isOfTypes = (one: string) =>
      types.some(({ specifier }) => specifier === one) &&
      !loaded.some(({ specifier }) => specifier === one);
    const foreign = modules.map(({ specifier }) => specifier)
      .filter((one) => !one.startsWith("file:") && !isOfTypes(one));
    lines.push(`${name}: ${[...new Set(foreign.map(readPackageName))].toSorted().join(", ")}`);
  }
  await t.assertSnapshot(lines.join("\n"));
  // The front door, and what it imports, takes files of networks/ and not its mod.ts, which lists
  // the solvers.
  const facts = (await modulesOf("./lib/mod.ts")).map(({ specifier }) => specifier)
    .filter((specifier) => specifier.endsWith(".json"));
  assertEquals(facts, []);
});

for (const [name, path] of ENTRIES) {
  Deno.test(`the public exports of ${name} are these`, async (t) => {
    const { symbols } = await documented(path);
    const lines = symbols.map(({ name, declarations }) =>
      `${name} (${[...new Set(declarations.map((one) => one.kind))].toSorted().join(", ")})`
    );
    await t.assertSnapshot(lines.toSorted().join("\n"));
  });
}

/** Charts that have the name of the metric that they draw. */
const ALSO_CHARTS = ["leftOnTheTable", "settlementOutcomes"];

Deno.test("entry points give different things different names", async () => {
  const places = new Map<string, Set<string>>();
  for (const [, path] of ENTRIES) {
    const { symbols } = await documented(path);
    for (const { name, declarations } of symbols) {
      const found = places.get(name) ?? places.set(name, new Set()).get(name)!;
      for (const { location } of declarations) found.add(location.filename.split("/lib/")[1]!);
    }
  }
  const shared = [...places].filter(([name, files]) =>
    files.size > 1 && !ALSO_CHARTS.includes(name)
  );
  assertEquals(shared.map(([name, files]) => `${name}: ${[...files].join(", ")}`), []);
});
