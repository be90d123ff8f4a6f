import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { OPTIONAL_PEERS } from "../../tools/package/optional_peers.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { type Ended, ended, PIPES } from "../line_process.ts";
import { installPackage, packForTests, peersOf } from "./installed_package.ts";

const NAME = "@orderlens/orderlens";
const UID =
  "0x4e042b63cc16e729ac5cf8f4d8dc8bcdcc278d6ac538b4ebca2e3809cc21d9f8ba78423395063915fbf92bab6d4c769676f0f55e6b01b27f";
const INSPECT = ["inspect", UID, "--recording", "market_1"];
const EXPORT = ["--recording", "market_1", "--auctions", "2620..2624"];

const packed = await packForTests("package_for_program_tests");
/** An install with all optional packages, and one of the client alone. */
const whole = await installPackage(packed, {
  folder: "program",
  name: NAME,
  others: peersOf(packed.manifest),
});
const alone = await installPackage(packed, { folder: "client_alone", name: NAME, others: [] });

const BIN = join("node_modules", ".bin", "orderlens");

/** Runs the program of an install in Node. */
async function inNode(words: readonly string[], { input = "", consumer = whole } = {}) {
  return await ended(consumer.command("node", { args: [BIN, ...words], ...PIPES }), input);
}

/** Runs the launcher of the clone in the same folder. */
async function inClone(words: readonly string[], input = ""): Promise<Ended> {
  const args = [join(PROJECT_ROOT, "bin", "orderlens"), ...words];
  // Memory that is a folder is open to no program without all permissions.
  const env = { TMPDIR: whole.folder };
  return await ended(whole.command("sh", { args, env, ...PIPES }), input);
}

async function assertAlike(words: readonly string[], input = ""): Promise<Ended> {
  const [own, clone] = [await inNode(words, { input }), await inClone(words, input)];
  assertEquals(own, clone, words.join(" "));
  return own;
}

/** Hashes of tables. Answers are packed by the zstd of each Node, whose versions differ in bytes. */
async function tableSums(folder: string): Promise<string[]> {
  const sums = await Deno.readTextFile(join(whole.folder, folder, "SHA256SUMS"));
  return sums.split("\n").filter((line) => line.endsWith(".parquet"));
}

async function removed(...names: readonly string[]): Promise<void> {
  for (const name of names) {
    await Deno.remove(join(whole.folder, name), { recursive: true }).catch(() => {});
  }
}

Deno.test("the installed program inspects, triages and helps in Node as the clone's does", async () => {
  const { code, out } = await assertAlike(INSPECT);
  assertEquals(code, 0);
  assertStringIncludes(out, "Expired: its pre-signature was not on the chain.");
  await assertAlike([...INSPECT, "--json"]);
  await assertAlike(["triage", "-", "--recording", "market_1"], `unrelated\n${UID}\n`);
  await assertAlike(["--help"]);
  await assertAlike(["inspect", "--help"]);
  assertEquals((await assertAlike(["inspect", "0x12", "--recording", "market_1"])).code, 2);
  await removed("page.html", "clone.html");
  await inNode([...INSPECT, "--html", "page.html"]);
  await inClone([...INSPECT, "--html", "clone.html"]);
  const [page, same] = await Promise.all(
    ["page.html", "clone.html"].map((name) => Deno.readTextFile(join(whole.folder, name))),
  );
  assertEquals(page, same);
});

Deno.test("the installed program writes the same dataset in Node, and the same answers from it", async () => {
  await removed("out", "clone_out", "rows.csv", "rows.csv.lock");
  const exported = await inNode(["export", "out", ...EXPORT]);
  assertEquals(exported.code, 0);
  // No warning of Node, such as that its SQLite is an experiment.
  assertEquals(exported.err, "To verify it:\n  orderlens verify out --recompute\n");
  assertEquals((await inClone(["export", "clone_out", ...EXPORT])).code, 0);
  const tables = await tableSums("out");
  assert(tables.length > 20);
  assertEquals(tables, await tableSums("clone_out"));
  assertEquals((await assertAlike(["verify", "out", "--recompute"])).code, 0);
  await assertAlike(["describe", "out"]);
  await assertAlike([
    "sql",
    "out",
    "SELECT policy_kind, sum(fee_native_atoms) AS native_atoms FROM fees GROUP BY ALL ORDER BY ALL",
  ]);
  assertEquals((await inNode(["rebuild", "out"])).code, 0);
  assertEquals(await tableSums("out"), tables);
  const triage = ["triage", "-", "--recording", "market_1", "--resume", "rows.csv"];
  assertEquals((await inNode(triage, { input: UID })).code, 0);
  const rows = await Deno.readTextFile(join(whole.folder, "rows.csv"));
  assertStringIncludes(rows, "expired_presignature_missing");
  assertStringIncludes((await inClone(triage, UID)).err, "rows.csv already has 1 row");
  assertEquals(await Deno.readTextFile(join(whole.folder, "rows.csv")), rows);
});

