import { assert, assertEquals, assertMatch } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { ROOMS } from "../../tools/lint/rooms.ts";
import { walkFiles } from "../../tools/testing/files_below.ts";

const LIB = new URL("../../lib/", import.meta.url);

const MODULE_DOC = /^\/\*\*\n(?: \*.*\n)+? \* @module\n \*\/\n/;
const RE_EXPORT = /^export (?:type )?\{[^{}]*\} from "([^"]+)";\n/;

/** Paths of all files, relative to the folder. */
const FILES = await Array.fromAsync(walkFiles(LIB.pathname, ["."]));
const FOLDERS = [...new Set(FILES.filter((file) => file.includes("/")).map(folderOf))];
const DOORS = ["mod.ts", ...FOLDERS.map((folder) => `${folder}/mod.ts`)];

function folderOf(file: string): string {
  return file.slice(0, file.indexOf("/"));
}

/**
 * What a door re-exports from: an entry point may give names of other rooms that its own need. The
 * front door takes files of networks/, whose mod.ts brings the list of solvers.
 */
function allowedSources(door: string): RegExp {
  if (door === "mod.ts") return /^\.\/(?:[a-z]+\/mod|(?:evm|networks)\/(?:[a-z_]+\/)?[a-z_]+)\.ts$/;
  const room = ROOMS.find((one) => one.name === folderOf(door));
  return room?.behindItsOwnDoor
    ? /^\.(?:\/(?:[a-z_]+\/){0,2}[a-z0-9_]+|\.\/[a-z]+\/mod)\.ts$/
    : /^\.\/(?:[a-z_]+\/){0,2}[a-z0-9_]+\.ts$/;
}

Deno.test("lib/ contains exactly the rooms of the table, each with a mod.ts", () => {
  assertEquals(FOLDERS.toSorted(), ROOMS.map((room) => room.name).toSorted());
  assertEquals(FILES.filter((file) => !file.includes("/")), ["mod.ts"]);
  assertEquals(DOORS.filter((door) => !FILES.includes(door)), []);
});

Deno.test("every mod.ts documents its purpose and only re-exports by name", async () => {
  for (const door of DOORS) {
    let rest = await Deno.readTextFile(new URL(door, LIB));
    assertMatch(rest, MODULE_DOC, `lib/${door} begins with a module doc`);
    rest = rest.replace(MODULE_DOC, "");
    const own = allowedSources(door);
    while (rest.trim() !== "") {
      const [line, from = ""] = rest.match(RE_EXPORT) ?? [];
      assert(line !== undefined, `lib/${door} has more than re-exports: ${rest.slice(0, 80)}`);
      assertMatch(from, own, `lib/${door} re-exports from ${from}`);
      rest = rest.slice(line.length).trimStart();
    }
  }
});

Deno.test("every room but a program is an entry point of its name, besides the front door", () => {
  const programs = ROOMS.filter((room) => room.isProgram).map((room) => room.name);
  const rooms = FOLDERS.filter((room) => !programs.includes(room));
  const doors = rooms.map((room) => [`./${room}`, `./lib/${room}/mod.ts`]);
  assertEquals(
    Object.entries(configuration.exports).toSorted(),
    [[".", "./lib/mod.ts"], ...doors].toSorted(),
  );
});

Deno.test("the import map has a short name for every entry point", () => {
  const named = Object.entries(configuration.exports)
    .map(([name, path]) => [name.replace(/^\./, "orderlens"), path]);
  const mapped = Object.entries(configuration.imports)
    .filter(([name]) => name === "orderlens" || name.startsWith("orderlens/"));
  assertEquals(mapped.toSorted(), named.toSorted());
});

Deno.test("a room has the folders of the table", () => {
  assert(ROOMS.length > 0);
  for (const { name, folders = [] } of ROOMS) {
    const files = FILES.filter((file) => file.startsWith(`${name}/`));
    // A file in the room itself is in none.
    const inner = files.map((file) => file.split("/").slice(1, -1).join("/"));
    const found = [...new Set(inner)].filter((folder) => folder !== "");
    const table = `\`folders\` of ${name} in tools/lint/rooms.ts`;
    const unlisted = found.filter((folder) => !folders.includes(folder));
    assertEquals(unlisted, [], `Add ${unlisted} to ${table}, above each folder that imports it`);
    const gone = folders.filter((folder) => !found.includes(folder));
    assertEquals(gone, [], `Remove ${gone} from ${table}: lib/${name}/ has no file there`);
  }
});

Deno.test("file names are snake_case and name their content", () => {
  const vague = /(?:^|\/|_)(?:utils?|helpers?|common|misc|types|shared)\.ts$/;
  const named = /^(?:[a-z_]+\/){0,3}(?:README|[a-z0-9_]+)\.\w+$/;
  assertEquals(FILES.filter((file) => !named.test(file)), []);
  assertEquals(FILES.filter((file) => vague.test(file)), []);
});

Deno.test("no file imports itself through others, for types neither, or disables the room rules", async () => {
  const imports = new Map<string, string[]>();
  for (const file of FILES.filter((file) => file.endsWith(".ts"))) {
    const text = await Deno.readTextFile(new URL(file, LIB));
    const from = text.matchAll(/^(?:im|ex)port [^;]*? from "(\.[^"]+)"/gm);
    const paths = Array.from(from, ([, path = ""]) => new URL(path, new URL(file, LIB)).href);
    imports.set(file, paths.map((path) => path.slice(LIB.href.length)));
    assertEquals(text.match(/deno-lint-ignore(?:-file)?.*\brooms\/.*/g), null, `lib/${file}`);
    assertEquals(text.match(/deno-lint-ignore-file\s*$/gm), null, `lib/${file}`);
  }
  const done = new Set<string>();
  const circles: string[] = [];
  function follow(file: string, path: readonly string[]): void {
    if (path.includes(file)) circles.push([...path.slice(path.indexOf(file)), file].join(" > "));
    if (path.includes(file) || done.has(file)) return;
    for (const next of imports.get(file) ?? []) follow(next, [...path, file]);
    done.add(file);
  }
  for (const file of imports.keys()) follow(file, []);
  assert(imports.get("client/place_order.ts")!.length > 5);
  assertEquals(circles, []);
});
