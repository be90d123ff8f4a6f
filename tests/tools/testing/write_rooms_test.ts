import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { basename, join, relative } from "node:path";
import { runQuietly, type RunResult } from "../../../tools/terminal/run_quietly.ts";
import { checkTypes } from "../../../tools/testing/check_types.ts";
import { type Rooms, writeRooms } from "../../../tools/testing/write_rooms.ts";
import { withFiles } from "../../sandbox/temp_folder.ts";
import { findExamples, mayHoldExamples } from "../../../tools/testing/find_examples.ts";
import { checkSizes, linesOfCode, parseBudgets } from "../../../tools/testing/room_sizes.ts";

/** A notebook whose second line of its second cell has a wrong type. */
const NOTEBOOK = new URL("../../testdata/notebook/type_error.ipynb", import.meta.url).pathname;
const PATHS = ["tests", "lib", "README.md"];

/** Documentation of `declared` with an example of these lines; its fence is on line `line`. */
function documented(declared: string, line: number, ...code: string[]): string {
  const lines = ["```ts", ...code, "```"].map((each) => ` * ${each}`.trimEnd());
  return ["/**", ...Array(line - 2).fill(" *"), ...lines, " */", declared, ""].join("\n");
}

/** A project whose tests and examples hold. */
const GOOD: Readonly<Record<string, string>> = {
  "README.md": '# Sample\n\n```ts\nimport { two } from "sample";\nif (two !== 2) throw two;\n```\n',
  "lib/mod.ts": documented(
    'export { two } from "./units/two.ts";',
    4,
    "const same = await Promise.resolve(1);",
    "if (same !== 1) throw same;",
  ),
  "lib/units/two.ts": documented(
    "export interface Two { two: number }\nexport const two = 2, three = 3;",
    3,
    'import { four as same } from "./deep/four.ts";',
    "const both: Two = { two: two + (await Promise.resolve(same)) };",
    "if (both.two !== 6) throw both;",
  ),
  "lib/units/deep/four.ts": documented("export const four = 4;", 3, "const two = 1; void two;"),
  "tests/units/two_test.ts":
    'globalThis.isolates ??= new Set();\nglobalThis.isolates.add("two");\nDeno.test("two", () => {});\n',
  "tests/units/deep/four_test.ts":
    'Deno.test("shares", () => {\n  if (!globalThis.isolates.has("two")) throw "alone";\n});\n',
  "tests/units/kept_test.ts":
    'Deno.test("kept", async (t) => {\n  await t.assertSnapshot("as it was");\n});\n',
  "tests/units/__snapshots__/kept_test.ts.snap":
    'export const snapshot = {};\n\nsnapshot[`kept 1`] = `"as it was"`;\n',
  "tests/units/made_up.ts": "throw new Error('no test');\n",
  "tests/node_modules/other/other_test.ts": 'Deno.test("not ours", () => {});\n',
};

const SETTINGS = JSON.stringify({ name: "sample", exports: "./lib/mod.ts", lock: false });

async function withProject(
  files: Readonly<Record<string, string>>,
  look: (root: string) => Promise<void>,
): Promise<void> {
  await withFiles({ "deno.json": SETTINGS, ...files }, look);
}

async function inProject(
  files: Readonly<Record<string, string>>,
  look: (root: string, rooms: Rooms) => Promise<void>,
): Promise<void> {
  await withProject(files, async (root) => {
    await look(root, await writeRooms({ root, paths: PATHS, folder: join(root, "build") }));
  });
}