Deno.test("a notebook of Python that the installed program writes imports its module, beside the views", async () => {
  await removed("first.py");
  const { code, err } = await inNode([
    "notebook",
    "new",
    "first.py",
    "--from",
    "market_1",
    "--python",
  ]);
  assertEquals(code, 0, err);
  const text = await Deno.readTextFile(join(whole.folder, "first.py"));
  const [, module = ""] = /module = Path\(mo\.notebook_dir\(\)\) \/ "(.*)"/.exec(text) ?? [];
  assert((await Deno.stat(join(whole.folder, module, "orderlens.py"))).isFile);
  assert((await Deno.stat(join(whole.folder, module, "..", "views", "leaderboard.sql"))).isFile);
});

Deno.test("a folder that the clone exports into is taken for the installed program", async () => {
  await removed("taken");
  await Deno.mkdir(join(whole.folder, "taken", ".orderlens"), { recursive: true });
  const holder = `const { DatabaseSync } = process.getBuiltinModule("node:sqlite");
    const lock = new DatabaseSync("taken/.orderlens/lock");
    lock.exec("BEGIN EXCLUSIVE");
    console.log("held");
    for await (const _ of process.stdin);
    lock.close();`;
  const child = whole.command(Deno.execPath(), { args: ["eval", holder], ...PIPES }).spawn();
  const reader = child.stdout.getReader();
  await reader.read();
  const { code, err } = await inNode(["export", "taken", ...EXPORT]);
  assertEquals(code, 75);
  assertStringIncludes(err, "another export or rebuild is writing it");
  await child.stdin.close();
  reader.releaseLock();
  await child.output();
});

Deno.test("the installed program is an MCP server in Node", async () => {
  const ask = (id: number, method: string, params: object) =>
    `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
  const input = ask(1, "initialize", {
    protocolVersion: "2025-06-18",
    capabilities: {},
    clientInfo: { name: "test", version: "1" },
  }) + ask(2, "tools/list", {});
  const { out } = await assertAlike(["mcp"], input);
  const [first, second] = out.trim().split("\n").map((line) => JSON.parse(line));
  assertEquals(first.result.serverInfo.name, "orderlens");
  assert(second.result.tools.length > 3);
});

Deno.test("the installed program serves pages in Node, to known names alone, until it is stopped", async () => {
  const args = [BIN, "serve", "--recording", "edges", "--port", "0"];
  const child = whole.command("node", { args, ...PIPES }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let said = "";
  while (!said.includes("\n")) said += (await reader.read()).value ?? "\n";
  const [, url, port] = said.match(/(http:\/\/127\.0\.0\.1:(\d+)\/)/) ?? [];
  assert(url !== undefined && port !== undefined, said);
  const page = await fetch(url);
  assertEquals([page.status, page.headers.get("content-type")], [200, "text/html; charset=utf-8"]);
  assertStringIncludes(await page.text(), "What happened in edges");
  const missing = await fetch(`${url}no-such-page`);
  assertStringIncludes(await missing.text(), "There is no such page");
  assertEquals(missing.status, 404);
  for (const target of ["/", "http://evil.example/"]) {
    using connection = await Deno.connect({ hostname: "127.0.0.1", port: Number(port) });
    const request = `GET ${target} HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n`;
    await connection.write(new TextEncoder().encode(request));
    const answer = await new Response(connection.readable).text();
    assertStringIncludes(answer, " 421 ");
  }
  const feed = await fetch(`${url}live/events`);
  const events = feed.body!.getReader();
  await events.read();
  child.kill("SIGINT");
  try {
    while (!(await events.read()).done);
  } catch {
    // The connection may be cut.
  }
  while (!(await reader.read()).done);
  await child.stderr.cancel();
  await child.stdin.close();
  assertEquals((await child.status).code, 0);
});

Deno.test("the installed program runs in Deno", async () => {
  const command = (...words: string[]) =>
    whole.command(Deno.execPath(), { args: ["run", "-A", ...words], ...PIPES });
  const { out } = await inNode(INSPECT);
  assertEquals(await ended(command(`npm:${NAME}`, ...INSPECT)), { code: 0, out, err: "" });
  const { code, err } = await ended(command(`npm:${NAME}`, "describe", "no-such-folder"));
  assertEquals([code, err.split("\n")[0]], [
    5,
    "Error: Cannot open the dataset no-such-folder: it has no manifest.json",
  ]);
});

Deno.test("what needs Deno says so in Node, and how to run it", async () => {
  for (
    const line of [
      "sandbox",
      "serve --sandbox 7",
    ]
  ) {
    const { code, err } = await inNode(line.split(" "));
    assertEquals(code, 2, err);
    assertMatch(err, /^Error: Cannot .* requires Deno\nFix: Run it with `npx -y deno run -A npm:@/);
  }
  for (const words of [["lab"], ["notebook", "run"]]) {
    const { code, err } = await inNode(words);
    assertEquals(code, 2);
    assertStringIncludes(err, "without a clone of the project");
  }
});

