import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { cp } from "node:fs/promises";
import { replay } from "orderlens/recordings";
import { serveNode } from "../evm/node_server.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";
import { COMMANDS } from "../../lib/cli/mod.ts";
import type { DatasetManifest } from "../../lib/datasets/layout/manifest.ts";
import { buildDataPackage } from "../../lib/datasets/state/data_package.ts";
import { formatCard } from "../../lib/datasets/state/dataset_card.ts";
import { buildModel } from "../../lib/datasets/state/dataset_model.ts";

/** Ids 2620 to 2624 of a recording, of which 2623 and 2624 have a competition. */
const SELECTED = ["--recording", "market_1", "--auctions", "2620..2624"];
/** The rows of these auctions, counted in the recorded bodies. */
const PRESENT = [[2623, 2624]];
/** Solvers with a winning solution, counted for each of the two. */
const WINS = 3;

const parent = await Deno.makeTempDir();
const folder = `${parent}/set`;
/** A dataset of two tables, for what is the same with all of them. */
const few = `${parent}/few`;
const [CONFIG, MAIN, DATASET] = ["deno.json", "lib/cli/main.ts", "data/datasets/market_1"]
  .map((path) => new URL(`../../${path}`, import.meta.url).pathname) as [string, string, string];
const FEW = ["--tables", "auctions,orders", "--no-trades", "--no-debug-reports"];
const exported = await orderlens(["export", folder, ...SELECTED]);

Deno.test("the page of the command line shows what these commands print, apart from sizes", async () => {
  const page = await Deno.readTextFile(new URL("../../docs/command_line.md", import.meta.url));
  const blocks = page.matchAll(
    /```sh\n.* task orderlens (.*)\n```\n\n(?:.*\n)?```text\n([^]*?)```/g,
  );
  const sizes = /\b\d+ (?:requests|files|kB|MB)\b/g;
  const shown = [...blocks].map((
    [, words = "", text = ""],
  ) => [words, text.replaceAll(sizes, "…")]);
  const printed = [exported];
  for (const [words = ""] of shown.slice(1)) {
    const split = words.match(/"[^"]*"|\S+/g)!.map((word) => word.replaceAll('"', ""));
    printed.push(await orderlens(split));
  }
  const begin = shown.map(([words]) => words?.slice(0, 10));
  assertEquals(begin, ["export try", "export day", "sql market"]);
  assertEquals(
    shown.map(([, text]) => text),
    printed.map(({ out }) => out.replace(folder, "try").replaceAll(sizes, "…")),
  );
});

Deno.test("orderlens export prints how to verify the dataset, and requests nothing twice", async () => {
  assertEquals([exported.code, exported.err], [
    0,
    `To verify it:\n  orderlens verify ${folder} --recompute\n`,
  ]);
  const { out } = await succeeds(["export", folder, ...SELECTED, "--json", "--quiet"]);
  const { schema, isComplete, requests, ids } = JSON.parse(out);
  assertEquals([schema, isComplete, ids.present], ["orderlens/export@1", true, PRESENT]);
  assert(requests < 10, `${requests} requests`);
});

Deno.test("orderlens export exits with 3 if data is missing, even without any response", async () => {
  const words = ["export", `${parent}/gaps`, "--recording", "edges", "--auctions", "3..3", ...FEW];
  const { code, out, err } = await orderlens(words);
  assertEquals(code, 3, err);
  assertStringIncludes(out, "\nAuction 3\n  1  failed\n");
  assertStringIncludes(out, "\nGaps\n  1 auction id failed: 3\n");
  assertStringIncludes(err, "Run the same command to request the gaps again:\n  orderlens export ");
  await succeeds(["verify", `${parent}/gaps`]);
  await Deno.remove(`${parent}/gaps`, { recursive: true });
});

Deno.test("orderlens export --dry-run prints the plan, and writes nothing", async () => {
  const what = ["--recording", "edges", "--auctions", "2620..2624"];
  const words = ["export", `${parent}/none`, ...what, "--rate", "1", "--dry-run"];
  const { code, out, err } = await orderlens(words);
  assertEquals([code, err], [0, ""]);
  assertStringIncludes(out, "Auctions 2620 to 2624, 5 ids\nRequests by route\n");
  assertMatch(out, /\n {2}5 +GET \/api\/v2\/solver_competition\/\{id\}\n/);
  assertMatch(out, /\n\d+ requests at 1 per minute: \d+ min\n/);
  assertStringIncludes(out, "\nWill be missing\n");
  const json = JSON.parse((await orderlens([...words, "--json"])).out);
  assertEquals([json.schema, json.rate], ["orderlens/export-plan@1", 1]);
  assertEquals([json.range.from, json.range.to], [2620, 2624]);
  assertEquals((await Array.fromAsync(Deno.readDir(parent))).map(({ name }) => name), ["set"]);
});