/** The tests that a room imports. */
async function testsOf(room: string): Promise<string[] | undefined> {
  return (await Deno.readTextFile(room)).match(/\w+_test\.ts(?="\))/g)?.toSorted();
}

Deno.test("writeRooms() takes what it is told to, and names the tests that it leaves", () =>
  withProject(GOOD, async (root) => {
    const { entries, left, examples } = await writeRooms({
      root,
      paths: PATHS,
      takes: (path, text) => path.startsWith("tests/") && !text.includes("assertSnapshot"),
      folder: join(root, "build"),
    });
    assertEquals([left, examples], [["tests/units/kept_test.ts"], []]);
    assertEquals(entries.map((entry) => basename(entry)), ["units.ts"]);
    assertEquals(await testsOf(entries[0]!), ["four_test.ts", "two_test.ts"]);
  }));

Deno.test("writeRooms() makes one module of rooms that are together", () =>
  withProject({ ...GOOD, "tests/other/one_test.ts": "", "tests/a/b_test.ts": "" }, async (root) => {
    const folder = join(root, "build");
    const together = { both: ["units", "other"] };
    const { entries } = await writeRooms({ root, paths: ["tests"], together, folder });
    assertEquals(entries.map((entry) => basename(entry)).toSorted(), ["a.ts", "both.ts"]);
    const tests = ["four_test.ts", "kept_test.ts", "one_test.ts", "two_test.ts"];
    assertEquals(await testsOf(join(folder, "both.ts")), tests);
  }));

Deno.test("writeRooms() leaves out snapshots of the same name, or all of them to write them", async () => {
  const again = "tests/units/deep/again_test.ts";
  const snapshots = GOOD["tests/units/__snapshots__/kept_test.ts.snap"]!;
  const files = {
    ...GOOD,
    [again]: GOOD["tests/units/kept_test.ts"]!,
    "tests/units/deep/__snapshots__/again_test.ts.snap": snapshots.replace("it was", "it is"),
  };
  await inProject(files, async (root, { entries }) => {
    const apart = (all: readonly string[]) =>
      all.map((entry) => relative(root, entry)).filter((entry) => entry.startsWith("tests/"));
    assertEquals(apart(entries), ["tests/units/kept_test.ts"]);
    const kept = await Deno.readTextFile(join(root, "build", "__snapshots__", "units.ts.snap"));
    assertStringIncludes(kept, 'snapshot[`kept 1`] = `"as it is"`;');
    const folder = join(root, "other_build");
    const written = await writeRooms({ root, paths: PATHS, folder, areApart: true });
    assertEquals(apart(written.entries), [again, "tests/units/kept_test.ts"]);
  });
});

async function run(root: string, entries: readonly string[]): Promise<RunResult> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["test", "-A", "--no-check", ...entries],
    variables: { NO_COLOR: "1" },
    folder: root,
  });
}

