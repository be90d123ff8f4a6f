import { cp } from "node:fs/promises";
import { InputError } from "orderlens";
import pl from "nodejs-polars";
import { publishDataset, type PublishOptions, verifyDataset } from "orderlens/datasets";
import {
  assert,
  assertEquals,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { sha256 } from "../../lib/datasets/layout/files.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { inFolder } from "../sandbox/temp_folder.ts";
import { exported, FEW } from "./exported.ts";
import { rewriteTable } from "./rewrite_table.ts";

const SHIPPED = `${SHIPPED_FOLDER}/market_1`;
const HUGGINGFACE: PublishOptions = { target: "huggingface" };
const ZENODO: PublishOptions = { target: "zenodo" };
/** The example of ORCID's documentation, and one whose check character is X. */
const CREATORS = [
  { name: "Carberry, Josiah", orcid: "0000-0002-1825-0097", affiliation: "Brown University" },
  { name: "Lab of <auctions> & orders", orcid: "0000-0002-1694-233X" },
];
const PICTURE = { png: new Uint8Array([137, 80, 78, 71]), title: "Wins", caption: "2 of 3 | won" };

/** Two auctions whose ids a recording lacks, and two that it has, of which no fill was requested. */
const gapped = () =>
  exported("market_1", {
    auctions: { from: 2622, to: 2624 },
    tables: FEW.filter((name) => name !== "trades"),
    trades: false,
    debugReports: false,
  });

inFolder.test("publishDataset() writes a dataset for Hugging Face that verifies", async (folder) => {
  const options = { ...HUGGINGFACE, creators: CREATORS, version: "1.0", picture: PICTURE };
  const { files, gaps, problems, warnings } = await publishDataset(
    SHIPPED,
    `${folder}/hf`,
    options,
  );
  assertEquals([problems, warnings.length], [[], 1]);
  assertStringIncludes(warnings[0]!, "names no license");
  assertEquals((await verifyDataset(`${folder}/hf`)).problems, []);
  const read = (name: string) => Deno.readTextFile(`${folder}/hf/${name}`);
  const [card, page] = [await Deno.readTextFile(`${SHIPPED}/README.md`), await read("README.md")];
  assert(page.startsWith(card));
  for (const gap of gaps) assertStringIncludes(page, gap);
  // The recording has half an hour of its week.
  assertStringIncludes(
    page,
    "- 1 accounting week of which the dataset has a part: rewards and totals are of that part, not",
  );
  assertMatch(page, /^- \d+ findings? in \d+ checks/m);
  assertStringIncludes(page, "![Wins](picture.png)\n\n2 of 3 \\| won");
  assertStringIncludes(page, "- Lab of \\<auctions\\> &amp; orders, ORCID <https://orcid.org/0000");
  const sums = (await read("SHA256SUMS")).trimEnd().split("\n").map((line) => line.split("  "));
  assertEquals(sums.map(([, path]) => path).concat("SHA256SUMS").sort(), [...files]);
  for (const [sum, path] of sums) {
    assertEquals(sha256(await Deno.readFile(`${folder}/hf/${path}`)), sum);
  }
  const cff = await read("CITATION.cff");
  assertStringIncludes(
    cff,
    '  - family-names: "Carberry"\n    given-names: "Josiah"\n    affiliation: "Brown University"\n' +
      '    orcid: "https://orcid.org/0000-0002-1825-0097"\n' +
      '  - name: "Lab of <auctions> & orders"\n    orcid: "https://orcid.org/0000-0002-1694-233X"\n',
  );
  assertStringIncludes(cff, `"sha256:${sha256(await Deno.readFile(`${SHIPPED}/manifest.json`))}"`);
});

inFolder.test("publishDataset() writes archives for Zenodo that tar makes the dataset of", async (folder) => {
  const { files } = await publishDataset(SHIPPED, `${folder}/zenodo`, {
    ...ZENODO,
    creators: CREATORS,
    description: "Fills <of> a week.\nTwo paragraphs.",
  });
  assertEquals(files.filter((name) => name.includes("/")), []);
  assert(files.length < 100, "Zenodo takes 100 files");
  const deposit = JSON.parse(await Deno.readTextFile(`${folder}/zenodo/.zenodo.json`));
  assertEquals(deposit.creators, CREATORS);
  assertEquals([deposit.upload_type, deposit.license], ["dataset", undefined]);
  assert(deposit.description.startsWith("<p>Fills &lt;of&gt; a week.</p><p>Two paragraphs.</p>"));
  assertStringIncludes(deposit.notes, "<li>Everything requested is here");
  const unpack = 'for file in *.tar; do tar -xf "$file"; done';
  assertStringIncludes(await Deno.readTextFile(`${folder}/zenodo/README.md`), unpack);
  const shell = await runQuietly({
    program: "sh",
    args: ["-c", `${unpack} && sha256sum -c --quiet SHA256SUMS`],
    folder: `${folder}/zenodo`,
  });
  assertEquals([shell.success, shell.output], [true, ""]);
  // A record that is downloaded lacks the form of its deposit.
  assert(!(await Deno.readTextFile(`${folder}/zenodo/SHA256SUMS`)).includes(".zenodo.json"));
  assertEquals((await verifyDataset(`${folder}/zenodo`)).problems, []);
  // A card has nothing else behind it.
  await cp(SHIPPED, `${folder}/set`, { recursive: true });
  await Deno.writeTextFile(`${folder}/set/README.md`, "\n## Gaps\n\nNone.\n", { append: true });
  const { problems } = await verifyDataset(`${folder}/set`);
  assert(problems.some(({ file }) => file === "README.md"), JSON.stringify(problems));
});

inFolder.test("publishDataset() gives equal bytes for equal options", async (folder) => {
  for (const name of ["a", "b"]) await publishDataset(SHIPPED, `${folder}/${name}`, ZENODO);
  for (const file of ["trades.tar", "README.md", "SHA256SUMS"]) {
    const [a, b] = [
      await Deno.readFile(`${folder}/a/${file}`),
      await Deno.readFile(`${folder}/b/${file}`),
    ];
    assertEquals(sha256(a), sha256(b));
  }
});

inFolder.test("publishDataset() states gaps of a dataset without fills", async (folder) => {
  const { gaps, isComplete } = await publishDataset(await gapped(), `${folder}/hf`, HUGGINGFACE);
  const page = await Deno.readTextFile(`${folder}/hf/README.md`);
  assertEquals(isComplete, true);
  assert(gaps.some((line) => line.includes("1 auction id")), gaps.join("\n"));
  for (const gap of gaps) assertStringIncludes(page, gap);
});

inFolder.test("publishDataset() refuses problems unless told, and names them", async (folder) => {
  const set = `${folder}/set`;
  await cp(await gapped(), set, { recursive: true });
  await Deno.writeTextFile(`${set}/auctions/extra.parquet`, "");
  const publish = (options: Partial<PublishOptions> = {}) =>
    publishDataset(set, `${folder}/out`, { ...HUGGINGFACE, ...options });
  const error = await assertRejects(() => publish(), InputError, "it has 1 problem");
  assertStringIncludes(error.message, "auctions/extra.parquet: the manifest does not list it");
  await assertRejects(() => Deno.stat(`${folder}/out`), Deno.errors.NotFound);
  const { problems } = await publish({ anyway: true });
  assertEquals(problems.length, 1);
  assertStringIncludes(
    await Deno.readTextFile(`${folder}/out/README.md`),
    "although its verification found problems:\n- auctions/extra.parquet: the manifest does not",
  );
  // What has another hash is never copied.
  const [{ path }] = JSON.parse(await Deno.readTextFile(`${set}/manifest.json`)).files;
  await Deno.writeTextFile(`${set}/${path}`, "damaged");
  await Deno.remove(`${folder}/out`, { recursive: true });
  await assertRejects(() => publish({ anyway: true }), InputError, "is damaged or missing");
  // Nor one without a table that checks of plausibility read.
  await cp(SHIPPED, set, { recursive: true });
  await Deno.remove(`${set}/fills`, { recursive: true });
  await assertRejects(() => publish({ anyway: true }), InputError, "is damaged or missing");
  await assertRejects(() => Deno.stat(`${folder}/out`), Deno.errors.NotFound);
});

inFolder.test("publishDataset() refuses a dataset of two environments", async (folder) => {
  const set = `${folder}/set`;
  await cp(await gapped(), set, { recursive: true });
  await rewriteTable(set, "auctions/0000002000-0000002999.parquet", (frame) => {
    const staging = pl.when(pl.col("auction_id").eq(pl.lit(2624))).then(pl.lit("staging"))
      .otherwise(pl.col("environment")).alias("environment");
    return frame.withColumn(staging).select(...frame.columns);
  });
  const error = await assertRejects(
    () => publishDataset(set, `${folder}/out`, HUGGINGFACE),
    InputError,
  );
  assertStringIncludes(
    error.message,
    'its rows are of [null,"staging",1] and [null,null,1], the manifest of [null,null,1]',
  );
});

inFolder.test("publishDataset() refuses an output, names and options", async (folder) => {
  await Deno.writeTextFile(`${folder}/file`, "");
  for (const output of [folder, `${folder}/file`]) {
    await assertRejects(
      () => publishDataset(SHIPPED, output, ZENODO),
      InputError,
      "something exists there",
    );
  }
  const refuse = (options: Partial<PublishOptions>) =>
    assertRejects(
      () => publishDataset(SHIPPED, `${folder}/out`, { ...ZENODO, ...options }),
      InputError,
    );
  await refuse({ creators: [{ name: "Carberry, Josiah", orcid: "0000-0002-1825-0098" }] });
  await refuse({ creators: [] });
  await refuse({ creators: [{ name: "a\nb" }] });
  await refuse({ version: "one two" });
  await refuse({ description: "\u001b[31m" });

  const set = `${folder}/set`;
  await cp(await gapped(), set, { recursive: true });
  const manifest = JSON.parse(await Deno.readTextFile(`${set}/manifest.json`));
  const [first] = manifest.files;
  manifest.files.push({ ...first, path: first.path.toUpperCase() });
  await Deno.writeTextFile(`${set}/manifest.json`, JSON.stringify(manifest));
  const error = await assertRejects(
    () => publishDataset(set, `${folder}/out`, { ...ZENODO, anyway: true }),
    InputError,
    "two names differ only in case",
  );
  assertStringIncludes(error.message, first.path.split("/")[0].toUpperCase());
});

inFolder.test("publishDataset() leaves nothing where validation fails", async (folder) => {
  const validate = async (made: string) => {
    assert((await Deno.stat(`${made}/CITATION.cff`)).isFile);
    throw new InputError("It is not valid", { remedy: "Mend it" });
  };
  const publish = publishDataset(await gapped(), `${folder}/out`, { ...HUGGINGFACE, validate });
  await assertRejects(() => publish, InputError, "It is not valid");
  assertEquals(await Array.fromAsync(Deno.readDir(folder)), []);
});

inFolder.test("publishDataset() refuses a folder inside of the dataset, also through a link", async (folder) => {
  const set = `${folder}/set`;
  await cp(await gapped(), set, { recursive: true });
  await Deno.symlink(set, `${folder}/link`);
  const files = await Array.fromAsync(Deno.readDir(set), ({ name }) => name);
  for (const output of ["set/upload", "set/a/../b/c", "link/upload", "set/auctions/upload/"]) {
    for (const options of [ZENODO, HUGGINGFACE]) {
      await assertRejects(
        () => publishDataset(set, `${folder}/${output}`, options),
        InputError,
        `it is inside of ${set}`,
      );
    }
  }
  assertEquals(await Array.fromAsync(Deno.readDir(set), ({ name }) => name), files);
  // A name that only begins alike is another folder.
  const { files: written } = await publishDataset(set, `${folder}/settled`, ZENODO);
  assert(written.length > 0);
});
