/**
 * `deno task test [options and paths…]`: tests, the examples in the documentation, and every
 * notebook, executed again and compared with its committed outputs; `--peers`: the tests against
 * programs of others instead. Types are checked by `deno task ok`.
 *
 * @module
 */
import { cp, statfs } from "node:fs/promises";
import { join } from "node:path";
import configuration from "../deno.json" with { type: "json" };
import { ensureJupyter } from "./jupyter/ensure_jupyter.ts";
import { PROJECT_ROOT } from "./project_root.ts";
import { runTask } from "./terminal/run_task.ts";
import { report } from "./terminal/say.ts";
import { TaskError } from "./terminal/task_error.ts";
import { redirectUserCache } from "./testing/cache_variables.ts";
import { missingSnapshots } from "./testing/missing_snapshots.ts";
import { namesPaths } from "./testing/names_paths.ts";
import { childSeconds } from "./testing/processor_time.ts";
import { slowestModules } from "./testing/slowest_modules.ts";
import { IN_BROWSER, writeRooms } from "./testing/write_rooms.ts";

/** Folders and files with tests and examples. */
export const EVERYTHING = ["tests", "lib", "README.md", "docs/package.md"];
/** Its block runs in a test, which compares what it prints. */
const README = "README.md";
/** Tests against programs of others, as those in a browser are: anvil, the SDK, npm. */
const PEERS = ["tests/peers/", "tests/package/"];
/** The option that runs them. */
const OF_PEERS = "--peers";
/** Folder of the generated modules. */
const ROOMS = join(PROJECT_ROOT, "build", "rooms");
const REPORT = join(ROOMS, "report.xml");
/** Rooms that share an isolate, of two that take about as long: more would load the same again. */
const TOGETHER = {
  wire: ["architecture", "cli", "client", "conformance", "datasets", "endpoints", "errors", "evm"]
    .concat("http", "networks", "sandbox", "schemas", "units"),
  frames: ["browser", "charts", "docs", "explorer", "market", "metrics", "notebook", "recordings"]
    .concat("reports", "sql", "tables", "tools"),
};
/** What the package of the browser unpacks once for all tests, and looks for there. */
const BROWSER = /^(?:chromium|fonts|locales|lib\w+\.so[.\d]*|vk_swiftshader_icd\.json)$/;
/** Where they are kept for later runs; another version of the package has its own. */
const UNPACKED = join(
  PROJECT_ROOT,
  "build",
  "browser",
  configuration.imports["@sparticuz/chromium"].replaceAll(/[^\w.]+/g, "_"),
);
const SLOWEST = 10;
/** More than all temporary files of tests take together, with the browser. */
const ROOM_BYTES = 3e9;
/** Processor time that all tests may take, in seconds. */
const BUDGET = 220;

if (import.meta.main) await runTask(() => runTests(Deno.args));

/**
 * Runs the tests of `args`, which are options and paths of `deno test`, or all but those against
 * programs of others, or those alone.
 *
 * @throws {TaskError} If a test fails.
 */
export async function runTests(args: readonly string[] = []): Promise<void> {
  if (!namesPaths(args)) return await runRooms(args);
  // Tests that need Jupyter set it up themselves.
  if (!await denoTest(["--doc", ...args])) throw await failure();
}

/** Whether a test is against a program of others. */
function isOfPeers(path: string, text: string): boolean {
  return PEERS.some((folder) => path.startsWith(folder)) || text.includes(IN_BROWSER);
}

/** Runs tests and examples in the isolates of their rooms. */
async function runRooms(args: readonly string[]): Promise<void> {
  const ofPeers = args.includes(OF_PEERS);
  const options = args.filter((arg) => arg !== OF_PEERS);
  const { entries, left } = await writeRooms({
    root: PROJECT_ROOT,
    paths: EVERYTHING,
    takes: (path, text) => path !== README && isOfPeers(path, text) === ofPeers,
    folder: ROOMS,
    together: TOGETHER,
    areApart: options.includes("--update-snapshots"),
  });
  await ensureJupyter();
  const isTimed = !options.some((option) => /^--(?:filter|junit-path)\b/.test(option));
  const reporting = isTimed ? [`--junit-path=${REPORT}`] : [];
  const hold = await denoTest([...reporting, ...options, ...entries]);
  if (isTimed) await sayWhatWasSlow();
  if (!ofPeers) {
    await sayProcessorTime();
    report(["Left to `deno task check-peers`:", ...left].join("\n  "));
  }
  if (!hold) throw await failure();
}

