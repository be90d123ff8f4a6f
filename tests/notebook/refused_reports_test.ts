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
        .flatMap(({ outputs }) => outputs.map(({ data }) => String(data?.["text/markdown"])))
        .join("\n");
      for (const sentence of sentences) assertStringIncludes(answers, sentence);
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
