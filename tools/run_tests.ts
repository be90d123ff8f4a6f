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
import { findMissingSnapshots } from "./testing/missing_snapshots.ts";
import { hasPaths } from "./testing/names_paths.ts";
import { sumChildSeconds } from "./testing/processor_time.ts";
import { rankSlowest } from "./testing/slowest_modules.ts";
import { IN_BROWSER, writeRooms } from "./testing/write_rooms.ts";

/** Folders and files with tests and examples. */
export const EVERYTHING = ["tests", "lib", "README.md", "docs/package.md"];
/** Its block runs in a test, which compares what it prints. */
const README = "README.md";
/** Tests against programs of others, as those in a browser are: anvil, the SDK, npm. */
const PEERS = ["tests/peers/", "tests/package/"];
/** The option that runs them. */
const PEERS_OPTION = "--peers";
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
/** Files that the package of the browser unpacks once for all tests. */
const BROWSER = /^(?:chromium|fonts|locales|lib\w+\.so[.\d]*|vk_swiftshader_icd\.json)$/;
/** Folder of these files for later runs; each version of the package has its own. */
const UNPACKED = join(
  PROJECT_ROOT,
  "build",
  "browser",
  configuration.imports["@sparticuz/chromium"].replaceAll(/[^\w.]+/g, "_"),
);
const SLOWEST_COUNT = 10;
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
  if (!hasPaths(args)) return await runRooms(args);
  // Tests that need Jupyter set it up themselves.
  if (!await runDenoTest(["--doc", ...args])) throw await createFailure();
}

/** Whether a test is against a program of others. */
function isOfPeers(path: string, text: string): boolean {
  return PEERS.some((folder) => path.startsWith(folder)) || text.includes(IN_BROWSER);
}

/** Runs tests and examples in the isolates of their rooms. */
async function runRooms(args: readonly string[]): Promise<void> {
  const ofPeers = args.includes(PEERS_OPTION);
  const options = args.filter((arg) => arg !== PEERS_OPTION);
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
  const hold = await runDenoTest([...reporting, ...options, ...entries]);
  if (isTimed) await reportSlowest();
  if (!ofPeers) {
    await reportProcessorTime();
    report(["Left to `deno task check-peers`:", ...left].join("\n  "));
  }
  if (!hold) throw await createFailure();
}

/** Creates the error of failed tests; names tests whose first snapshot is not written yet. */
async function createFailure(): Promise<TaskError> {
  const paths = await findMissingSnapshots(PROJECT_ROOT, ["tests"]);
  if (paths.length === 0) return new TaskError("Some tests failed");
  return new TaskError(`Some tests failed, and there is no snapshot of ${paths.join(", ")}`, {
    fix: `write the first one with deno task test --update-snapshots ${paths.join(" ")}, and ` +
      "look at it",
  });
}

/** Runs tests with their own folder for temporary files and caches, and reports files left in it. */
async function runDenoTest(args: readonly string[]): Promise<boolean> {
  const dir = await findMemoryFolder();
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
    const leftovers = await listLeftovers(folder);
    if (leftovers.length > 0) {
      report(["Tests left in the temporary folder:", ...leftovers].join("\n  "));
    }
    return success;
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

/** Links the files of the browser that an earlier run unpacked. */
async function linkBrowser(folder: string): Promise<void> {
  for (const name of await listNames(UNPACKED)) {
    await Deno.symlink(join(UNPACKED, name), join(folder, name));
  }
}

/** Keeps the files of the browser, if this run unpacked them. */
async function keepBrowser(folder: string): Promise<void> {
  const names = (await listNames(folder)).filter((name) => BROWSER.test(name));
  if (!names.includes("chromium") || (await listNames(UNPACKED)).length > 0) return;
  const copy = `${UNPACKED}.${Deno.pid}`;
  for (const name of names) await cp(join(folder, name), join(copy, name), { recursive: true });
  await Deno.rename(copy, UNPACKED);
}

/** Lists the names in a folder, sorted; none if it does not exist. */
async function listNames(folder: string): Promise<string[]> {
  try {
    return (await Array.fromAsync(Deno.readDir(folder), ({ name }) => name)).sort();
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return [];
    throw error;
  }
}

/** Finds a folder in memory in which programs may run, so that no test waits for a disk. */
async function findMemoryFolder(): Promise<string | undefined> {
  const mounts = await Deno.readTextFile("/proc/mounts").catch(() => "");
  if (!/^\S+ \/dev\/shm tmpfs rw(?!\S*noexec)/m.test(mounts)) return undefined;
  const { bavail, bsize } = await statfs("/dev/shm");
  return bavail * bsize >= ROOM_BYTES ? "/dev/shm" : undefined;
}

/** Lists the entries of a folder except the browser, sorted; folders with their first entries. */
export async function listLeftovers(folder: string): Promise<string[]> {
  const names = (await listNames(folder)).filter((name) => !BROWSER.test(name));
  const described = names.map(async (name) => {
    const path = join(folder, name);
    if (!(await Deno.lstat(path)).isDirectory) return name;
    const inside = await listNames(path);
    return `${name}/ (${inside.length === 0 ? "empty" : inside.slice(0, 3).join(", ")})`;
  });
  return await Promise.all(described);
}

/** Reports the slowest modules; nothing without a report of the tests. */
async function reportSlowest(): Promise<void> {
  const text = await Deno.readTextFile(REPORT).catch(() => "");
  const slowest = rankSlowest(text, SLOWEST_COUNT);
  if (slowest.length > 0) report("Slowest modules, in seconds:");
  for (const { module, sec } of slowest) report(`${sec.toFixed(1).padStart(7)}  ${module}`);
}

/** Reports the processor time, if the system provides it. */
async function reportProcessorTime(): Promise<void> {
  const stat = await Deno.readTextFile("/proc/self/stat").catch(() => null);
  if (stat === null) return;
  report(`Processor time: ${sumChildSeconds(stat).toFixed(0)} s, budget ${BUDGET} s`);
}
