import { basename, dirname, extname, join } from "node:path";
import { pathToFileURL } from "node:url";
import { type Example, findExamples, mayHoldExamples } from "./find_examples.ts";
import { createExampleModule } from "./example_module.ts";
import { walkFiles } from "./files_below.ts";
import { RoomSnapshots, toSnapshotPath } from "./room_snapshots.ts";

/** The generated modules of a project's tests. */
export interface Rooms {
  /** Modules to run. */
  readonly entries: readonly string[];
  /** All examples, sorted by file and line. */
  readonly examples: readonly Example[];
  /** Test modules that were left out, relative to the project's folder. */
  readonly left: readonly string[];
}

const TEST = /(?:^|[._/])test\.(?:ts|tsx|mts|js|mjs|jsx)$/;
const KEEPS_SNAPSHOTS = ".assertSnapshot(";
/** Tests that import it are one room more: they share one browser. */
export const IN_BROWSER = '/test_in_browser.ts"';
const TEST_EXAMPLE = new URL("./test_example.ts", import.meta.url).href;

/**
 * Writes one module per room, which imports its tests and examples, so that they share one isolate and
 * load their imports once.
 *
 * A room is the first folder of a path below `paths`, "docs" for pages, or "browser". Deno looks for
 * snapshots next to the module that it runs, so a room gets a copy of those of its tests; where two
 * have the same name, one runs apart.
 *
 * @param root The project's folder.
 * @param paths Folders and files with tests and examples, relative to `root`.
 * @param takes Which of the files below `paths`, by path and text; `undefined` takes all.
 * @param folder Folder for the modules, emptied first; inside the project, so that imports resolve.
 * @param together Rooms that are one module, by its name: they load once what they import.
 * @param areApart Whether all test modules with snapshots run apart, as is needed to write them.
 */
export async function writeRooms(
  { root, paths, takes = () => true, folder, together = {}, areApart = false }: {
    root: string;
    paths: readonly string[];
    takes?: (path: string, text: string) => boolean;
    folder: string;
    together?: Readonly<Record<string, readonly string[]>>;
    areApart?: boolean;
  },
): Promise<Rooms> {
  await removeFolder(folder);
  const mergedRooms = new Map(
    Object.entries(together).flatMap(([name, rooms]) => rooms.map((room) => [room, name])),
  );
  const entries = new Map<string, string[]>();
  const snapshots = new Map<string, RoomSnapshots>();
  const apart: string[] = [];
  const examples: Example[] = [];
  const left: string[] = [];
  const add = (room: string, line: string) => {
    entries.set(room, [...entries.get(room) ?? [], line]);
  };
  for await (const path of walkFiles(root, paths)) {
    const isTest = TEST.test(path);
    if (!isTest && !mayHoldExamples(path)) continue;
    const file = join(root, path);
    const url = pathToFileURL(file);
    const text = await Deno.readTextFile(file);
    if (!takes(path, text)) {
      if (isTest) left.push(path);
      continue;
    }
    const ownRoom = isTest && text.includes(IN_BROWSER) ? "browser" : chooseRoom(path);
    const room = mergedRooms.get(ownRoom) ?? ownRoom;
    if (isTest) {
      const roomSnapshots = snapshots.getOrInsertComputed(room, () => new RoomSnapshots());
      const joins = areApart
        ? !text.includes(KEEPS_SNAPSHOTS)
        : roomSnapshots.add(await readSnapshots(file));
      const address = JSON.stringify(url.href);
      if (joins) add(room, `await loadTests(${address}, () => import(${address}));`);
      else apart.push(file);
    }
    const foundExamples = findExamples(path, text);
    for (const example of foundExamples) {
      const module = join(folder, "examples", `${path}.${example.line}${example.extension}`);
      await Deno.mkdir(dirname(module), { recursive: true });
      await Deno.writeTextFile(module, createExampleModule(example, { url, text }));
      add(room, formatRegistration(example, url, module));
    }
    examples.push(...foundExamples);
  }
  await Deno.mkdir(folder, { recursive: true });
  const roomEntries = await Promise.all(
    [...entries].map(async ([room, lines]) => {
      const entry = join(folder, `${room}.ts`);
      const header = `import { loadTests, testExample } from ${JSON.stringify(TEST_EXAMPLE)};`;
      await Deno.writeTextFile(entry, `${[header, ...lines].join("\n")}\n`);
      await snapshots.get(room)?.write(entry);
      return entry;
    }),
  );
  return { entries: [...roomEntries, ...apart], examples, left };
}

/** Empty if the module has no file of snapshots. */
async function readSnapshots(module: string): Promise<string> {
  try {
    return await Deno.readTextFile(toSnapshotPath(module));
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return "";
    throw error;
  }
}

function formatRegistration({ name, line }: Example, url: URL, module: string): string {
  const [nameText, location, address] = [name, `${url.href}:${line}:1`, pathToFileURL(module).href]
    .map((text) => JSON.stringify(text));
  return `testExample(${nameText}, ${location}, () => import(${address}));`;
}

function chooseRoom(path: string): string {
  const [first = "", second] = path.split("/");
  const room = second ?? first;
  return extname(room) === ".md" ? "docs" : basename(room, extname(room));
}

async function removeFolder(folder: string): Promise<void> {
  try {
    await Deno.remove(folder, { recursive: true });
  } catch (error) {
    if (!(error instanceof Deno.errors.NotFound)) throw error;
  }
}
