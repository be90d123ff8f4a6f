import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { basename, join } from "node:path";
import { openSandbox } from "orderlens/sandbox";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { saidIn } from "./committed.ts";
import { BROKEN, sentencesInShort } from "./in_short.ts";
import { sourceHere } from "./page_in_process.ts";
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
  "10",
]);

/** Places of the notebooks that run after some auctions: with `ORDERLENS_ALL=1` all do. */
const PLACES: Readonly<Record<number, readonly number[]>> = {
  0: [0, 1, 2, 3, 4, 5, 6, 7],
  1: [2, 6],
  3: [0, 1, 3, 4],
  12: [5],
};
const IS_ALL = Deno.env.has("ORDERLENS_ALL");
const notebooksAfter = (auctions: number) =>
  NOTEBOOKS.filter((_, place) => IS_ALL || PLACES[auctions]!.includes(place));

/** Runs the notebooks on a sandbox. */
async function runYoung(auctions: number): Promise<Map<string, Shown>> {
  const source = sourceHere(await openSandbox({ seed: 7, auctions, clock: "virtual" }));
  const shown = new Map<string, Shown>();
  for (const path of notebooksAfter(auctions)) {
    shown.set(path, await runCells(path, { source, last: 40 }));
  }
  return shown;
}

const SHOWN = new Map<number, Promise<Map<string, Shown>>>();

/** What each notebook shows of a deployment that has held some auctions; run once. */
function shownAfter(auctions: number): Promise<Map<string, Shown>> {
  return SHOWN.getOrInsertComputed(auctions, () => runYoung(auctions));
}

for (const auctions of [0, 1, 3, 12]) {
  Deno.test(`notebooks run on a deployment that has held ${auctions} auctions`, async (t) => {
    for (const [path, { texts, drawings }] of await shownAfter(auctions)) {
      await t.step(basename(path), () => {
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
  for (const [path, { drawings, texts }] of await shownAfter(0)) {
    if (/\/0[45]/.test(path)) continue;
    for (const drawing of drawings) {
      const isExplored = /<title>0 [a-z ]+: /.test(drawing);
      assert(isExplored || drawing.includes("There is nothing to draw"), basename(path));
    }
    const shares = texts.join(" ").match(/\d+\s?%/g) ?? [];
    assertEquals(shares, [], `${basename(path)} has shares of nothing`);
  }
});

Deno.test("the page of one order says where there is none", async () => {
  const { texts } = (await shownAfter(0)).get(NOTEBOOKS[3]!)!;
  assertStringIncludes(texts.join("\n"), "This deployment does not have the order");
});

Deno.test("pages agree on how many settlements are pending", async () => {
  const pages = await shownAfter(3);
  const [winners, lives] = [NOTEBOOKS[0]!, NOTEBOOKS[4]!].map((path) =>
    saidIn(pages.get(path)!.texts)
  );
  assertEquals(winners!.table("pending")[0]!.pending, "3");
  assertStringIncludes(lives!.said, "3 were still pending");
});