Deno.test("writeRooms() groups tests and examples by the first folder of their path", async () => {
  const fails = 'throw new Error("x");';
  const files = {
    ...GOOD,
    "deno.json": SETTINGS.replace("}", ',"test":{"sanitizeResources":true}}'),
    "lib/units/bad.ts": documented("export const a = 1;", 5, "const b = 2;", fails),
    "lib/units/leak.ts": documented("export const c = 1;", 3, 'await Deno.open("deno.json");'),
    "tests/units/broken_test.ts": fails,
  };
  await inProject(files, async (root, { entries, examples }) => {
    const rooms = entries.map((entry) => relative(root, entry)).toSorted();
    assertEquals(rooms, ["build/docs.ts", "build/mod.ts", "build/units.ts"]);
    const good = [
      "lib/mod.ts#4-8.ts",
      "lib/units/deep/four.ts#3-6.ts",
      "lib/units/two.ts#3-8.ts",
      "README.md#3-7.ts",
    ];
    const bad = ["lib/units/bad.ts#5-9.ts", "lib/units/leak.ts#3-6.ts"];
    assertEquals(new Set(examples.map(({ name }) => name)), new Set([...good, ...bad]));
    const { output } = await run(root, entries);
    // What fails or leaks tells its place, and all others run.
    const held = [...output.matchAll(/^(\S.*) \.\.\. ok/gm)].map(([, name]) => name);
    assertEquals(held.toSorted(), ["two", "shares", "kept", ...good].toSorted(), output);
    assertMatch(output, /^lib\/units\/bad\.ts#5-9\.ts => \.\/lib\/units\/bad\.ts:5:1$/m);
    assertMatch(output, /^ {4}at file:\S*\/lib\/units\/bad\.ts\.5\.ts:7:7$/m);
    assertStringIncludes(output, "Leaks detected");
    assertMatch(output, /^broken_test\.ts is loaded => \.\/tests\/units\/broken_test\.ts:1:1$/m);
    assertMatch(output, /^lib\/units\/leak\.ts#3-6\.ts => \.\/lib\/units\/leak\.ts:3:1$/m);
    assertMatch(output, /7 passed \| 3 failed/);
  });
});

Deno.test("checkTypes() finds errors in code, and in examples and notebooks", async () => {
  const wrong = "const one: string = 1;\nvoid one;\n";
  const files = {
    "lib/mod.ts": documented("export const two: string = 2;", 3, "const three: string = 3;"),
    "README.md": `# Sample\n\n\`\`\`ts\n${wrong}\`\`\`\n`,
    "tests/none.ts": "export {};\n",
  };
  await inProject(files, async (root) => {
    const { success, output } = await checkTypes(root, ["README.md"], [NOTEBOOK]);
    assertEquals(success, false);
    for (const place of ["lib/mod.ts:", "lib/mod.ts#3-6.ts:", "README.md#3-7.ts:"]) {
      assertStringIncludes(output, place);
    }
    assertStringIncludes(output, "    at type_error.ipynb, cell [2], line 2");
  });
});

const SOURCE = `
/**
 * Two examples, and blocks that are none.
 *
 * \`\`\`ts
 * const product = 2 * 3;
 *   if (product !== 6) throw new Error("six");
 * \`\`\`
 *
 * \`\`\`
 * not code
 * \`\`\`
 *
 * \`\`\`ts ignore
 * throw new Error("ignored");
 * \`\`\`
 *
 * \`\`\`text
 * nor this
 * \`\`\`
 *
 * \`\`\`js
 * # const hidden = 1;
 * void hidden;
 * \`\`\`
 */
export const first = "lib/**/*.ts";

/* \`\`\`ts
 * throw new Error("not documentation");
 * \`\`\`
 */

  /** \`\`\`typescript
   * void 0;
   * \`\`\` */
export const second = 2;
`;

const PAGE = `# A page

\`\`\`ts
void 0;
\`\`\`

<!--
\`\`\`ts
throw new Error("hidden");
\`\`\`
-->

\`\`\`sh
deno task test
\`\`\`

- in a list

  \`\`\`ts title
  void 1;
  \`\`\`

\`\`\`tsx
void 2;
\`\`\`
`;

Deno.test("findExamples() finds the same examples as deno test --doc", async () => {
  const files = { "lib/mod.ts": SOURCE, "lib/page.md": PAGE, "lib/script.js": SOURCE };
  await withProject(files, async (root) => {
    const { output } = await run(root, ["--doc", "lib"]);
    const held = [...output.matchAll(/^file:\S*(lib\/\S+) \.\.\. ok/gm)].map(([, name]) => name);
    const found = Object.entries(files).flatMap(([path, text]) => findExamples(path, text));
    assertEquals(found.map(({ name }) => name).toSorted(), held.toSorted(), output);
    assertEquals(found.length, 9);
  });
});

Deno.test("findExamples() returns the code and its location, whatever ends its lines", () => {
  const [first, hidden, inline] = findExamples("lib/mod.ts", SOURCE);
  assertEquals(first, {
    name: "lib/mod.ts#5-9.ts",
    path: "lib/mod.ts",
    line: 5,
    code: 'const product = 2 * 3;\n  if (product !== 6) throw new Error("six");\n',
    extension: ".ts",
  });
  assertEquals(hidden?.code, "const hidden = 1;\nvoid hidden;\n");
  assertEquals([inline?.line, inline?.code], [34, "void 0;\n"]);
  const [page] = findExamples("lib/page.md", PAGE);
  assertEquals([page?.name, page?.code], ["lib/page.md#3-6.ts", "void 0;\n"]);
  for (const [path, text] of [["lib/mod.ts", SOURCE], ["lib/page.md", PAGE]] as const) {
    assertEquals(findExamples(path, text.replaceAll("\n", "\r\n")), findExamples(path, text));
  }
  assert(["a.ts", "a.mjs", "a.tsx", join("b", "a.md")].every(mayHoldExamples));
  assert(!["a.json", "a.snap", "a.ipynb", "Makefile"].some(mayHoldExamples));
});

Deno.test("linesOfCode() counts neither blank lines nor comments", () => {
  const text =
    "/**\n * What it is.\n */\nexport const a = 1; // one\n\n// Two.\nconst b = `\n/* kept`;\n";
  assertEquals(linesOfCode(text, "ts"), 3);
  assertEquals(linesOfCode("-- a view\nSELECT 1\n\n", "sql"), 1);
  assertEquals(linesOfCode("# a program\nprint(1)\n", "py"), 1);
});

Deno.test("checkSizes() names the room that is over its budget, or has none", async () => {
  const page = "| room | lines | files |\n| `units` | 1 | 1,000 |\n";
  const files = { "docs/architecture.md": page, "lib/units/a.ts": "1;\n" };
  await withFiles(files, async (root) => assert((await checkSizes(root)).success));
  const more = { ...files, "lib/units/b.sql": "SELECT 2\n", "lib/errors/a.py": "pass\n" };
  await withFiles(more, async (root) => {
    const { success, output } = await checkSizes(root);
    assertEquals(success, false);
    assertStringIncludes(output, "units has 2 lines, and its budget is 1");
    assertStringIncludes(output, "errors has 1 files, and its budget is 0");
  });
  assertEquals([...parseBudgets(page)], [["units", { lines: 1, files: 1000 }]]);
});
