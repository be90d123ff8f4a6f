import { assert, assertEquals } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";

Deno.test("deno publish reports no problem, and includes the files that the library reads", async () => {
  const { success, output } = await runQuietly({
    program: Deno.execPath(),
    // The gate checks the types.
    args: ["publish", "--dry-run", "--allow-dirty", "--no-check"],
    variables: { NO_COLOR: "1" },
    folder: PROJECT_ROOT,
  });
  assert(success, output);
  assertEquals(output.match(/^(?:warning|error).*/gm), null, output);
  const files = [...output.matchAll(/^ *file:\S*?\/((?:data|lib|notebooks|tests|tools)\/\S+) /gm)]
    .map(([, file]) => file!);
  const entries = Object.values(configuration.exports).map((path) => path.replace("./", ""));
  assertEquals(entries.filter((entry) => !files.includes(entry)), []);
  assertEquals(files.filter((file) => /^(?:tests|tools)\/|\.truth\.json/.test(file)), []);
  assert(files.includes("data/recorded/market_1.ndjson.gz"));
  assert(files.includes("data/recorded/market_1.chain.json.gz"));
});