Deno.test("orderlens export prints the plan of a long run to stderr first, except with --quiet", async () => {
  // It is interrupted before it begins: the plan alone is wanted.
  const signal = AbortSignal.abort(new DOMException("SIGINT", "AbortError"));
  const words = ["export", `${parent}/long`, "--recording", "edges", "--auctions", "1..3000"];
  const { code, out, err } = await orderlens([...words, "--rate", "80"], { signal });
  assertEquals([code, out], [130, ""]);
  assertStringIncludes(err, "Auctions 1 to 3000, 3,000 ids\nRequests by route\n");
  assertMatch(err, /requests at 80 per minute: 5\d min\n/);
  assertMatch(
    err,
    /\nInterrupted; progress is saved\. Run the same command to continue:\n {2}orderlens export /,
  );
  const quiet = await orderlens([...words, "--rate", "80", "--quiet"], { signal });
  assertMatch(quiet.err, /^Interrupted/);
});

Deno.test("orderlens export finds UIDs in any text", async () => {
  const uid = `0x${"ab".repeat(56)}`;
  const input = `id,uid\n1,"${uid}"\n2,${uid.toUpperCase().replace("0X", "0x")}; 0x1234\n`;
  const words = ["export", `${parent}/uids`, "--recording", "edges", "--uids", "-", "--dry-run"];
  const { code, err } = await orderlens(words, { input });
  assertEquals([code, err], [0, "1 distinct UID in stdin\n"]);
});

Deno.test("orderlens describe prints the same facts for people and programs", async () => {
  const people = await succeeds(["describe", folder]);
  assertMatch(people.out, /\nauctions +2 /);
  assertStringIncludes(people.out, "\nPlausibility\n  4 solvers without a name: groups by");
  const { code, out } = await orderlens(["describe", folder, "--json"]);
  const { schema, tables, range } = JSON.parse(out);
  assertEquals([code, schema], [0, "orderlens/describe@1"]);
  assertEquals([range.from, range.to], [2620, 2624]);
  assertEquals(tables.find(({ name }: { name: string }) => name === "auctions").rows, 2);
});

Deno.test("orderlens export stops at --max-requests with 75, and the same command resumes", async () => {
  const words = ["export", few, ...SELECTED, "--format", "sqlite", ...FEW];
  const { code, out, err } = await orderlens([...words, "--max-requests", "3"]);
  assertEquals(code, 75, err);
  assertMatch(out, /\nGaps\n {2}\d auction ids not requested yet: 26\d\d to 2624\n/);
  assertStringIncludes(
    err,
    "Stopped at --max-requests. Run the same command to continue:\n  orderlens export ",
  );
  const whole = await succeeds(words);
  assertStringIncludes(whole.out, `\nAlso as sqlite: ${few}.sqlite\n`);
  assert((await Deno.stat(`${few}.sqlite`)).isFile);
});

Deno.test("orderlens check exits with 7 and findings, or with 0", async () => {
  const { code, out } = await orderlens(["check", "market_1", "--json"]);
  const { schema, findings, passed, skipped } = JSON.parse(out);
  assertEquals([code, schema, findings.at(-1).name], [7, "orderlens/check@1", "partial_weeks"]);
  assertEquals(findings.length + passed.length + skipped.length, 21);
  const plain = await orderlens(["check", "market_1"]);
  assertEquals([plain.code, plain.err], [7, ""]);
  assertStringIncludes(plain.out, "\npartial_weeks: 1 accounting week of which");

  const sound = `${parent}/sound`;
  await cp(DATASET, sound, { recursive: true });
  const manifest = JSON.parse(await Deno.readTextFile(`${sound}/manifest.json`));
  const request = { ...manifest.request, tables: ["fees"] };
  const text = JSON.stringify({ ...manifest, request, range: null });
  await Deno.writeTextFile(`${sound}/manifest.json`, text);
  assertStringIncludes((await succeeds(["check", sound])).out, "0 findings in 21 checks, ");
});

