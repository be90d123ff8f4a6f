import { assertEquals, assertStringIncludes } from "@std/assert";
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
import { keepSecret } from "../../lib/errors/secrets.ts";
import { orderlens } from "./memory_io.ts";

const ANSWER = { request: "GET /api/v1/version", status: 400, body: "", remedy: "Do something" };
const remedy = "Do something";
const DIFFERENCE = new MismatchError({
  request: "GET /api/v1/version",
  field: "uid",
  asked: "0x12",
  answered: "0x13",
});

/** A command that throws. */
function throwing(error: unknown, isResumable: boolean): CommandSpec {
  return {
    name: "throw",
    summary: "Throw",
    examples: {},
    permissions: [],
    ...isResumable ? { isResumable } : {},
    run: () => Promise.reject(error),
  };
}

for (
  const [name, error, code] of [
    ["a wrong input", new InputError("Cannot do it", { remedy }), 2],
    [
      "a full disk",
      new InputError("Cannot do it", {
        remedy,
        cause: Object.assign(new Error(), { code: "ENOSPC" }),
      }),
      1,
    ],
    [
      "a missing file",
      new InputError("Cannot do it", {
        remedy,
        cause: Object.assign(new Error(), { code: "ENOENT" }),
      }),
      5,
    ],
    [
      "a file in place of a folder",
      new InputError("Cannot do it", {
        remedy,
        cause: Object.assign(new Error(), { code: "ENOTDIR" }),
      }),
      2,
    ],
    ["a damaged file", new DamagedError("Cannot do it", { remedy }), 6],
    ["a missing key", new UnauthorizedError("Cannot do it", ANSWER), 4],
    ["a missing resource", new NotFoundError("Cannot do it", ANSWER), 5],
    ["a difference", DIFFERENCE, 6],
    ["a limit of the rate", new RateLimitedError("Cannot do it", ANSWER), 75],
    ["anything else", new TypeError("Cannot do it"), 1],
  ] as const
) {
  Deno.test(`${name} ends with ${code}, without a stack unless --verbose`, async () => {
    const commands = [throwing(error, false)];
    const usual = await orderlens("throw", { commands });
    assertEquals([usual.code, usual.out], [code, ""]);
    assertStringIncludes(usual.err, `Error: ${error.message}\n`);
    assertStringIncludes(usual.err, "\nFix: ");
    assertEquals(/^ +at /m.test(usual.err), false);
    const verbose = await orderlens("throw --verbose", { commands });
    assertEquals(/^ +at /m.test(verbose.err), true);
  });
}

Deno.test("what can be resumed says how to go on after a failure, but not after wrong words", async () => {
  const limited = [throwing(new RateLimitedError("Cannot do it", ANSWER), true)];
  const { err } = await orderlens("throw", { commands: limited });
  assertStringIncludes(err, "\nTo continue, run the same command:\n  orderlens throw\n");
  const wrong = [throwing(new InputError("Cannot do it", { remedy }), true)];
  const { err: others } = await orderlens("throw", { commands: wrong });
  assertEquals(others.includes("To go on"), false);
});

Deno.test("no error, stack or cause shows a secret", async () => {
  const secret = "s3cr3t-0a1b2c3d4e5f6a7b";
  keepSecret(secret);
  const error = new Error(`at ${secret}`, { cause: new Error(secret) });
  const { err } = await orderlens("throw --verbose", { commands: [throwing(error, true)] });
  assertStringIncludes(err, "Caused by: Error: [hidden]");
  assertEquals(err.includes(secret), false);
});

Deno.test("a folder that another process writes ends with 75, and a damaged manifest with 6", async () => {
  const folder = await Deno.makeTempDir();
  const words = ["export", folder, "--recording", "market_1", "--auctions", "2620..2620"];
  await Deno.mkdir(`${folder}/.orderlens`);
  {
    using lock = new DatabaseSync(`${folder}/.orderlens/lock`);
    lock.exec("BEGIN EXCLUSIVE");
    const { code, err } = await orderlens(words);
    assertEquals(code, 75, err);
    assertStringIncludes(err, "it is being written already\nFix: Wait until ");
  }
  await Deno.writeTextFile(`${folder}/manifest.json`, '{"schema":');
  const { code, err } = await orderlens(["verify", folder]);
  assertEquals(code, 6, err);
  assertStringIncludes(err, "its manifest.json is not JSON");
  await Deno.remove(folder, { recursive: true });
});

Deno.test("remedies name what a command line has", async () => {
  const commands = [
    throwing(
      new UnauthorizedError("Cannot do it", {
        ...ANSWER,
        remedy: "Pass a partner's key in the option `headers`, or check the key that was passed",
      }),
      false,
    ),
  ];
  const { err } = await orderlens("throw", { commands });
  assertStringIncludes(
    err,
    "Fix: Set ORDERLENS_API_KEY to a partner's key, or check the key that was passed\n",
  );
});

Deno.test("what controls a terminal is shown, wherever its text comes from", async () => {
  const hostile = "\x1b[2J\x1b]0;owned\x07\r\u202egnp.exe";
  const shown = "\\u001b[2J\\u001b]0;owned\\u0007\\u000d\\u202egnp.exe";
  const error = new InputError(hostile, { remedy: hostile });
  const failed = await orderlens("throw", { commands: [throwing(error, false)], isTerminal: true });
  assertStringIncludes(failed.err, `Error: ${shown}\nFix: ${shown}\n`);
  const says: CommandSpec = {
    ...throwing(error, false),
    run: (session) => {
      session.print(hostile);
      session.warn(hostile);
      return Promise.resolve(0);
    },
  };
  const said = await orderlens("throw", { commands: [says], isTerminal: true });
  assertEquals([said.out, said.err.endsWith(`Warning: ${shown}\n`)], [`${shown}\n`, true]);
  const piped = await orderlens("throw", { commands: [says] });
  assertEquals(piped.out, `${hostile}\n`);
});
