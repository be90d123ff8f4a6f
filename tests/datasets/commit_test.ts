import { cp } from "node:fs/promises";
import { InputError } from "orderlens";
import { describeDataset, publishDataset, verifyDataset } from "orderlens/datasets";
import {
  assert,
  assertEquals,
  assertRejects,
  assertStringIncludes,
  assertThrows,
} from "@std/assert";
import { DatasetPaths } from "../../lib/datasets/layout/files.ts";
import { type DatasetManifest, readManifest } from "../../lib/datasets/layout/manifest.ts";
import { writeDescriptions } from "../../lib/datasets/state/write_manifest.ts";
import { SHIPPED_FOLDER } from "../../tools/datasets/write_shipped.ts";
import { stampCommit } from "../../tools/package/stamp_commit.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { inFolder } from "../sandbox/temp_folder.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const TRANSPORT = new URL("../../lib/http/transport.ts", import.meta.url).pathname;

/** Copies the dataset that ships as if another build had written it. */
async function copyWithCommit(folder: string, commit: string): Promise<DatasetManifest> {
  await cp(`${SHIPPED_FOLDER}/market_1`, folder, { recursive: true });
  const paths = new DatasetPaths(folder);
  const manifest = { ...await readManifest(paths), commit };
  const deployment = JSON.parse(await Deno.readTextFile(paths.file("deployment.json")));
  await writeDescriptions(paths, manifest, deployment);
  await Deno.remove(paths.internal, { recursive: true });
  return manifest;
}

inFolder.test("the citation of a dataset names the commit of its library", async (folder) => {
  const set = `${folder}/set`;
  await copyWithCommit(set, COMMIT);
  assertEquals((await verifyDataset(set)).problems, []);
  const { citation } = await describeDataset(set);
  const library = `Exported with Orderlens 0.1.0 (commit ${COMMIT});`;
  assertStringIncludes(citation.text, library);
  assertStringIncludes(citation.bibtex, `exported with Orderlens 0.1.0 (commit ${COMMIT})}`);
  const card = await Deno.readTextFile(`${set}/README.md`);
  assertStringIncludes(card, `- Made by: Orderlens 0.1.0 (commit ${COMMIT})\n`);
  await publishDataset(set, `${folder}/upload`, { target: "huggingface" });
  assertStringIncludes(
    await Deno.readTextFile(`${folder}/upload/CITATION.cff`),
    `    version: "0.1.0"\n    commit: ${COMMIT}\n`,
  );
});

inFolder.test("readManifest() rejects a commit that is none", async (folder) => {
  await copyWithCommit(`${folder}/set`, "a`b");
  await assertRejects(
    () => readManifest(new DatasetPaths(`${folder}/set`)),
    InputError,
    "manifest.commit",
  );
});

Deno.test("stampCommit() writes the commit into the module with the version alone", async () => {
  const source = await Deno.readTextFile(TRANSPORT);
  const compiled = source.replace("COMMIT: string | null =", "COMMIT =");
  const line = `= "${COMMIT}";\n`;
  assert(stampCommit(TRANSPORT, source, COMMIT).includes(`COMMIT: string | null ${line}`));
  const file = "/package/lib/http/transport.js";
  assert(stampCommit(file, compiled, COMMIT).includes(`COMMIT ${line}`));
  // The compiler leaves it on the line on which its doc comment ends.
  const commented = compiled.replace("*/\nexport const COMMIT", "*/ export const COMMIT");
  assert(stampCommit(file, commented, COMMIT).includes(`*/ export const COMMIT ${line}`));
  assertEquals(stampCommit(file, compiled, null), compiled);
  assertEquals(stampCommit("/package/lib/http/mod.js", compiled, COMMIT), compiled);
  assertThrows(() => stampCommit(file, "export {};", COMMIT), TaskError);
});
