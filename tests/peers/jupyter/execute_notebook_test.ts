import { assertEquals } from "@std/assert";
import { join } from "node:path";
import { ensureJupyter } from "../../../tools/jupyter/ensure_jupyter.ts";
import { executeNotebook, type ExecutionEvent } from "../../../tools/notebooks/execute_notebook.ts";
import { codeCells, readNotebook } from "../../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";

function notebook(...sources: string[]): string {
  const cells = sources.map((source, index) => ({
    cell_type: "code",
    id: `cell-${index}`,
    metadata: {},
    execution_count: null,
    outputs: [],
    source,
  }));
  return JSON.stringify({ cells, metadata: {}, nbformat: 4, nbformat_minor: 5 });
}

/** So many cells show a value at once: a kernel may say that one is done before its output. */
const SHOWN = Array.from({ length: 60 }, (_, power) => String(2n ** BigInt(power)));

Deno.test("executeNotebook() counts the requests of a live notebook, and shows its outputs, each of them", async () => {
  const jupyter = await ensureJupyter();
  const folder = join(PROJECT_ROOT, "build", "tests", "live_cells");
  const source = join(folder, "live.ipynb");
  const target = join(folder, "live_executed.ipynb");
  const seen: string[] = [];
  await using server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen() {} }, (request) => {
    seen.push(new URL(request.url).pathname);
    return new Response(`answer ${seen.length}`);
  });
  await Deno.mkdir(folder, { recursive: true });
  await Deno.writeTextFile(
    source,
    notebook(
      `const root = "http://127.0.0.1:${server.addr.port}";`,
      "await (await fetch(`${root}/a`)).text()",
      "await (await fetch(`${root}/b`)).text()",
      'Deno.cwd().split("/").at(-1)',
      'import { show } from "orderlens/notebook";',
      ...SHOWN.map((value) => `await show(${value}n);`),
    ),
  );
  const events: ExecutionEvent[] = [];

  const failure = await executeNotebook(jupyter, {
    source,
    target,
    folder: join(PROJECT_ROOT, "notebooks"),
    isLive: true,
    onEvent: (event) => events.push(event),
  });

  assertEquals(failure, undefined);
  assertEquals(seen, ["/a", "/b"]);
  assertEquals(events.find(({ event }) => event === "requests"), { event: "requests", count: 1 });
  const shown = codeCells(await readNotebook(target)).map(({ outputs }) =>
    outputs.map(({ data }) => data?.["text/plain"])
  );
  assertEquals(shown.slice(0, 5), [[], ['"answer 1"'], ['"answer 2"'], ['"notebooks"'], []]);
  assertEquals(shown.slice(5), SHOWN.map((value) => [value]));
});
