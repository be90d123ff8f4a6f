import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { join } from "node:path";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { runQuietly } from "../../tools/terminal/run_quietly.ts";
import { drawPictures } from "../../tools/draw_pictures.ts";
import { runNotebooks } from "../../tools/run_notebooks.ts";
import { TaskError } from "../../tools/terminal/task_error.ts";
import { completeManifest, type PackedManifest } from "../../tools/package/complete_manifest.ts";
import { listExamples, readExampleCode } from "../../tools/gallery/chart_index.ts";
import { DRAWN } from "../charts/drawn.ts";

/** Runs a task as a user does. */
async function run(task: string, ...args: string[]): Promise<{ success: boolean; output: string }> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["run", "-A", join(PROJECT_ROOT, "tools", `${task}.ts`), ...args],
    variables: { NO_COLOR: "1" },
  });
}

Deno.test("the gate explains its options, and rejects others in one line", async () => {
  const { success, output } = await run("run_gate", "--help");
  assertEquals(success, true);
  assertMatch(output, /--quick {2}leave out tests/);
  assertEquals(await run("run_gate", "--quik"), {
    success: false,
    output: "error: There is no option --quik: there are --quick and --help",
  });
});

Deno.test("the notebooks task lists its options, and says which notebook takes no network", async () => {
  const { success, output } = await run("run_notebooks", "--help");
  assertEquals(success, true);
  assertMatch(output, /^Usage: deno task notebooks \[names…\] \[options\]\n/);
  const { message } = await assertRejects(
    () => runNotebooks(["07", "--network", "xdai"]),
    TaskError,
  );
  const parameters = "it has seed, auctions, slippageBps";
  assertEquals(message, `07_place_and_track.ipynb has no parameter source: ${parameters}`);
});

Deno.test("drawPictures() writes the example of a chart as PNG, and names the file of one that is missing", async () => {
  const path = join("build", "pictures", "settlementOutcomes.png");
  assertEquals(await drawPictures(["settlementOutcomes"]), [path]);
  const bytes = await Deno.readFile(join(PROJECT_ROOT, path));
  assertEquals([...bytes.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
  const { message } = await assertRejects(() => drawPictures(["noSuchChart"]), TaskError);
  assert(message.startsWith("There is no example tools/gallery/charts/noSuchChart.ts: add it"));
  assert(message.includes("winMargin") && !message.includes("market"));
});

const packed: PackedManifest = {
  name: "@a/b",
  version: "1.0.0",
  exports: {},
  dependencies: { "@c/d": "^1.2.3", "d3-array": "^0.1.0" },
};
const bin = { orderlens: "./bin/orderlens.js" };

Deno.test("completeManifest() takes exact versions from the import map, and adds the given fields", () => {
  const configuration = {
    imports: {
      "@c/d": "npm:@c/d@1.2.3",
      "d3-array": "npm:d3-array@0.1.2",
      "temporal-polyfill": "npm:temporal-polyfill@1.0.0",
    },
  };
  const additions = { bin, engines: { node: ">=22" } };
  assertEquals<unknown>(completeManifest(packed, { configuration, additions }), {
    ...packed,
    dependencies: { "@c/d": "1.2.3", "temporal-polyfill": "1.0.0" },
    peerDependencies: { "d3-array": "0.1.2" },
    peerDependenciesMeta: { "d3-array": { optional: true } },
    bin,
    engines: { node: ">=22" },
  });
  const ranged = { imports: { "@c/d": "npm:@c/d@^1.2.3" } };
  const complete = () => completeManifest(packed, { configuration: ranged, additions: { bin } });
  assertThrows(complete, TaskError, "deno.json names no exact version of @c/d");
});

Deno.test("every chart has an example, of code of about five lines that a reader can type", async () => {
  const drawn = ["explore", "figure", ...DRAWN.map(([name]) => name)].sort();
  const names = await listExamples();
  const missing = drawn.filter((name) => !names.includes(name))
    .map((name) => `tools/gallery/charts/${name}.ts`);
  assertEquals(missing, [], `Add an example of about five lines: ${missing.join(", ")}`);
  assertEquals(names, drawn);
  for (const name of names) {
    const code = await readExampleCode(name);
    assert(code.split("\n").filter((line) => line !== "").length <= 8, name);
    assert(!code.includes("export ") && !code.includes("./"), name);
    assert(code.includes(`${name}(`), name);
  }
  assert((await readExampleCode("market")).includes('await openMarket("market_1"'));
});
