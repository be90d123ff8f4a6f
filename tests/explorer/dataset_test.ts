import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { openDataset } from "../../lib/datasets/mod.ts";
import { ask, askJson, explorer } from "./explore.ts";

Deno.test("a dataset has lists of its records, pages of its orders, and an overview with its gaps", async () => {
  const dataset = await openDataset("market_1");
  const from = explorer(dataset);
  const orders = await askJson("/orders.json", from);
  // As its manifest and its card say.
  assertEquals([orders.total, (await askJson("/auctions.json", from)).total], [37, 32]);
  const page = await ask(`/orders/${orders.rows[0]!.uid}`, { from });
  assertEquals(page.status, 200);
  const overview = await ask("/dataset", { from });
  assertStringIncludes(overview.text, "What it has and lacks");
  assertStringIncludes(overview.text, "How to cite it");
  const json = await askJson("/dataset.json", from);
  assertEquals([json.schema, json.ids.present.count], ["orderlens/describe@1", 32]);
  assert(!overview.text.includes(dataset.folder), "the folder is a matter of this machine");
});
