import { assert, assertEquals } from "@std/assert";
import { exampleCode, exampleNames } from "../../../tools/gallery/chart_index.ts";
import { DRAWN } from "../../charts/drawn.ts";

Deno.test("every chart has an example, of code of about five lines that a reader can type", async () => {
  const drawn = ["explore", "figure", ...DRAWN.map(([name]) => name)].sort();
  const names = await exampleNames();
  const missing = drawn.filter((name) => !names.includes(name))
    .map((name) => `tools/gallery/charts/${name}.ts`);
  assertEquals(missing, [], `Add an example of about five lines: ${missing.join(", ")}`);
  assertEquals(names, drawn);
  for (const name of names) {
    const code = await exampleCode(name);
    assert(code.split("\n").filter((line) => line !== "").length <= 8, name);
    assert(!code.includes("export ") && !code.includes("./"), name);
    assert(code.includes(`${name}(`), name);
  }
  assert((await exampleCode("market")).includes('await openMarket("market_1"'));
});
