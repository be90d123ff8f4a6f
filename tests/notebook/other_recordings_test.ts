import { assert, assertEquals } from "@std/assert";
import { basename, join } from "node:path";
import { shippedRecordings } from "orderlens/recordings";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { saidIn } from "./committed.ts";
import { BROKEN, sentencesInShort } from "./in_short.ts";
import { runCells } from "./run_cells.ts";

const NOTEBOOKS = await findNotebooks(join(PROJECT_ROOT, "notebooks"), [
  "01",
  "02",
  "03",
  "04",
  "05",
  "06",
  "08",
  "10",
  "12",
  "13",
  "14",
]);

/** What the notebooks take by themselves, so that their committed outputs are of it. */
const OWN = "market_1";
const OTHERS = (await shippedRecordings()).filter((name) => name !== OWN);

/** Each recording with one notebook, or with all: `ORDERLENS_ALL=1` takes half a minute more. */
const AT_A_TIME = Deno.env.has("ORDERLENS_ALL") ? NOTEBOOKS.length : 1;

for (const [place, path] of NOTEBOOKS.entries()) {
  Deno.test(`${basename(path)} runs on the other recordings that ship`, async (t) => {
    for (const [index, recording] of OTHERS.entries()) {
      if ((place + index) % NOTEBOOKS.length >= AT_A_TIME) continue;
      await t.step(recording, async () => {
        const isOfTwo = basename(path).startsWith("05");
        const { texts, drawings } = await runCells(path, {
          source: recording,
          ...(isOfTwo ? { rough: recording } : {}),
        });
        for (const text of texts.filter((one) => one.includes("**"))) {
          assert(!BROKEN.test(text), text);
        }
        const sources = drawings.flatMap((drawing) =>
          [...drawing.matchAll(/Source: ([^<]*)/g)].map(([, source = ""]) => source)
        );
        assert(
          sources.some((source) => source.includes(recording)),
          `${sources} are not of ${recording}`,
        );
        assertEquals(sentencesInShort(texts).length, 3);
      });
    }
  });
}

Deno.test("the decimals in a page's parameters give amounts in tokens", async () => {
  const recording = "trades_v2__trades_v2_endpoints";
  const path = NOTEBOOKS[5]!;
  const unknown = async (parameters: Record<string, unknown>) => {
    const { texts } = await runCells(path, { source: recording, ...parameters });
    return saidIn(texts).table("tokens_of_unknown_decimals")[0]!.tokens_of_unknown_decimals;
  };
  assertEquals(await unknown({}), "2");
  const decimals = { "0xC6E7DF5E7B4F2A278906862B61205850344D4E7D": 18 };
  assertEquals(await unknown({ decimals }), "1");
});
