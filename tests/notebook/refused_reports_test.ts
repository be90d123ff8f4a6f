import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { ensureJupyter } from "../../tools/jupyter/ensure_jupyter.ts";
import { executeNotebooks } from "../../tools/notebooks/execute_notebooks.ts";
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

Deno.test("notebooks say which answers are lost where debug reports are refused", async (t) => {
  const folder = join(PROJECT_ROOT, "build", "tests", "refused_reports");
  await Deno.mkdir(folder, { recursive: true });
  const sources = await Promise.all(Object.keys(LOST).map((name) => refusing(name, folder)));
  const executed = await executeNotebooks(await ensureJupyter(), {
    sources,
    folder: join(folder, "executed"),
  });
  for (const { target, failure } of executed) {
    const [name, sentences = []] = Object.entries(LOST).find(([name]) =>
      target.endsWith(`${name}.ipynb`)
    ) ?? [];
    await t.step(`${name}`, async () => {
      assertEquals(failure, undefined);
      const answers = codeCells(await readNotebook(target))
        .flatMap(({ outputs }) => outputs.flatMap(({ data }) => data?.["text/markdown"] ?? []))
        .join("\n");
      for (const sentence of sentences) assertStringIncludes(answers, sentence);
      assertEquals(NO_WORD.exec(answers), null);
    });
  }
});

/** Writes a copy of a notebook whose deployment answers 403 for debug reports. */
async function refusing(name: string, folder: string): Promise<string> {
  const text = await Deno.readTextFile(join(PROJECT_ROOT, "notebooks", `${name}.ipynb`));
  const connect = JSON.stringify(CONNECT).slice(1, -1);
  assert(text.includes(connect), `${name} does not connect as pages do: ${CONNECT}`);
  const file = join(folder, `${name}.ipynb`);
  await Deno.writeTextFile(
    file,
    text.replace(connect, () => JSON.stringify(CONNECT_REFUSED).slice(1, -1)),
  );
  return file;
}