/** Why tests failed, as far as a first snapshot that is not written yet tells. */
async function failure(): Promise<TaskError> {
  const missing = await missingSnapshots(PROJECT_ROOT, ["tests"]);
  if (missing.length === 0) return new TaskError("Some tests failed");
  return new TaskError(`Some tests failed, and there is no snapshot of ${missing.join(", ")}`, {
    fix: `write the first one with deno task test --update-snapshots ${missing.join(" ")}, and ` +
      "look at it",
  });
}

/** Runs tests with a folder of their own for temporary files and caches, and names what they left in it. */
async function denoTest(args: readonly string[]): Promise<boolean> {
  const dir = await inMemory();
  const folder = await Deno.makeTempDir({ prefix: "orderlens-tests-", ...dir && { dir } });
  try {
    await linkBrowser(folder);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "-A", "--no-check", "--parallel", ...args],
      cwd: PROJECT_ROOT,
      // Compilers that tests start would leave their caches there.
      env: {
        ...{ TMPDIR: folder, TEMP: folder, TMP: folder, NODE_DISABLE_COMPILE_CACHE: "1" },
        ...await redirectUserCache(folder),
      },
      stdin: "null",
      stdout: "inherit",
      stderr: "inherit",
    }).spawn().status;
    await keepBrowser(folder);
    const left = await leftIn(folder);
    if (left.length > 0) report(["Tests left in the temporary folder:", ...left].join("\n  "));
    return success;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Links what an earlier run unpacked for the browser. */
async function linkBrowser(folder: string): Promise<void> {
  for (const name of await namesIn(UNPACKED)) {
    await Deno.symlink(join(UNPACKED, name), join(folder, name));
  }
}

/** Keeps what was unpacked for the browser, if this run did it. */
async function keepBrowser(folder: string): Promise<void> {
  const names = (await namesIn(folder)).filter((name) => BROWSER.test(name));
  if (!names.includes("chromium") || (await namesIn(UNPACKED)).length > 0) return;
  const copy = `${UNPACKED}.${Deno.pid}`;
  for (const name of names) await cp(join(folder, name), join(copy, name), { recursive: true });
  await Deno.rename(copy, UNPACKED);
}

/** Names in a folder, in order; none if it is not there. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** A folder in memory, if there is one with room in which programs may run: no test waits for a disk. */
async function inMemory(): Promise<string | undefined> {
  const mounts = await Deno.readTextFile("/proc/mounts").catch(() => "");
  if (!/^\S+ \/dev\/shm tmpfs rw(?!\S*noexec)/m.test(mounts)) return undefined;
  const { bavail, bsize } = await statfs("/dev/shm");
  return bavail * bsize >= ROOM_BYTES ? "/dev/shm" : undefined;
}

/** Lists what a folder holds but the browser, in order; a folder in it with its first entries, which tell whose it is. */
export async function leftIn(folder: string): Promise<string[]> {
  const left = (await namesIn(folder)).filter((name) => !BROWSER.test(name));
  const described = left.map(async (name) => {
    const path = join(folder, name);
    if (!(await Deno.lstat(path)).isDirectory) return name;
    const inside = await namesIn(path);
    return `${name}/ (${inside.length === 0 ? "empty" : inside.slice(0, 3).join(", ")})`;
  });
  return await Promise.all(described);
}

/** Prints nothing if there is no report. */
async function sayWhatWasSlow(): Promise<void> {
  const text = await Deno.readTextFile(REPORT).catch(() => "");
  const slowest = slowestModules(text, SLOWEST);
  if (slowest.length > 0) report("Slowest modules, in seconds:");
  for (const { module, sec } of slowest) report(`${sec.toFixed(1).padStart(7)}  ${module}`);
}

/** Prints nothing where the system does not tell. */
async function sayProcessorTime(): Promise<void> {
  const stat = await Deno.readTextFile("/proc/self/stat").catch(() => null);
  if (stat === null) return;
  report(`Processor time: ${childSeconds(stat).toFixed(0)} s, budget ${BUDGET} s`);
}
