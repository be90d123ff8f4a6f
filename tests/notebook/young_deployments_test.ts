import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { basename, join } from "node:path";
import { openSandbox } from "orderlens/sandbox";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { BROKEN, sentencesInShort } from "./in_short.ts";
import { runCells, type Shown } from "./run_cells.ts";

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

/** Runs a notebook on a sandbox over HTTP, as on a live deployment. */
async function runLive(path: string, seed: number, auctions: number): Promise<Shown> {
  const sandbox = await openSandbox({ seed, auctions, clock: "virtual" });
  await using server = sandbox.listen({ port: 0 });
  const { chainId, settlementContract } = sandbox.description;
  return await runCells(path, { url: server.url, chainId, settlementContract, last: 40 });
}

for (const auctions of [0, 1, 3, 30]) {
  Deno.test(`notebooks run on a deployment that has held ${auctions} auctions`, async (t) => {
    for (const path of NOTEBOOKS) {
      await t.step(basename(path), async () => {
        const { texts, drawings } = await runLive(path, 7, auctions);
        assert(texts.length > 5 && drawings.length > 0);
        for (const text of texts.filter((one) => one.includes("**"))) {
          assert(!BROKEN.test(text), text);
        }
        for (const drawing of drawings) {
          assert(!BROKEN.test(drawing), `${BROKEN.exec(drawing)?.[0]}: ${drawing.slice(0, 400)}`);
        }
        assertEquals(sentencesInShort(texts).length, 3);
      });
    }
  });
}

Deno.test("a deployment without auctions has empty figures that say so", async () => {
  for (const path of NOTEBOOKS.filter((one) => !/\/0[45]/.test(one))) {
    const { drawings, texts } = await runLive(path, 8, 0);
    for (const drawing of drawings) {
      assert(drawing.includes("There is nothing to draw"), basename(path));
    }
    const shares = texts.join(" ").match(/\d+\s?%/g) ?? [];
    assertEquals(shares, [], `${basename(path)} has shares of nothing`);
  }
});

Deno.test("the page of one order says where there is none", async () => {
  const { texts } = await runLive(NOTEBOOKS[3]!, 8, 0);
  assertStringIncludes(texts[0] ?? "", "The deployment has no order 0x500b5278…");
  assertStringIncludes(sentencesInShort(texts)[0] ?? "", "The deployment has no order 0x500b5278…");
});

Deno.test("pages agree on how many settlements are pending", async () => {
  const [winners, lives] = await Promise.all(
    [NOTEBOOKS[0]!, NOTEBOOKS[4]!].map(async (path) =>
      (await runLive(path, 7, 3)).texts.join("\n")
    ),
  );
  assertEquals(/\*\*(\d+)\*\* are pending/.exec(winners ?? "")?.[1], "3");
  assertEquals(/\*\*(\d+)\*\* were pending/.exec(lives ?? "")?.[1], "3");
});
