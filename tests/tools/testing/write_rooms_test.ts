import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { basename, join, relative } from "node:path";
import { type Ended, runQuietly } from "../../../tools/terminal/run_quietly.ts";
import { checkTypes } from "../../../tools/testing/check_types.ts";
import { type Rooms, writeRooms } from "../../../tools/testing/write_rooms.ts";
import { documented, sampleProject } from "./sample_project.ts";

/** A notebook whose second line of its second cell has a wrong type. */
const NOTEBOOK = new URL("../../testdata/notebook/type_error.ipynb", import.meta.url).pathname;
const PATHS = ["tests", "lib", "README.md"];

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

async function inProject(
  files: Readonly<Record<string, string>>,
  look: (root: string, rooms: Rooms) => Promise<void>,
): Promise<void> {
  const root = await sampleProject(files);
  try {
    await look(root, await writeRooms({ root, paths: PATHS, folder: join(root, "build") }));
  } finally {
    await Deno.remove(root, { recursive: true });
  }
}

Deno.test("writeRooms() takes what it is told to, and names the tests that it leaves", async () => {
  const root = await sampleProject(GOOD);
  const { entries, left, examples } = await writeRooms({
    root,
    paths: PATHS,
    takes: (path, text) => path.startsWith("tests/") && !text.includes("assertSnapshot"),
    folder: join(root, "build"),
  });
  assertEquals(left, ["tests/units/kept_test.ts"]);
  assertEquals(examples, []);
  assertEquals(entries.map((entry) => basename(entry)), ["units.ts"]);
  const room = await Deno.readTextFile(entries[0]!);
  assertEquals(room.match(/\w+_test\.ts/g)?.toSorted(), ["four_test.ts", "two_test.ts"]);
  await Deno.remove(root, { recursive: true });
});

Deno.test("writeRooms() makes one room of those that are small", async () => {
  const root = await sampleProject({
    ...GOOD,
    "tests/other/one_test.ts": "",
    "tests/a/b_test.ts": "",
  });
  const small = ["units", "other"];
  const { entries } = await writeRooms({
    root,
    paths: ["tests"],
    small,
    folder: join(root, "build"),
  });
  assertEquals(entries.map((entry) => basename(entry)).toSorted(), ["a.ts", "small.ts"]);
  const room = await Deno.readTextFile(join(root, "build", "small.ts"));
  assertEquals(room.match(/\w+_test\.ts/g)?.toSorted(), [
    "four_test.ts",
    "kept_test.ts",
    "one_test.ts",
    "two_test.ts",
  ]);
  await Deno.remove(root, { recursive: true });
});

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

async function run(root: string, entries: readonly string[]): Promise<Ended> {
  return await runQuietly({
    program: Deno.execPath(),
    args: ["test", "-A", "--no-check", ...entries],
    variables: { NO_COLOR: "1" },
    folder: root,
  });
}

Deno.test("writeRooms() groups tests and examples by the first folder of their path", async () => {
  await inProject(GOOD, async (root, { entries, examples }) => {
    assertEquals(entries.map((entry) => relative(root, entry)).toSorted(), [
      "build/docs.ts",
      "build/mod.ts",
      "build/units.ts",
    ]);
    assertEquals(examples.map(({ name }) => name), [
      "lib/mod.ts#4-8.ts",
      "lib/units/deep/four.ts#3-6.ts",
      "lib/units/two.ts#3-8.ts",
      "README.md#3-7.ts",
    ]);
    const { success, output } = await run(root, entries);
    assert(success, output);
    const held = [...output.matchAll(/^(\S.*) \.\.\. ok/gm)].map(([, name]) => name);
    const expected = ["two", "shares", "kept", ...examples.map(({ name }) => name)];
    assertEquals(held.toSorted(), expected.toSorted(), output);
  });
});

Deno.test("a failing example reports its location, and the others run", async () => {
  const failing = documented("export const bad = 1;", 5, "const two = 2;", 'throw new Error("x");');
  const second = documented("export const good = 1;", 3, "const two = 2; void two;");
  const files = { ...GOOD, "lib/units/bad.ts": failing, "lib/units/good.ts": second };
  await inProject(files, async (root, { entries }) => {
    const { success, output } = await run(root, entries.filter((e) => basename(e) === "units.ts"));
    assertEquals(success, false);
    assertMatch(output, /^lib\/units\/bad\.ts#5-9\.ts => \.\/lib\/units\/bad\.ts:5:1$/m);
    assertMatch(output, /^ {4}at file:\S*\/lib\/units\/bad\.ts\.5\.ts:7:7$/m);
    assertMatch(output, /6 passed \| 1 failed/);
  });
});

Deno.test("an example with a leak fails", async () => {
  const leaking = documented("export const bad = 1;", 3, 'await Deno.open("deno.json");');
  const settings = '{ "name": "sample", "exports": "./lib/mod.ts", "lock": false,\n' +
    '"test": { "sanitizeResources": true } }';
  const files = { ...GOOD, "deno.json": settings, "lib/units/bad.ts": leaking };
  await inProject(files, async (root, { entries }) => {
    const { output } = await run(root, entries.filter((entry) => basename(entry) === "units.ts"));
    assertStringIncludes(output, "Leaks detected");
    assertMatch(output, /^lib\/units\/bad\.ts#3-6\.ts => \.\/lib\/units\/bad\.ts:3:1$/m);
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
