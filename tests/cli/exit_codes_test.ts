import { assertEquals, assertStringIncludes } from "@std/assert";
import {
  InputError,
  MismatchError,
  NotFoundError,
  RateLimitedError,
  UnauthorizedError,
} from "orderlens";
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
    examples: [],
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
  assertStringIncludes(err, "\nTo go on: the same command\n  orderlens throw\n");
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