Deno.test("orderlens verify exits with 0, or with 6 and a line for each problem", async () => {
  const words = ["verify", folder, "--recompute", "--refetch", "1", "--recording", "market_1"]
    .concat("--seed", "3");
  const whole = await orderlens(words);
  assertEquals([whole.code, whole.err], [0, ""]);
  assertMatch(
    whole.out,
    /^Refetched\n {2}auctions +1 agrees, none differs\n {2}orders +1 agrees, none differs\n {2}absent ids +1 agrees, none differs\nRecomputed\n {2}auctions +2 agree, none differs\n[^]*\nSampled with --seed 3\n\d+ files, \d+ rows: whole\n$/,
  );
  const file = "orders/0000002000-0000002999.parquet";
  const bytes = await Deno.readFile(`${few}/${file}`);
  await Deno.writeFile(`${few}/${file}`, bytes.map((byte, at) => at === 99 ? byte ^ 1 : byte));
  const damaged = await orderlens(["verify", few]);
  assertEquals(damaged.code, 6);
  assertStringIncludes(damaged.out, `${file}: `);
  await succeeds(["rebuild", few]);
  assertEquals(await Deno.readFile(`${few}/${file}`), bytes);
});

Deno.test("orderlens convert and merge write beside a dataset, and merge rejects an existing folder", async () => {
  const csv = await succeeds(["convert", few, `${parent}/csv`, "--format", "csv", "--json"]);
  const { schema, tables } = JSON.parse(csv.out);
  assertEquals(schema, "orderlens/conversion@1");
  const { file } = tables.find(({ table }: { table: string }) => table === "auctions");
  const lines = (await Deno.readTextFile(`${parent}/csv/${file}`)).trimEnd().split("\n");
  assertEquals(lines.length, 3);
  assertStringIncludes(lines[1]!, "2623");

  const merged = await succeeds(["merge", few, "--into", `${parent}/merged`]);
  assertStringIncludes(merged.out, "Auctions 2620 to 2624\n  2  with a competition");
  await refused(["merge", few, "--into", `${parent}/merged`], 2);
});

Deno.test("orderlens rebuild --into writes another dataset, and leaves the first unchanged", async () => {
  const copy = await succeeds(["rebuild", few, "--into", `${parent}/copy`, "--json"]);
  const { schema, folder } = JSON.parse(copy.out);
  assertEquals([schema, folder], ["orderlens/rebuild@1", `${parent}/copy`]);
  await succeeds(["verify", `${parent}/copy`]);
});

Deno.test("every command that reads a dataset accepts the name of a shipped one, and suggests it", async () => {
  const commands = [
    ["verify", "", ": whole\n"],
    ["describe", "", "Batch auctions of chain 1: 1990 to 2049\n"],
    ["convert", `${parent}/named --format csv`, `${parent}/named: csv`],
    ["rebuild", `--into ${parent}/again`, `${parent}/again: market_1, rebuilt`],
    ["merge", `--into ${parent}/once`, `${parent}/once\n`],
    ["sql", "--list", "auctions (record)"],
    ["report week", `${parent}/week.html`, `${parent}/week.html`],
  ] as const;
  for (const [command, words, begin] of commands) {
    const { out } = await succeeds(`${command} market_1 ${words}`.trim());
    assertStringIncludes(out, begin, command);
    const other = words.replaceAll(parent, `${parent}/other`);
    const err = await refused(`${command} markt_1 ${other}`.trim(), 5, 'did you mean "market_1"?');
    assertStringIncludes(err, "Fix: Pass the folder of an export, or the shipped market_1");
  }
  await refused("rebuild market_1", 2, "it ships with the library\nFix: Pass into (--into)");
});

Deno.test("a name of both a local and a shipped dataset is rejected", async () => {
  const root = `${parent}/same`;
  await cp(DATASET, `${root}/market_1`, { recursive: true });
  const run = async (folder: string) => {
    // Other tests of this process work in its folder.
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--no-check", "--config", CONFIG, MAIN, "describe", folder],
      cwd: root,
    }).output();
    return { code, err: new TextDecoder().decode(stderr) };
  };
  const { code, err } = await run("market_1");
  assertEquals(code, 2);
  assertStringIncludes(err, "Fix: Pass ./market_1 for the folder");
  assertEquals((await run("./market_1")).code, 0);
});

