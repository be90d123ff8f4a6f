import { assert, assertEquals } from "@std/assert";
import { dirname, join, relative } from "node:path";
import { findNotebooks } from "../../../tools/notebooks/find_notebooks.ts";
import { readNotebook } from "../../../tools/notebooks/notebook.ts";
import { PROJECT_ROOT } from "../../../tools/project_root.ts";
import { readLines } from "../../../tools/terminal/run_quietly.ts";

/** The files that notebooks link to, as paths below the project. */
async function listLinks(): Promise<string[]> {
  const links = new Set<string>();
  for (const path of await findNotebooks(join(PROJECT_ROOT, "notebooks"))) {
    for (const { cell_type, source } of (await readNotebook(path)).cells) {
      if (cell_type !== "markdown") continue;
      for (const [, link = ""] of source.matchAll(/\]\(((?![a-z]+:|#)[^)#]+)/g)) {
        links.add(relative(PROJECT_ROOT, join(dirname(path), link)));
      }
    }
  }
  return [...links];
}

Deno.test("the lab opens every file that a notebook links to, and begins in notebooks/", async () => {
  const token = crypto.randomUUID();
  const lab = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "-A", join(PROJECT_ROOT, "tools", "run_lab.ts"), "--no-browser"],
      ...["--ServerApp.ip=127.0.0.1", "--ServerApp.port=0", `--IdentityProvider.token=${token}`],
    ],
    env: { NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const out = Array.fromAsync(readLines(lab.stdout));
  const lines = readLines(lab.stderr);
  let root: string | undefined;
  for (let next = await lines.next(); root === undefined; next = await lines.next()) {
    assert(!next.done, "JupyterLab ended");
    root = /http:\/\/127\.0\.0\.1:\d+/.exec(next.value)?.[0];
  }
  const words = Array.fromAsync(lines);
  const get = async (path: string) => {
    const response = await fetch(`${root}${path}`, {
      headers: { authorization: `token ${token}` },
    });
    return [response.status, await response.text()] as const;
  };
  try {
    const links = await listLinks();
    assert(links.length > 5 && links.includes("docs/sql.md"));
    for (const link of [...links, "README.md"]) {
      const [status, body] = await get(`/api/contents/${link}?content=0`);
      assertEquals([status, status === 200 && JSON.parse(body).type !== ""], [200, true], link);
    }
    const [, page] = await get("/lab");
    const [, config = ""] = /<script id="jupyter-config-data"[^>]*>([^]*?)<\/script>/.exec(page) ??
      [];
    assertEquals(JSON.parse(config).preferredPath, "notebooks");
  } finally {
    lab.kill("SIGTERM");
    await Promise.all([lab.status, out, words]);
  }
});
