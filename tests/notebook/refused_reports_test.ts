import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { MimeBundle } from "../../lib/notebook/mod.ts";
import { codeCells, readNotebook } from "../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";

const CONNECT = 'const book = connect(await replay("market_1"));';
const CONNECT_REFUSED = `const answering = await replay("market_1");
const book = connect({
  baseUrl: answering.baseUrl,
  deployment: answering.deployment,
  send: (request) =>
    request.path.includes("/debug/")
      ? Promise.resolve({ status: 403, contentType: "text/html", headers: new Headers(), body: "" })
      : answering.send(request),
});`;

/** What each page then says instead of an answer. */
const LOST: Readonly<Record<string, readonly string[]>> = {
  "01_auction_rankings": [
    "There are no debug reports: Pass the key of a partner",
    "whether **9** others were **is lost**",
    "what decided the others **is lost**",
  ],
  "02_fee_policies": [
    "There are no debug reports: Pass the key of a partner",
    "that won and were not settled **is lost**",
    "filled in parts it **is lost**",
  ],
  "03_slippage_against_quotes": [
    "There are no debug reports: Pass the key of a partner",
    "What made the difference of **4** fills **is lost**",
    "**how old quotes were is lost**",
  ],
  "04_one_order": [
    "but no debug report: Pass the key of a partner",
    "What is not known: **events**",
    "which tries failed is **lost** without a debug report",
  ],
  "05_order_lifecycles": [
    "There are no debug reports: Pass the key of a partner",
    "**how long orders waited is lost**",
    "**why orders waited is lost**",
    "**what failed, and how, is lost**",
  ],
  "06_your_own_data": ["There are no debug reports: Pass the key of a partner"],
};

/** What a missing number reads as. */
const NO_WORD = /\b(?:undefined|null|NaN|Infinity)\b/;

for (const [name, sentences] of Object.entries(LOST)) {
  Deno.test(`${name} says which answers are lost where debug reports are refused`, async () => {
    const answers = (await shownWhereRefused(name))
      .flatMap((bundle) => bundle["text/markdown"] ?? [])
      .join("\n");
    for (const sentence of sentences) assertStringIncludes(answers, sentence);
    assertEquals(NO_WORD.exec(answers), null);
  });
}

/** What the cells of a notebook show, run as one module, if its deployment answers 403 for reports. */
async function shownWhereRefused(name: string): Promise<readonly MimeBundle[]> {
  const page = await readNotebook(join(PROJECT_ROOT, "notebooks", `${name}.ipynb`));
  const code = codeCells(page).map(({ source }) => source).join(";\n");
  const shownHere = new URL(`./shown_in_process.ts?${name}`, import.meta.url).href;
  const module = [[CONNECT, CONNECT_REFUSED], ['"orderlens/notebook"', JSON.stringify(shownHere)]]
    .reduce((text, [is = "", becomes = ""]) => {
      assert(text.includes(is), `${name} does not say what pages do: ${is}`);
      return text.replace(is, () => becomes);
    }, code);
  const folder = join(PROJECT_ROOT, "build", "tests", "refused_reports");
  await Deno.mkdir(folder, { recursive: true });
  const file = join(folder, `${name}.ts`);
  await Deno.writeTextFile(file, module);
  await import(pathToFileURL(file).href);
  return (await import(shownHere)).shown;
}
