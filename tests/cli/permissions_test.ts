import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../lib/cli/mod.ts";
import {
  Args,
  type CommandSpec,
  KEY_VARIABLE,
  type Permission,
  RPC_VARIABLE,
  TABLE_NAMES,
  WEBHOOK_VARIABLE,
} from "../../lib/cli/arguments/command_line.ts";
import { TABLE_NAMES as EXPORTED } from "../../lib/datasets/shards/published_tables.ts";
import { cloneFile, runTool } from "../../lib/cli/actions/run_tool.ts";
import { Session } from "../../lib/cli/terminal/session.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { memoryIo } from "./memory_io.ts";

const LAUNCHER = new URL("../../bin/orderlens", import.meta.url);

/** Where the folder is in which the processes of a machine share one limit. */
const CACHE_VARIABLES = ["HOME", "LOCALAPPDATA", "XDG_CACHE_HOME"];

const VARIABLES = [KEY_VARIABLE, RPC_VARIABLE, ...CACHE_VARIABLES];

/** What each permission is to Deno. The launcher sets the variables by the words that it is given. */
const FLAGS: Readonly<Record<Permission | "net or loopback", string>> = {
  read: "--allow-read",
  write: "--allow-write",
  net: "$net",
  live: "$live",
  loopback: "--allow-net=127.0.0.1",
  "net or loopback": "${net:---allow-net=127.0.0.1}",
  ffi: "--allow-ffi",
  sys: "--allow-sys",
  output: "$output",
  page: "$page",
  native: "$native",
  env: `--allow-env=${VARIABLES.join(",")}`,
  "webhook env": `--allow-env=${[WEBHOOK_VARIABLE, ...VARIABLES].join(",")}`,
  run: "--allow-run",
  engine: "$engine",
};

Deno.test("bin/orderlens gives each command the permissions that it needs", async () => {
  const text = await Deno.readTextFile(LAUNCHER);
  const cases = text.match(/(?:^ {2}[a-z-]+\) allow=.*\n)+/m)?.[0];
  assertEquals(cases, permissionCases(COMMANDS));
});

Deno.test("no command has all permissions, and only those of tables may load native code", () => {
  const lines = permissionCases(COMMANDS).trimEnd().split("\n");
  const native = lines.filter((line) => line.includes("--allow-ffi"))
    .map((line) => line.trim().split(")")[0]);
  assertEquals(lines.filter((line) => / -A|--allow-all/.test(line)), []);
  for (const name of ["lab", "sandbox", "completions"]) assertEquals(native.includes(name), false);
});

Deno.test("only commands that start others may run programs", () => {
  const running = COMMANDS.filter(({ permissions }) => permissions.includes("run"));
  assertEquals(running.map(({ name }) => name), ["publish", "lab", "notebook run"]);
});

Deno.test("bin/orderlens uses the lock file", async () => {
  assertStringIncludes(await Deno.readTextFile(LAUNCHER), '--lock "$root/deno.lock" --frozen');
});

Deno.test("completions know the tables of a dataset", () => {
  assertEquals(TABLE_NAMES, EXPORTED);
});

/** The lines of `bin/orderlens` that give each command its permissions, in the shell's language. */
function permissionCases(commands: readonly CommandSpec[]): string {
  const byWord = new Map<string, Set<keyof typeof FLAGS>>();
  for (const { name, permissions } of commands) {
    const word = name.split(" ")[0] ?? name;
    const all = byWord.get(word) ?? byWord.set(word, new Set()).get(word);
    for (const permission of permissions) all?.add(permission);
  }
  for (const all of byWord.values()) {
    // Deno takes the narrower of two.
    if (!all.has("net") || !all.delete("loopback")) continue;
    all.delete("net");
    all.add("net or loopback");
  }
  return [...byWord].filter(([, permissions]) => permissions.size > 0)
    .map(([word, permissions]) =>
      `  ${word}) allow="${[...permissions].map((each) => FLAGS[each]).join(" ")}" ;;\n`
    )
    .join("");
}

Deno.test("what needs a clone says so where there is none", async () => {
  const session = new Session(memoryIo().io, { isJson: false, verbosity: "usual" });
  const args = new Args("lab", { words: [], raw: [], values: new Map() });
  await assertRejects(
    () => runTool(session, args, { tool: "tools/no_such_tool.ts", words: [] }),
    Error,
    "Cannot run lab without a clone of the project: tools/no_such_tool.ts is not there\nFix: ",
  );
});

Deno.test("the programs that commands start are in the clone", async () => {
  // `publish` starts a Python of its own.
  for (const tool of ["tools/run_lab.ts", "tools/run_notebooks.ts"]) {
    assertEquals(await cloneFile(tool), `${PROJECT_ROOT}/${tool}`);
  }
});
