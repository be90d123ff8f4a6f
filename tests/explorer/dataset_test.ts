import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { connect } from "../../lib/client/mod.ts";
import {
  exportDataset,
  mergeDatasets,
  openDataset,
  rebuildDataset,
} from "../../lib/datasets/mod.ts";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { ask, askJson, explorer } from "./explore.ts";

Deno.test("a dataset has lists of its records, pages of its orders, and an overview with its gaps", async () => {
  const dataset = await openDataset("market_1");
  const from = explorer(dataset);
  const orders = await askJson("/orders.json", from);
  // As its manifest and its card say.
  assertEquals([orders.total, (await askJson("/auctions.json", from)).total], [41, 32]);
  const page = await ask(`/orders/${orders.rows[0]!.uid}`, { from });
  assertEquals(page.status, 200);
  const absent = await ask(`/orders/0x${"01".repeat(56)}`, { from });
  assertEquals(absent.status, 404);
  assertStringIncludes(absent.text, "It keeps a part of its deployment");
  const overview = await ask("/dataset", { from });
  assertStringIncludes(overview.text, "What it has and lacks");
  assertStringIncludes(overview.text, "How to cite it");
  const json = await askJson("/dataset.json", from);
  assertEquals([json.schema, json.ids.present.count], ["orderlens/describe@1", 32]);
  assert(!overview.text.includes(dataset.folder), "the folder is a matter of this machine");
});

Deno.test("a settlement whose block a dataset lacks is counted apart", async () => {
  const from = explorer(await openDataset("market_1"));
  const solver = await ask("/solvers/0x9315fc8ffae493123b9b6b1c93d50c9b9eef0344", { from });
  // It won 29 solutions; the trades of 28 of them are in the range.
  assertStringIncludes(
    solver.text,
    "of 29 winning solutions it settled 28 in time; of 1 it is not known",
  );
});

Deno.test("a dataset of several environments has lists without verdicts, and says what to open for a page", async () => {
  await withFolder(async (folder) => {
    const sandbox = await openSandbox({ seed: 7, auctions: 6 });
    const [production, staging] = [`${folder}/production`, `${folder}/staging`];
    await exportDataset(connect(sandbox), production, {
      last: 2,
      debugReports: false,
      tables: ["orders", "auctions", "trades"],
    });
    await copyFolder(production, staging);
    const manifest = JSON.parse(await Deno.readTextFile(`${staging}/manifest.json`));
    manifest.source.environment = "staging";
    await Deno.writeTextFile(`${staging}/manifest.json`, JSON.stringify(manifest));
    await rebuildDataset(staging);
    await mergeDatasets([production, staging], `${folder}/both`);
    const from = explorer(await openDataset(`${folder}/both`));
    for (const path of ["/", "/orders", "/orders.csv", "/auctions", "/trades", "/dataset"]) {
      assertEquals((await ask(path, { from })).status, 200, path);
    }
    const page = await ask(`/auctions/${sandbox.description.auctionId}`, { from });
    assertEquals(page.status, 400);
    assertStringIncludes(page.text, "it has the auctions of several environments");
    assertStringIncludes(page.text, "Open one of the datasets that it was merged from");
  });
});

async function copyFolder(from: string, to: string): Promise<void> {
  await Deno.mkdir(to);
  for await (const { name, isDirectory } of Deno.readDir(from)) {
    if (isDirectory) await copyFolder(`${from}/${name}`, `${to}/${name}`);
    else await Deno.copyFile(`${from}/${name}`, `${to}/${name}`);
  }
}
