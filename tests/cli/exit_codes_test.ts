import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { DatabaseSync } from "node:sqlite";
import {
  InputError,
  MismatchError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from "orderlens";
import { DamagedError } from "orderlens/errors";
import type { CommandSpec } from "../../lib/cli/mod.ts";
import { registerSecret } from "../../lib/errors/secrets.ts";
import { inFolder, withFolder } from "../sandbox/temp_folder.ts";
import { orderlens, refused, succeeds } from "./memory_io.ts";

const remedy = "Do something";
const ANSWER = { request: "GET /api/v1/version", status: 400, body: "", remedy };
const DIFFERENCE = new MismatchError({
  request: ANSWER.request,
  field: "uid",
  asked: "0x12",
  answered: "0x13",
});

/** An error of an input that a file caused. */
function fileError(code: string): InputError {
  return new InputError("Cannot do it", { remedy, cause: Object.assign(new Error(), { code }) });
}

/** A command that throws. */
function throwing(error: unknown, more: Partial<CommandSpec> = {}): CommandSpec {
  const spec = { name: "throw", summary: "Throw", examples: {}, permissions: [] };
  return { ...spec, run: () => Promise.reject(error), ...more };
}

for (
  const [name, error, code] of [
    ["a wrong input", new InputError("Cannot do it", { remedy }), 2],
    ["a full disk", fileError("ENOSPC"), 1],
    ["a missing file", fileError("ENOENT"), 5],
    ["a file in place of a folder", fileError("ENOTDIR"), 2],
    ["a damaged file", new DamagedError("Cannot do it", { remedy }), 6],
    ["a missing key", new UnauthorizedError("Cannot do it", ANSWER), 4],
    ["a missing resource", new NotFoundError("Cannot do it", ANSWER), 5],
    ["a difference", DIFFERENCE, 6],
    ["a limit of the rate", new RateLimitedError("Cannot do it", ANSWER), 75],
    ["anything else", new TypeError("Cannot do it"), 1],
  ] as const
) {
  Deno.test(`${name} ends with ${code}, without a stack unless --verbose`, async () => {
    const commands = [throwing(error)];
    const usual = await orderlens("throw", { commands });
    assertEquals([usual.code, usual.out], [code, ""]);
    assertStringIncludes(usual.err, `Error: ${error.message}\n`);
    assertStringIncludes(usual.err, "\nFix: ");
    assertEquals(/^ +at /m.test(usual.err), false);
    const verbose = await orderlens("throw --verbose", { commands });
    assertEquals(/^ +at /m.test(verbose.err), true);
  });
}

Deno.test("a resumable command prints how to continue after a failure, but not after usage errors", async () => {
  const limited = [throwing(new RateLimitedError("Cannot do it", ANSWER), { isResumable: true })];
  const { err } = await orderlens("throw", { commands: limited });
  assertStringIncludes(err, "\nTo continue, run the same command:\n  orderlens throw\n");
  const wrong = [throwing(new InputError("Cannot do it", { remedy }), { isResumable: true })];
  const { err: others } = await orderlens("throw", { commands: wrong });
  assertEquals(others.includes("To go on"), false);
});

Deno.test("no error, stack or cause shows a secret", async () => {
  const secret = "s3cr3t-0a1b2c3d4e5f6a7b";
  registerSecret(secret);
  const error = new Error(`at ${secret}`, { cause: new Error(secret) });
  const { err } = await orderlens("throw --verbose", {
    commands: [throwing(error, { isResumable: true })],
  });
  assertStringIncludes(err, "Caused by: Error: [hidden]");
  assertEquals(err.includes(secret), false);
});

inFolder.test("a folder that another process uses exits with 75, and a damaged manifest with 6", async (folder) => {
  const words = ["export", folder, "--recording", "market_1", "--auctions", "2620..2620"];
  await Deno.mkdir(`${folder}/.orderlens`);
  {
    using lock = new DatabaseSync(`${folder}/.orderlens/lock`);
    lock.exec("BEGIN EXCLUSIVE");
    await refused(words, 75, "another export or rebuild is writing it\nFix: Wait until ");
  }
  await Deno.writeTextFile(`${folder}/manifest.json`, '{"schema":');
  await refused(["verify", folder], 6, "its manifest.json is not JSON");
});

inFolder.test("a folder as the file of creators is refused with an example of one", async (folder) => {
  const words = ["publish", "site", "market_1", `${folder}/site`, "--creators", folder];
  await refused(words, 2, `with --creators ${folder}: it cannot be read (`);
});

Deno.test("control characters are escaped in all text", async () => {
  const hostile = "\x1b[2J\x1b]0;owned\x07\r\u202egnp.exe";
  const shown = "\\u001b[2J\\u001b]0;owned\\u0007\\u000d\\u202egnp.exe";
  const error = new InputError(hostile, { remedy: hostile });
  const failed = await orderlens("throw", { commands: [throwing(error)], isTerminal: true });
  assertStringIncludes(failed.err, `Error: ${shown}\nFix: ${shown}\n`);
  const says = throwing(error, {
    run: (session) => {
      session.print(hostile);
      session.warn(hostile);
      return Promise.resolve(0);
    },
  });
  const said = await orderlens("throw", { commands: [says], isTerminal: true });
  assertEquals([said.out, said.err.endsWith(`Warning: ${shown}\n`)], [`${shown}\n`, true]);
  const piped = await orderlens("throw", { commands: [says] });
  assertEquals(piped.out, `${hostile}\n`);
});

const KEY = "k3y-9f8e7d6c5b4a39281706";

Deno.test("a key reaches the deployment from the environment or a file, is shown nowhere, and its remedy names what a command line has", async () => {
  const keys: (string | null)[] = [];
  await using server = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    ({ headers }) => {
      const key = headers.get("x-api-key");
      keys.push(key);
      return new Response(`{"errorType":"Forbidden","description":"no such key: ${key}"}`, {
        status: 403,
        headers: { "content-type": "application/json" },
      });
    },
  );
  await withFolder(async (folder) => {
    const target = ["--url", `http://127.0.0.1:${server.addr.port}`, "--chain-id", "1"];
    const words = ["export", `${folder}/x`, "--last", "3", "--verbose", ...target];
    const file = `${folder}/key`;
    await Deno.writeTextFile(file, `${KEY}\n`);
    const runs = [
      await orderlens(words, { variables: { ORDERLENS_API_KEY: KEY } }),
      await orderlens([...words, "--api-key-file", file]),
    ];
    for (const { code, out, err } of runs) {
      assertEquals(code, 4, err);
      assertStringIncludes(err, "[hidden]");
      assertStringIncludes(err, "Fix: Set ORDERLENS_API_KEY to a partner's key, or ");
      assert(!`${out}${err}`.includes(KEY));
    }
    assertEquals(new Set(keys), new Set([KEY]));
  });
});

Deno.test("a node's URL with a key on the command line is warned of, and not shown", async () => {
  const words = "export x --recording edges --last 3 --dry-run --rpc-url";
  for (const url of [`https://node.example/v2/${KEY}`, `https://me:${KEY}@node.example`]) {
    const { out, err } = await succeeds(`${words} ${url}`);
    assertStringIncludes(
      err,
      "Warning: Other programs on this machine can see the key in --rpc-url",
    );
    assert(!`${out}${err}`.includes(KEY));
  }
  assertEquals((await orderlens(`${words} http://127.0.0.1:8545`)).err, "");
  assertEquals(
    (await orderlens(words.replace("--rpc-url", ""), {
      variables: { ORDERLENS_RPC_URL: `https://node.example/v2/${KEY}` },
    })).err,
    "",
  );
});

inFolder.test("an empty file of a key, or one that is not there, is named", async (folder) => {
  await Deno.writeTextFile(`${folder}/empty`, "\n");
  const words = `export x --network xdai --last 3 --api-key-file ${folder}`;
  await refused(`${words}/empty`, 2, "the file is empty");
  await refused(`${words}/none`, 5, `${folder}/none cannot be read`);
});
