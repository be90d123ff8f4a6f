import { assert, assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { openSandbox } from "orderlens/sandbox";
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
import { findCloneFile, runTool } from "../../lib/cli/actions/run_tool.ts";
import { Session } from "../../lib/cli/terminal/session.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { readLines } from "../../tools/terminal/run_quietly.ts";
import { ended, PIPES } from "../line_process.ts";
import { withFolder } from "../sandbox/temp_folder.ts";
import { memoryIo, orderlens, succeeds } from "./memory_io.ts";

const LAUNCHER = new URL("../../bin/orderlens", import.meta.url).pathname;
const MAIN = new URL("../../lib/cli/main.ts", import.meta.url).pathname;
/** Requests after which the deployment answers no more, until it is interrupted. */
const ANSWERED = 6;

/** The launcher through a symbolic link to a link, in another folder. */
async function launcher(folder: string, args: readonly string[]): Promise<Deno.Command> {
  await Deno.symlink(LAUNCHER, `${folder}/first`);
  await Deno.mkdir(`${folder}/bin`);
  await Deno.symlink("../first", `${folder}/bin/orderlens`);
  return new Deno.Command(`${folder}/bin/orderlens`, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1", PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}` },
    ...PIPES,
  });
}

/** A test of the launcher, with a folder. */
function shellTest(
  name: string,
  run: (folder: string) => Promise<void>,
  options: Deno.MakeTempOptions = {},
): void {
  const ignore = Deno.build.os === "windows";
  Deno.test({ name, ignore, fn: () => withFolder(run, options) });
}

// Below /dev, where tests may have their files, Deno lets only those write that may do all.
const dir = new URL("../../build/tests", import.meta.url).pathname;
await Deno.mkdir(dir, { recursive: true });

shellTest(
  "bin/orderlens, interrupted, keeps everything with exit code 130, and the same command goes on",
  async (folder) => {
    const sandbox = await openSandbox({ seed: 7, auctions: 10, clock: "virtual" });
    const isHeld = Promise.withResolvers<void>();
    const isFree = Promise.withResolvers<void>();
    let requests = 0;
    await using server = Deno.serve(
      { hostname: "127.0.0.1", port: 0, onListen() {} },
      async ({ url, method, headers, body }) => {
        if (++requests === ANSWERED) isHeld.resolve();
        if (requests >= ANSWERED) await isFree.promise;
        return await sandbox.fetch(new URL(url).href, { method, headers, body });
      },
    );
    const { chainId, settlementContract } = sandbox.description;
    const target = ["--url", `http://127.0.0.1:${server.addr.port}`, "--chain-id", `${chainId}`];
    const words = ["export", `${folder}/a set`, "--last", "8", ...target]
      .concat("--tables", "auctions,orders,trades", "--settlement", settlementContract);
    const child = (await launcher(folder, words)).spawn();
    await child.stdin.close();
    await Promise.race([isHeld.promise, child.status]);
    child.kill("SIGINT");
    isFree.resolve();
    const { code, stdout, stderr } = await child.output();
    const err = new TextDecoder().decode(stderr);
    assertEquals([code, stdout.length], [130, 0], err);
    const kept = "progress is saved. Run the same command to continue:\n  orderlens export '";
    assertStringIncludes(err, kept);

    const before = requests;
    const { code: done, out } = await orderlens([...words, "--json"]);
    const { isComplete, ids } = JSON.parse(out);
    assertEquals([done, isComplete], [0, true]);
    const all = [...ids.present, ...ids.absent] as [number, number][];
    assertEquals(all.reduce((sum, [from, to]) => sum + to - from + 1, 0), 8);
    assert(requests > before);
    await succeeds(["verify", `${folder}/a set`]);
  },
  { dir },
);

Deno.test("run() prints help without permissions, the parser or other rooms", async () => {
  const args = ["run", "--no-prompt", "--unstable-lazy-dynamic-imports", MAIN, "export", "--help"];
  const env = { NO_COLOR: "1" };
  assertEquals(
    await ended(new Deno.Command(Deno.execPath(), { args, env, ...PIPES })),
    await orderlens("export --help"),
  );
});

Deno.test("orderlens survives a reader that ends first", async () => {
  const args = ["-c", `'${Deno.execPath()}' run --no-prompt '${MAIN}' --help | head -1`];
  const env = { NO_COLOR: "1" };
  const { code, out, err } = await ended(new Deno.Command("sh", { args, env, ...PIPES }));
  assertEquals([code, err, /^Usage: orderlens .*\n$/.test(out)], [0, "", true]);
});

