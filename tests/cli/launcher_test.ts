import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { dirname } from "node:path";
import { openSandbox } from "orderlens/sandbox";
import { withFolder } from "../sandbox/temp_folder.ts";
import { orderlens, succeeds } from "./memory_io.ts";

const LAUNCHER = new URL("../../bin/orderlens", import.meta.url).pathname;
const MAIN = new URL("../../lib/cli/main.ts", import.meta.url).pathname;
/** Requests after which the deployment answers no more, until it is interrupted. */
const ANSWERED = 12;

/** The launcher through a symbolic link to a link, in another folder. */
async function launcher(folder: string, args: readonly string[]): Promise<Deno.Command> {
  await Deno.symlink(LAUNCHER, `${folder}/first`);
  await Deno.mkdir(`${folder}/bin`);
  await Deno.symlink("../first", `${folder}/bin/orderlens`);
  return new Deno.Command(`${folder}/bin/orderlens`, {
    args: [...args],
    cwd: folder,
    env: { NO_COLOR: "1", PATH: `${dirname(Deno.execPath())}:${Deno.env.get("PATH")}` },
    stdout: "piped",
    stderr: "piped",
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
    const sandbox = await openSandbox({ seed: 7, auctions: 20, clock: "virtual" });
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
    const words = ["export", `${folder}/a set`, "--last", "15", ...target]
      .concat("--tables", "auctions,orders,trades", "--settlement", settlementContract);
    const child = (await launcher(folder, words)).spawn();
    await isHeld.promise;
    child.kill("SIGINT");
    isFree.resolve();
    const { code, stdout, stderr } = await child.output();
    const err = new TextDecoder().decode(stderr);
    assertEquals([code, stdout.length], [130, 0], err);
    const kept = "everything is kept. Run the same command to continue:\n  orderlens export '";
    assertStringIncludes(err, kept);

    const before = requests;
    const { code: done, out } = await orderlens([...words, "--json"]);
    const { isComplete, ids } = JSON.parse(out);
    assertEquals([done, isComplete], [0, true]);
    const all = [...ids.present, ...ids.absent] as [number, number][];
    assertEquals(all.reduce((sum, [from, to]) => sum + to - from + 1, 0), 15);
    assert(requests > before);
    await succeeds(["verify", `${folder}/a set`]);
  },
  { dir },
);

Deno.test("help needs no permission, and neither the parser nor a room", async () => {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "--no-prompt", "--unstable-lazy-dynamic-imports", MAIN, "export", "--help"],
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
  assertEquals(new TextDecoder().decode(stdout), (await orderlens("export --help")).out);
});

Deno.test("what reads its output may end first", async () => {
  const { code, stdout, stderr } = await new Deno.Command("sh", {
    args: ["-c", `'${Deno.execPath()}' run --no-prompt '${MAIN}' --help | head -1`],
    env: { NO_COLOR: "1" },
  }).output();
  assertEquals(code, 0);
  assertMatch(new TextDecoder().decode(stdout), /^Usage: orderlens .*\n$/);
  assertEquals(new TextDecoder().decode(stderr), "");
});

shellTest("bin/orderlens queries a dataset with the permissions that it gives", async (folder) => {
  const query = "SELECT count(*) AS fills FROM fills";
  const child = await launcher(folder, ["sql", "market_1", query, "--csv"]);
  const { code, stdout, stderr } = await child.output();
  assertEquals(new TextDecoder().decode(stdout), "fills\n37\n");
  assertEquals([code, new TextDecoder().decode(stderr)], [0, ""]);
});

shellTest("bin/orderlens lets sql run programs for Spark alone", async (folder) => {
  const own = '#!/bin/sh\n[ "$1" = --version ] && echo "deno 2.9.6" || echo "$@"\n';
  await Deno.writeTextFile(`${folder}/deno`, own, { mode: 0o755 });
  const args = async (...words: string[]) => {
    const { stdout } = await new Deno.Command(LAUNCHER, {
      args: ["sql", "x", "SELECT 1", ...words],
      env: { PATH: `${folder}:${Deno.env.get("PATH")}` },
    }).output();
    return new TextDecoder().decode(stdout);
  };
  for (const words of [["--engine", "spark"], ["--engine=spark"]]) {
    assertStringIncludes(await args(...words), "--allow-run --allow-env=HOME,");
  }
  for (const words of [[], ["--engine", "duckdb"], ["--csv", "spark"], ["--engine=duckdb"]]) {
    assertEquals((await args(...words)).includes("--allow-run"), false, words.join(" "));
  }
});