Deno.test("the client alone brings no optional package, and each is named where it is missing", async () => {
  for (const name of OPTIONAL_PEERS) {
    const found = await Deno.stat(join(alone.folder, "node_modules", name)).catch(() => null);
    assertEquals([name, found], [name, null]);
  }
  const failures = `
    const failureOf = (name) => import("${NAME}/" + name).then(
      () => "no error",
      ({ name, code, message }) => [name, code, message].join("\\n"),
    );
    const names = ["client", "metrics", "evm", "reports", "recordings", "sandbox", "sql", "charts"];
    console.log(JSON.stringify(Object.fromEntries(
      await Promise.all(names.map(async (name) => [name, await failureOf(name)])),
    )));`;
  await Deno.writeTextFile(join(alone.folder, "imports.mjs"), failures);
  const { sql, charts, ...others } = JSON.parse(await alone.run("node", "imports.mjs"));
  for (const [name, failure] of Object.entries(others)) {
    assertEquals([name, failure], [name, "no error"]);
  }
  const { peerDependencies: versions } = packed.manifest;
  assertStringIncludes(sql, "InputError\ninput\nCannot load tables and SQL: the package ");
  assertStringIncludes(
    sql,
    `npm install nodejs-polars@${versions["nodejs-polars"]} ` +
      `@duckdb/node-api@${versions["@duckdb/node-api"]}\``,
  );
  assertStringIncludes(charts, `npm install @observablehq/plot@${versions["@observablehq/plot"]} `);

  const { code, out } = await inNode(INSPECT, { consumer: alone });
  assertEquals([code, out], [0, (await inNode(INSPECT)).out]);
  const triage = ["triage", "-", "--recording", "market_1"];
  const rows = await inNode(triage, { consumer: alone, input: UID });
  assertEquals(rows, await inNode(triage, { input: UID }));
  assertEquals((await inNode(["sql", "--help"], { consumer: alone })).code, 0);
  const missing = await inNode(["sql", "market_1", "SELECT 1"], { consumer: alone });
  assertEquals(missing.code, 1);
  assertMatch(
    missing.err,
    /^Error: Cannot load tables and SQL: .*\nFix: Run `npm install nodejs-polars@/,
  );
});

Deno.test("the documentation has the sizes of an install", async () => {
  const text = await Deno.readTextFile(join(PROJECT_ROOT, "docs", "package.md"));
  const [, client, all] = text.match(/(\d+) MB\s+instead\s+of\s+(\d+)/) ?? [];
  for (const [consumer, stated] of [[alone, client], [whole, all]] as const) {
    const found = await sizeOf(join(consumer.folder, "node_modules")) / 1e6;
    assert(Math.abs(found / Number(stated) - 1) < 0.05, `${found} MB, not ${stated}`);
  }
});

/** Bytes of all files in a folder, without the Node of the tests. */
async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for await (const { name, isDirectory, isFile } of Deno.readDir(folder)) {
    if (name.startsWith("node-linux") || name.startsWith("node-darwin")) continue;
    const path = join(folder, name);
    if (isDirectory) bytes += await sizeOf(path);
    else if (isFile) bytes += (await Deno.stat(path)).size;
  }
  return bytes;
}