Deno.test("orderlens doctor lists what works and what is missing, with fixes", async () => {
  const { out } = await succeeds("doctor --recording edges");
  assertMatch(out, new RegExp(`^ok +Deno +${Deno.version.deno}\n`));
  assertMatch(out, /\nok +Deployment +.* responds, newest auction \d+\n/);
  assertMatch(out, /\nmissing +API key +.*\n +Fix: Set ORDERLENS_API_KEY\n/);
});

Deno.test("orderlens doctor exits with 1 if a deployment or a node does not respond", async () => {
  const { code, out } = await orderlens(
    "doctor --url http://127.0.0.1:9 --chain-id 1 --rpc-url http://127.0.0.1:9 --json",
  );
  assertEquals(code, 1);
  const { schema, checks } = JSON.parse(out);
  const failed = checks.filter(({ state }: { state: string }) => state === "failed");
  assertEquals(schema, "orderlens/doctor@1");
  assertEquals(failed.map(({ name }: { name: string }) => name), ["Deployment", "Node"]);
  assert(failed.every(({ fix }: { fix: string | null }) => fix !== null));
});

Deno.test("orderlens notebook new writes a notebook whose cells run on the dataset", async () => {
  const file = `${parent}/first.ipynb`;
  const { code, out, err } = await orderlens(["notebook", "new", file, "--from", folder]);
  assertEquals([code, out], [0, `${file}\n`], err);
  const { cells, nbformat } = JSON.parse(await Deno.readTextFile(file));
  assertEquals(nbformat, 4);
  const lines = (cells as { cell_type: string; source: string[] }[])
    .filter(({ cell_type: kind }) => kind === "code").map(({ source }) => source.join(""));
  // Shown values are collected: `show` itself needs a kernel.
  const program = lines.join("\n")
    .replace('import { show } from "orderlens/notebook";', "export const shown = [];")
    .replaceAll("await show(", "shown.push(await ")
    .replace('"./set"', JSON.stringify(folder));
  await Deno.writeTextFile(`${parent}/cells.ts`, program);
  const { shown: [market, chart, explored, fees] } = await import(`file://${parent}/cells.ts`);
  assertEquals((await market.describe()).ids, { from: 2623, to: 2624 });
  const won = chart.rows.map(({ auctions_won: won }: { auctions_won: number }) => won);
  assertEquals(won.reduce((sum: number, one: number) => sum + one, 0), WINS);
  assertStringIncludes(explored.html, "fills");
  assert(fees.length > 0);
  await refused(["notebook", "new", file, "--from", folder], 1, "it already exists");
});

Deno.test("orderlens notebook new accepts names of shipped data, as openMarket() does", async () => {
  for (
    const [name, range] of [
      ["market_1", "auctions 1605 to 2624 of a deployment on chain 1."],
      ["dataset://market_1", "auctions 1990 to 2049"],
    ] as const
  ) {
    const file = `${parent}/${name.length}.ipynb`;
    await succeeds(["notebook", "new", file, "--from", name]);
    const { cells } = JSON.parse(await Deno.readTextFile(file));
    assertStringIncludes(cells[1].source.join(""), `MarketSource = "${name}";`);
    assertStringIncludes(cells[0].source.join(""), `It has ${range}`);
  }
});

Deno.test("orderlens notebook new opens file and folder of a recording, as openMarket() does", async () => {
  const own = `${parent}/own`;
  await Deno.mkdir(own);
  const shipped = new URL("../../data/recorded/market_3.ndjson.gz", import.meta.url);
  await Deno.copyFile(shipped, `${own}/own.ndjson.gz`);
  for (const [index, path] of [`${own}/own.ndjson.gz`, own].entries()) {
    const file = `${parent}/own${index}.ipynb`;
    await succeeds(["notebook", "new", file, "--from", path]);
    const { cells } = JSON.parse(await Deno.readTextFile(file));
    const source = path.replace(parent, ".");
    assertStringIncludes(cells[1].source.join(""), `MarketSource = "${source}";`);
  }
});

globalThis.addEventListener("unload", () => Deno.removeSync(parent, { recursive: true }));

Deno.test("orderlens export --discover-by settlements requests auctions that settled in blocks", async () => {
  const recording = await replay("market_3");
  await using node = serveNode(recording.rpc);
  const words = ["export", `${parent}/walked`, "--recording", "market_3", "--tables", "auctions"]
    .concat("--rpc-url", node.url);
  const walk = [...words, "--blocks", "380..400", "--discover-by", "settlements"];
  const { out } = await succeeds(walk);
  // The two auctions that the service stored as settled in these blocks.
  assertStringIncludes(out, "Auctions 763 to 766\n  2  with a competition\n");
  assertStringIncludes(out, "2 settlements in blocks 380 to 400 led to these auctions");
  assertStringIncludes(out, "2 auction ids between them were not requested");
  const plan = await orderlens([...walk, "--dry-run"]);
  assertStringIncludes(plan.out, "/api/v2/solver_competition/by_tx_hash/{hash}");
});

