import { cp } from "node:fs/promises";
import { join } from "node:path";
import { verifyDataset } from "../../../lib/datasets/mod.ts";
import { InputError } from "../../../lib/errors/mod.ts";
import { publishSite, type PublishSiteOptions } from "../../../lib/explorer/mod.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { exported } from "../../datasets/exported.ts";
import { inFolder } from "../../sandbox/temp_folder.ts";

const TWO = { auctions: { from: 2622, to: 2624 } };
/** The two auctions of the recording with ids from 2622 to 2624, with their two orders that filled. */
const few = () => exported("market_1", TWO);

const SHA256 = /^[0-9a-f]{64}$/;

inFolder.test("publishSite() writes pages, lists, a search and the dataset, with sums", async (folder) => {
  const seen: number[] = [];
  const site = await publishSite(await few(), `${folder}/site`, {
    orders: 2,
    version: "1.0",
    onProgress: ({ done, total }) => seen.push(done / total),
  });
  const read = (path: string) => Deno.readTextFile(`${folder}/site/${path}`);
  const facts = JSON.parse(await read("site.json"));
  const manifest = await crypto.subtle.digest(
    "SHA-256",
    await Deno.readFile(`${await few()}/manifest.json`),
  );
  const sha256 = new Uint8Array(manifest).toHex();
  assertEquals(
    [facts.schema, facts.version, facts.manifestSha256],
    ["orderlens/site@1", "1.0", sha256],
  );
  assert(SHA256.test(sha256));
  const pages = site.files.filter((path) => path.endsWith(".html"));
  assertEquals([pages.length, facts.pages, site.pages], [site.pages, site.pages, pages.length]);
  assertEquals(seen.at(-1), 1);
  for (
    const path of ["index.html", "search.html", "solvers.html", "pairs.html", "tokens.html"]
      .concat(
        "orders.html",
        "auctions.html",
        "trades.html",
        "dataset.html",
        "dictionary/fills.html",
      )
      .concat("auctions/2623.html", "auctions/2624.html", "orders.csv", "data/manifest.json")
  ) assert(site.files.includes(path), path);
  const orders = site.files.filter((path) => path.startsWith("orders/"));
  assertEquals([orders.length, site.orders.written], [2, 2]);
  for (const path of pages) {
    const page = await read(path);
    assertStringIncludes(page, `SHA-256 of manifest.json ${sha256}`);
    assertStringIncludes(page, ", version 1.0. This is a copy");
    assert(!/ \((?:\d+ \w+ ?)+ago\)<\/td>/.test(page.replaceAll("\u00a0", " ")), path);
    assert(!page.includes("/live") && !page.includes('"/sql"'), path);
  }
  const sums = await runQuietly({
    program: "sh",
    args: ["-c", "sha256sum -c --quiet SHA256SUMS"],
    folder: `${folder}/site`,
  });
  assertEquals([sums.success, sums.output], [true, ""]);
  const listed = (await read("SHA256SUMS")).trimEnd().split("\n").map((line) => line.slice(66));
  assertEquals(listed.concat("SHA256SUMS").sort(), [...site.files]);
  assertEquals((await verifyDataset(`${folder}/site/data`)).problems, []);
});

inFolder.test("publishSite() gives equal bytes for equal options, at any time and place", async (folder) => {
  const sums = await Promise.all(["a", "b/c", "it's #1"].map(async (name) => {
    await publishSite(await few(), `${folder}/${name}`, { orders: 1 });
    return await Deno.readTextFile(`${folder}/${name}/SHA256SUMS`);
  }));
  assertEquals(new Set(sums).size, 1);
  assert(!sums[0]!.includes(folder));
});

