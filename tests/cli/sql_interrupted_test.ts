import { assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { withFolder } from "../sandbox/temp_folder.ts";

const MAIN = join(import.meta.dirname!, "../../lib/cli/main.ts");
const ROWS = "FROM range(1000000) AS a(n), range(1000000) AS b(m)";
/** They would take days: one that counts, and one with a function on amounts. */
const QUERIES = [
  `SELECT n ${ROWS} WHERE n * m % 7 = 8`,
  `SELECT n ${ROWS} WHERE u_key(n) > u_key(m + 2000000)`,
];

for (const [place, query] of QUERIES.entries()) {
  Deno.test({
    name:
      `orderlens sql, interrupted, ends at once with exit code 130 and leaves nothing (${place})`,
    ignore: Deno.build.os === "windows",
    fn: async () => {
      await withFolder(async (folder) => {
        const [output, temporary] = [`${folder}/rows.csv`, `${folder}/temporary`];
        await Deno.mkdir(temporary);
        await Deno.writeTextFile(output, "n\n7\n");
        const child = new Deno.Command(Deno.execPath(), {
          args: ["run", "-A", "--no-check", MAIN, "sql", "market_1", query, "--output", output],
          env: { TMPDIR: temporary },
          stdout: "piped",
          stderr: "piped",
        }).spawn();
        const ended = child.output();
        await untilThere(folder, "rows.csv.unfinished");
        child.kill("SIGINT");
        const { code, stdout, stderr } = await ended;
        const err = new TextDecoder().decode(stderr);
        assertEquals([code, stdout.length], [130, 0], err);
        assertStringIncludes(err, "nterrupted");
        assertEquals([...Deno.readDirSync(folder)].map(({ name }) => name).sort(), [
          "rows.csv",
          "temporary",
        ]);
        assertEquals([...Deno.readDirSync(temporary)].map(({ name }) => name), []);
        assertEquals(await Deno.readTextFile(output), "n\n7\n");
      });
    },
  });
}

/** Waits until a file is in a folder: the query runs. */
async function untilThere(folder: string, name: string): Promise<void> {
  using watcher = Deno.watchFs(folder);
  for await (const { paths } of watcher) {
    if (paths.some((path) => path.endsWith(`/${name}`))) return;
  }
}
