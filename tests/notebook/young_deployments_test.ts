import { assert, assertEquals, assertRejects } from "@std/assert";
import { basename, join } from "node:path";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runCells } from "./run_cells.ts";

/** The notebooks that read a range of auctions, or one order of it; 07 trades in a sandbox anyway. */
const NOTEBOOKS = await findNotebooks(join(PROJECT_ROOT, "notebooks"), [
  "01",
  "02",
  "03",
  "04",
  "05",
  "06",
  "08",
]);

/** What stands in a sentence where a number is missing. */
const BROKEN = /\bNaN\b|undefined|Infinity|\bnull\b|(?<!\d)-0\b(?!\.)/;

for (const auctions of [0, 1, 3, 30]) {
  const sandbox = `await openSandbox({ seed: 7, auctions: ${auctions} })`;
  Deno.test(`notebooks run on a deployment that has held ${auctions} auctions`, async (t) => {
    for (const path of NOTEBOOKS) {
      const name = basename(path);
      if (name.startsWith("04") && auctions <= 1) {
        await t.step(`${name} says that there is no order`, async () => {
          await assertRejects(() => runCells(path, sandbox), Error, "has no order");
        });
        continue;
      }
      await t.step(name, async () => {
        const { texts, drawings } = await runCells(path, sandbox);
        assert(texts.length > 5 && drawings.length > 0);
        for (const text of texts.filter((one) => one.includes("**"))) {
          assert(!BROKEN.test(text), text);
        }
        for (const drawing of drawings) {
          assert(!BROKEN.test(drawing), `${BROKEN.exec(drawing)?.[0]}: ${drawing.slice(0, 400)}`);
        }
      });
    }
  });
}

Deno.test("a deployment without auctions has empty figures that say so", async () => {
  for (const path of NOTEBOOKS.filter((one) => !/\/0[45]/.test(one))) {
    const { drawings, texts } = await runCells(path, "await openSandbox({ seed: 8 })");
    for (const drawing of drawings) {
      assert(drawing.includes("There is nothing to draw"), basename(path));
    }
    const shares = texts.join(" ").match(/\d+\s?%/g) ?? [];
    assertEquals(shares, [], `${basename(path)} has shares of nothing`);
  }
});

Deno.test("pages agree on how many settlements are pending", async () => {
  const [winners, , , , lives] = await Promise.all(
    NOTEBOOKS.map(async (path) =>
      (await runCells(path, "await openSandbox({ seed: 7, auctions: 3 })")).texts.join("\n")
    ),
  );
  assertEquals(/\*\*(\d+)\*\* are pending/.exec(winners ?? "")?.[1], "3");
  assertEquals(/\*\*(\d+)\*\* were pending/.exec(lives ?? "")?.[1], "3");
});
