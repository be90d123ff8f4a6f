import { assert, assertExists } from "@std/assert";
import { join } from "node:path";
import { type CellOutput, readNotebook } from "../../tools/notebooks/notebook.ts";
import { findNotebooks } from "../../tools/notebooks/find_notebooks.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { BROKEN } from "./in_short.ts";

/** What the title of a picture says in numbers, and the sentence under it has to say too. */
const SAID: readonly (readonly [notebook: string, title: RegExp])[] = [
  ["01_auction_rankings", /added to their auctions: median .*, ([\d.]+%) of the total score/],
  ["02_fee_policies", /charged: .*?(\d+ of \d+) fees with a cap/],
  ["03_slippage_against_quotes", /by size: median (−?[\d.]+) bps .*, \+?(−?[\d.]+) bps for/],
  ["03_slippage_against_quotes", /by quote age: median (−?[\d.]+) bps .*, \+?(−?[\d.]+) bps for/],
  [
    "03_slippage_against_quotes",
    /([\d.]+%) of fills (?:with one used none|needed none of their tolerance)/,
  ],
  [
    "03_slippage_against_quotes",
    /on average network −([\d.]+), protocol −([\d.]+), partner −([\d.]+), market \+([\d.]+) bps/,
  ],
  ["04_one_order", /the best \+([\d.]+) bps over the limit/],
  ["05_order_lifecycles", /half of those within ([\d.]+ s)/],
  ["05_order_lifecycles", /^(636 of 646) winning solutions/],
];

const MARKDOWN = "text/markdown";

function textOf(output: CellOutput, kind: string): string {
  return String(output.data?.[kind] ?? "");
}

for (const [notebook, title] of SAID) {
  Deno.test(`${notebook} says the same below its picture as ${title} above it`, async () => {
    const path = join(PROJECT_ROOT, "notebooks", `${notebook}.ipynb`);
    const { cells } = await readNotebook(path);
    const found = cells.flatMap(({ outputs }) =>
      outputs.flatMap((output) => {
        const svg = textOf(output, "image/svg+xml");
        const match = svg.match(/<title>([^<]*)<\/title>/)?.[1]?.match(title);
        const sentences = outputs.map((one) => textOf(one, MARKDOWN)).join(" ")
          .replaceAll("**", "");
        return match == null ? [] : [{ match, sentences }];
      })
    )[0];
    assertExists(found, "no picture has this title");
    for (const number of found.match.slice(1)) {
      assert(found.sentences.includes(number), `${number} is not in: ${found.sentences}`);
    }
  });
}

Deno.test("sentences have no missing number, and the minus sign of the pictures", async () => {
  for (const path of await findNotebooks(join(PROJECT_ROOT, "notebooks"), [])) {
    const { cells } = await readNotebook(path);
    for (
      const text of cells.flatMap(({ outputs }) => outputs.map((one) => textOf(one, MARKDOWN)))
    ) {
      assert(!BROKEN.test(text), text);
      assert(!/(?<![\w`-])-\d/.test(text), text);
    }
  }
});
