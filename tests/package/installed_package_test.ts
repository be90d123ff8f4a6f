import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import configuration from "../../deno.json" with { type: "json" };
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { testInBrowser } from "../test_in_browser.ts";
import { installPackage, packForTests, peersOf, TYPE_TOOLS } from "./installed_package.ts";

const ROOT = new URL("../../", import.meta.url);
const PROGRAMS = new URL("consumer/", import.meta.url);
const NAMES = Object.keys(configuration.exports).map((name) => name.replace(/^\./, "orderlens"));

const packed = await packForTests("package_for_tests");
const consumer = await installPackage(packed, {
  folder: "consumer",
  name: "orderlens",
  others: [...peersOf(packed.manifest), ...TYPE_TOOLS],
});

/** Writes a program into the consumer's folder. */
async function program(name: string, text: string): Promise<string> {
  await Deno.writeTextFile(join(consumer.folder, name), text);
  return name;
}

async function copied(name: string): Promise<string> {
  return await program(name, await Deno.readTextFile(new URL(name, PROGRAMS)));
}

/** The README's first block, and what it prints. */
async function example(): Promise<[code: string, output: string]> {
  const readme = await Deno.readTextFile(new URL("README.md", ROOT));
  const [, code, output] = readme.match(/```ts\n([^]*?)```\n\n```text\n([^]*?)\n```/) ?? [];
  assert(code != null);
  assert(output != null);
  return [code, output];
}

Deno.test("the package has the entry points of deno.json, each with declarations", async () => {
  const { exports } = packed.manifest;
  assertEquals(Object.keys(exports), Object.keys(configuration.exports));
  for (const { types } of Object.values(exports)) {
    await Deno.stat(join(consumer.folder, "node_modules", "orderlens", types));
  }
});

Deno.test("the package requires exactly the versions that the tests use", () => {
  const { dependencies, peerDependencies } = packed.manifest;
  for (const [name, version] of Object.entries({ ...dependencies, ...peerDependencies })) {
    const imports: Record<string, string> = configuration.imports;
    assertEquals(imports[name], `npm:${name}@${version}`);
  }
});

Deno.test("the installed package runs the README's example in Deno", async () => {
  const [code, output] = await example();
  const name = await program("first_look.ts", code);
  assertEquals(await consumer.run(Deno.execPath(), "run", "-A", name), output);
  const where = await program("where.ts", `console.log(import.meta.resolve("orderlens"));`);
  const resolved = await consumer.run(Deno.execPath(), "run", where);
  assertStringIncludes(resolved, "/build/consumer/node_modules/orderlens/lib/mod.js");
});

Deno.test("the installed package runs the README's example in Node", async () => {
  const [code, output] = await example();
  assertEquals(await consumer.run("node", await program("first_look.mjs", code)), output);
});

Deno.test("every entry point of the installed package can be imported in Node", async () => {
  const imports = NAMES.map((name) => `await import("${name}");`).join("\n");
  assertEquals(await consumer.run("node", await program("imports.mjs", imports)), "");
});

Deno.test("the installed package replays, records, simulates and draws in Node, and says what requires Deno", async () => {
  const said = JSON.parse(await consumer.run("node", await copied("tour.mjs")));
  assertEquals(said, {
    isInstant: true,
    isRecordedAlike: true,
    sandbox: "orderlens-sandbox",
    solver: "Baseline (staging)",
    png: "PNG",
    listen: "Cannot listen: serving a sandbox over HTTP requires Deno\n" +
      "Fix: Run it in Deno, or connect to the sandbox directly, which answers in-process",
    show: "Cannot show a value outside a notebook\n" +
      "Fix: Call it in a notebook cell on the Deno kernel, or use console.log",
  });
});

Deno.test("a TypeScript project type-checks against the installed package", async () => {
  const [code] = await example();
  const types = [
    ...NAMES.map((name, at) => `import * as entry${at} from "${name}";`),
    `export const entries = [${NAMES.map((_, at) => `entry${at}`).join(", ")}];`,
    `import type { Order } from "orderlens";`,
    "export const seconds = (order: Order): number => order.creationDate.epochMilliseconds / 1e3;",
    "// @ts-expect-error -- an amount is a bigint",
    "export const lossy = (order: Order): number => order.sellAmount;",
  ];
  const files = [await program("first_look.ts", code), await program("types.ts", types.join("\n"))];
  const compilerOptions = {
    strict: true,
    exactOptionalPropertyTypes: true,
    module: "nodenext",
    target: "esnext",
    lib: ["esnext", "dom"],
    types: ["node"],
    noEmit: true,
    skipLibCheck: false,
  };
  await program("tsconfig.json", JSON.stringify({ compilerOptions, files }));
  assertEquals(await consumer.run("node", "node_modules/typescript/bin/tsc"), "");
});

testInBrowser("a page of another origin uses a listening sandbox", async (browser) => {
  await using sandbox = await openSandbox({ seed: 7, clock: "virtual" });
  await sandbox.advance({ auctions: 3 });
  const server = sandbox.listen({ port: 0 });
  const page = await copied("page.ts");
  await consumer.run(Deno.execPath(), "bundle", "--platform", "browser", "-o", "page.js", page);
  const script = await Deno.readTextFile(join(consumer.folder, "page.js"));
  await using site = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    const isScript = request.url.endsWith("/page.js");
    return new Response(isScript ? script : `<script type="module" src="/page.js"></script>`, {
      headers: { "content-type": isScript ? "text/javascript" : "text/html" },
    });
  });

  const tab = await browser.newPage();
  const complaints: string[] = [];
  tab.on("pageerror", (error) => complaints.push(String(error)));
  await tab.goto(`http://127.0.0.1:${site.addr.port}/`);
  await tab.waitForFunction("globalThis.ask");
  const { chainId, settlementContract } = sandbox.deployment;
  const asked = JSON.stringify([server.url, { chainId, settlementContract }]);
  const shown = await tab.evaluate<unknown>(`ask(...${asked})`);
  const latest = await (await sandbox.fetch("/api/v2/solver_competition/latest")).json();
  const score = latest.solutions.map((one: { score: string }) => one.score);
  assert(score.length > 0, "the latest auction has solutions");
  assertEquals(shown, {
    version: "orderlens-sandbox",
    score,
    missing: [`0x${"ab".repeat(56)}`],
    // No header that the service lets no page send.
    sent: ["accept", "content-type"],
    files: "Cannot use files: this platform has no file system\n" +
      "Fix: Run it in Deno, or in Node 22.15 or newer",
    isNotFound: true,
  });
  assertEquals(complaints, []);
});

Deno.test("deno publish reports no problem, and includes the files that the library reads", async () => {
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    // The gate checks the types.
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    variables: { NO_COLOR: "1" },
    folder: PROJECT_ROOT,
  });
  assert(success, output);
  assertEquals(output.match(/^(?:warning|error).*/gm), null, output);
  const files = [...output.matchAll(/^ *file:\S*?\/((?:data|lib|notebooks|tests|tools)\/\S+) /gm)]
    .map(([, file]) => file!);
  const entries = Object.values(configuration.exports).map((path) => path.replace("./", ""));
  assertEquals(entries.filter((entry) => !files.includes(entry)), []);
  assertEquals(files.filter((file) => /^(?:tests|tools)\/|\.truth\.json/.test(file)), []);
  assert(files.includes("data/recorded/market_1.ndjson.gz"));
  assert(files.includes("data/recorded/market_1.chain.json.gz"));
});
