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

Deno.test("executeNotebook() counts the requests of a live notebook, and shows only its outputs", async () => {
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
  assertEquals(shown, [[], ['"answer 1"'], ['"answer 2"'], ['"notebooks"']]);
});
