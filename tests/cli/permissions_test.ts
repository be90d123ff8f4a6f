import { assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../lib/cli/mod.ts";
import { permissionCases } from "../../lib/cli/commands/permissions.ts";
import { TABLE_NAMES } from "../../lib/cli/arguments/options.ts";
import { TABLE_NAMES as EXPORTED } from "../../lib/datasets/shards/published_tables.ts";

const LAUNCHER = new URL("../../bin/orderlens", import.meta.url);

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