inFolder.test("publishSite() has verdicts of the orders with a page alone", async (folder) => {
  const readVerdicts = async (orders: number) => {
    const output = `${folder}/${orders}`;
    const site = await publishSite(await few(), output, { orders });
    const [head = "", ...lines] = (await Deno.readTextFile(`${output}/orders.csv`)).trim()
      .split("\r\n");
    const column = head.split(",").indexOf("verdict");
    const verdicts = lines.map((line) => line.split(",")[column]);
    assertEquals(verdicts.length, site.orders.total);
    const page = await Deno.readTextFile(`${output}/orders.html`);
    return { verdicts, links: page.match(/href="orders\/0x/g)?.length ?? 0, page };
  };
  const none = await readVerdicts(0);
  assertEquals([new Set(none.verdicts), none.links], [new Set([""]), 0]);
  assertStringIncludes(none.page, 'href="search.html?q=0x');
  const one = await readVerdicts(1);
  assertEquals(one.verdicts.map((verdict) => verdict !== ""), [
    true,
    ...none.verdicts.slice(1)
      .map(() => false),
  ]);
  assertEquals(one.links, 1);
});

inFolder.test("publishSite() writes a dataset without fills, and its gaps", async (folder) => {
  const set = await exported("market_1", {
    auctions: { from: 2622, to: 2624 },
    trades: false,
    debugReports: false,
  });
  const site = await publishSite(set, `${folder}/site`);
  assert(site.gaps.some((line) => line.includes("1 auction id")), site.gaps.join("\n"));
  const page = await Deno.readTextFile(`${folder}/site/dataset.html`);
  for (const gap of site.gaps) assertStringIncludes(page, gap.replaceAll("&", "&amp;"));
  assertStringIncludes(await Deno.readTextFile(`${folder}/site/trades.html`), "No trades fit");
  assertStringIncludes(await Deno.readTextFile(`${folder}/site/pairs.html`), "No pairs to show");
  assert(!site.files.some((path) => path.startsWith("explore")));
});

inFolder.test("publishSite() refuses problems unless told, and each page names them", async (folder) => {
  const set = `${folder}/set`;
  await cp(await few(), set, { recursive: true });
  await Deno.writeTextFile(`${set}/auctions/<b>.parquet`, "");
  const publish = (options: PublishSiteOptions = {}) =>
    publishSite(set, `${folder}/site`, { orders: 0, ...options });
  await assertRejects(() => publish(), InputError, "it has 1 problem");
  await assertRejects(() => Deno.stat(`${folder}/site`), Deno.errors.NotFound);
  const { problems, files } = await publish({ anyway: true });
  assertEquals(problems.length, 1);
  for (const path of ["index.html", "auctions/2624.html"]) {
    assertStringIncludes(
      await Deno.readTextFile(`${folder}/site/${path}`),
      "auctions/&lt;b&gt;.parquet: the manifest does not list it",
    );
  }
  // It has its title, which "What happened in" would make no sentence of.
  const home = await Deno.readTextFile(`${folder}/site/index.html`);
  assert(home.includes("Batch auctions of") && !home.includes("What happened"));
  assert(!files.some((path) => path.includes("<b>")));
  // More than a page names.
  const longName = "a".repeat(200);
  for (let index = 0; index < 20; index++) {
    await Deno.writeTextFile(`${set}/auctions/${longName}${index}.parquet`, "");
  }
  await Deno.remove(`${folder}/site`, { recursive: true });
  assertEquals((await publish({ anyway: true })).problems.length, 21);
  assertStringIncludes(
    (await Deno.readTextFile(`${folder}/site/auctions/2624.html`)).replaceAll(/\s+/g, " "),
    'It found 11 more problems: <a href="../data/README.md">data/README.md</a> names all.',
  );
});

inFolder.test("publishSite() refuses outputs, options and datasets without what pages need", async (folder) => {
  await Deno.writeTextFile(`${folder}/file`, "");
  const set = await few();
  const refuse = (output: string, message: string, options: PublishSiteOptions = {}) =>
    assertRejects(() => publishSite(set, output, options), InputError, message);
  await refuse(folder, "something exists there");
  await refuse(`${folder}/file`, "something exists there");
  await refuse(`${set}/site`, `it is inside of ${set}`);
  await refuse(`${folder}/site`, "orders", { orders: -1 });
  await refuse(`${folder}/site`, "orders", { orders: 1.5 });
  await refuse(`${folder}/site`, "version", { version: "one two" });
  const bare = await exported("market_1", {
    ...TWO,
    tables: ["auctions"],
    trades: false,
    debugReports: false,
  });
  await assertRejects(
    () => publishSite(bare, `${folder}/site`),
    InputError,
    "its export lacks the responses",
  );
  await assertRejects(() => Deno.stat(`${folder}/site`), Deno.errors.NotFound);
  const withoutFills = await exported("market_1", { ...TWO, tables: ["auctions", "trades"] });
  const { warnings: [warning] } = await publishSite(withoutFills, `${folder}/site`, { orders: 0 });
  assertStringIncludes(warning!, `${withoutFills} has no table fills`);
  assertStringIncludes(warning!, `orderlens rebuild ${withoutFills}`);
});

inFolder.test("publishSite() leaves nothing when it is stopped, and clears what a killed one left", async (folder) => {
  const stop = new AbortController();
  const set = await few();
  const publish = publishSite(set, `${folder}/site`, {
    signal: stop.signal,
    onProgress: ({ done }) => {
      if (done === 5) stop.abort(new InputError("Stopped", { remedy: "Start it again" }));
    },
  });
  await assertRejects(() => publish, InputError, "Stopped");
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
  // Killed after its first pages: nothing has the name of the site.
  const program = `import { publishSite } from "orderlens/explorer";
    await publishSite(${JSON.stringify(set)}, ${JSON.stringify(`${folder}/site`)}, {
      onProgress: ({ done }) => done === 5 && Deno.kill(Deno.pid, "SIGKILL"),
    });`;
  await Deno.writeTextFile(`${folder}/program.ts`, program);
  const killed = await new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "-A",
      "--no-check",
      "--config",
      join(PROJECT_ROOT, "deno.json"),
      `${folder}/program.ts`,
    ],
    stdout: "null",
    stderr: "null",
  }).output();
  assertEquals(killed.signal, "SIGKILL");
  await Deno.remove(`${folder}/program.ts`);
  const [left] = await Array.fromAsync(Deno.readDir(folder), ({ name }) => name);
  assert(left?.startsWith(".site-"), left);
  await publishSite(set, `${folder}/site`, { orders: 0 });
  assertEquals(await Array.fromAsync(Deno.readDir(folder), ({ name }) => name), ["site"]);
});