const SHIPPED = new URL("../../data/datasets/market_1/manifest.json", import.meta.url);
const shipped: DatasetManifest = JSON.parse(await Deno.readTextFile(SHIPPED));
/** A request with every setting that a command has an option for. */
const request: DatasetManifest["request"] = {
  ...shipped.request,
  dates: { from: "2026-11-01T00:00:00Z", to: "2026-11-08T00:00:00Z" },
  blocks: { from: 1, to: 2 },
  last: 3,
  owner: `0x${"ab".repeat(20)}`,
  uids: "ab",
  tables: ["trades"],
  trades: false,
  debugReports: false,
  follow: true,
  blockTimes: true,
};

Deno.test("the commands on a card have only existing options", () => {
  const part = { ...shipped, request, manifestSha256: "ab" };
  const card = formatCard(buildModel({ ...shipped, request, merged: [part, part] }, null));
  const lines = card.split("\n").filter((line) => /^orderlens \w+ DIR/.test(line));
  assertEquals(lines.map((line) => line.split(" ")[1]), ["export", "export", "merge"]);
  for (const line of lines) {
    const { options = {} } = COMMANDS.find(({ name }) => name === line.split(" ")[1])!;
    const known = Object.keys(options).map((flags) => flags.split(" ")[0]);
    const written = line.match(/--[\w-]+/g) ?? [];
    assertEquals(written.filter((option) => !known.includes(option)), [], line);
  }
});

Deno.test("a card names the tables that have rows to loaders, which refuse the others", () => {
  const configs = (files: DatasetManifest["files"]) => {
    const card = formatCard(buildModel({ ...shipped, files }, null));
    return [...card.split("\n---\n")[0]!.matchAll(/^- config_name: (\w+)$/gm)].map(([, name]) =>
      name
    );
  };
  const withRows = new Set(
    shipped.files.filter(({ path, rows }) => path.endsWith(".parquet") && rows > 0)
      .map(({ path }) => path.split("/")[0]!),
  );
  assertEquals(configs(shipped.files).toSorted(), [...withRows].toSorted());
  assertEquals(configs(shipped.files).includes("chain_differences"), false);
  const empty = shipped.files.map((file) => ({ ...file, rows: 0 }));
  assertEquals(configs(empty), []);
  assert(!formatCard(buildModel({ ...shipped, files: empty }, null)).includes("configs:"));
});

Deno.test("a data package describes the tables that have files, without the size of one file", () => {
  const files = shipped.files.filter(({ path }) => !path.startsWith("orders/"));
  const { resources } = buildDataPackage(buildModel({ ...shipped, files }, null)) as {
    readonly resources: readonly {
      readonly name: string;
      readonly path: readonly string[];
      readonly schema: {
        readonly foreignKeys: readonly { readonly reference: { readonly resource: string } }[];
      };
    }[];
  };
  const names = resources.map(({ name }) => name);
  assertEquals(names.includes("orders"), false);
  assert(names.includes("trades"));
  for (const resource of resources) {
    assert(resource.path.length > 0, resource.name);
    assertEquals("bytes" in resource, false, resource.name);
    for (const { reference } of resource.schema.foreignKeys) {
      assert(names.includes(reference.resource));
    }
  }
});

Deno.test("the card of a deployment without a name says that its chain may be another", () => {
  const { source } = shipped;
  const card = formatCard(buildModel(shipped, null));
  assertStringIncludes(card, "- Network: not named: ");
  assertStringIncludes(card, "chain id 1 of a network without a name, settlement contract 0x");
  const named = { ...shipped, source: { ...source, network: "mainnet", environment: "staging" } };
  const other = formatCard(buildModel(named as DatasetManifest, null));
  assertStringIncludes(other, "- Network: mainnet, staging\n");
  assertStringIncludes(other, "; chain id 1, settlement contract 0x");
  const tags = [card, other].map((each) => /^- (?:chain-1|mainnet)$/m.exec(each)?.[0]);
  assertEquals(tags, ["- chain-1", "- mainnet"]);
});