shellTest("bin/orderlens queries a dataset with the permissions that it gives", async (folder) => {
  const words = ["sql", "market_1", "SELECT count(*) AS fills FROM fills", "--csv"];
  const said = { code: 0, out: "fills\n37\n", err: "" };
  assertEquals(await ended(await launcher(folder, words)), said);
});

/** How long a server may take to end, before a test ends it and fails. */
const PATIENCE_MS = 10_000;

shellTest(
  "bin/orderlens, ended by its id, leaves no server behind, however Deno is installed",
  async (folder) => {
    // The packages of npm start the program of Deno as a child, and wait for it.
    const child = (words: string) =>
      `#!/bin/sh\n${words}"${Deno.execPath()}" "$@" &\necho $! >"${folder}/child"\nwait $!\n`;
    for (const [installed, words] of [["deno", ""], ["npx", "shift 2; "]]) {
      await Deno.mkdir(`${folder}/${installed}`);
      await Deno.writeTextFile(`${folder}/${installed}/${installed}`, child(words!), {
        mode: 0o755,
      });
    }
    const cases = [
      ["deno", "SIGTERM", ["sandbox", "--port", "0", "--auctions", "1"]],
      ["deno", "SIGINT", ["serve", "--port", "0", "--recording", "edges"]],
      ["npx", "SIGTERM", ["serve", "--port", "0", "--recording", "edges"]],
      ["npx", "SIGINT", ["sandbox", "--port", "0", "--auctions", "1"]],
    ] as const;
    for (const [installed, signal, args] of cases) {
      const server = new Deno.Command(LAUNCHER, {
        args: [...args, "--json"],
        env: { NO_COLOR: "1", PATH: `${folder}/${installed}:/usr/bin:/bin` },
        stdout: "piped",
        stderr: "null",
      }).spawn();
      const lines = readLines(server.stdout);
      const { url } = JSON.parse((await lines.next()).value ?? "null");
      await (await fetch(url)).body?.cancel();
      server.kill(signal);
      await server.status;
      // The pipe closes once no process has it, the server's included.
      const endServer = async () => Deno.kill(Number(await Deno.readTextFile(`${folder}/child`)));
      const patience = setTimeout(endServer, PATIENCE_MS);
      const started = performance.now();
      await Array.fromAsync(lines);
      clearTimeout(patience);
      const isLeft = performance.now() - started >= PATIENCE_MS;
      assertEquals([installed, signal, isLeft], [installed, signal, false]);
      await assertRejects(() => fetch(url), TypeError);
    }
  },
);

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
  temporary: "--allow-env=$places",
};

Deno.test("bin/orderlens gives each command the permissions that it needs, and uses the lock file", async () => {
  const text = await Deno.readTextFile(LAUNCHER);
  const cases = text.match(/(?:^ {2}[a-z-]+\) allow=.*\n)+/m)?.[0];
  assertEquals(cases, permissionCases(COMMANDS));
  assertStringIncludes(text, '--lock "$root/deno.lock" --frozen');
});

Deno.test("permissions let few commands run programs or load native code", () => {
  const withPermission = (wanted: Permission) =>
    COMMANDS.filter(({ permissions }) => permissions.includes(wanted)).map(({ name }) => name);
  assertEquals(
    withPermission("run"),
    ["publish huggingface", "publish zenodo", "lab", "notebook run"],
  );
  const native = withPermission("ffi");
  for (const name of ["lab", "sandbox", "completions"]) assertEquals(native.includes(name), false);
});

Deno.test("TABLE_NAMES has the tables of a dataset", () => {
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

Deno.test("runTool() fails outside a clone", async () => {
  const session = new Session(memoryIo().io, { isJson: false, verbosity: "usual" });
  const args = new Args("lab", { words: [], raw: [], values: new Map() });
  await assertRejects(
    () => runTool(session, args, { tool: "tools/no_such_tool.ts", words: [] }),
    Error,
    "Cannot run lab without a clone of the project: tools/no_such_tool.ts is not there\nFix: ",
  );
});

Deno.test("findCloneFile() finds the programs that commands start", async () => {
  for (const tool of ["tools/run_lab.ts", "tools/run_notebooks.ts"]) {
    assertEquals(await findCloneFile(tool), `${PROJECT_ROOT}/${tool}`);
  }
});
