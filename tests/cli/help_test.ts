import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { COMMANDS } from "../../lib/cli/mod.ts";
import { parseWords } from "../../lib/cli/commands/run_command.ts";
import { orderlens } from "./memory_io.ts";

Deno.test("every page of help is this", async (t) => {
  const pages = [await orderlens("--help")];
  for (const { name } of [...COMMANDS, { name: "notebook" }]) {
    pages.push(await orderlens(`${name} --help`));
  }
  assertEquals(pages.filter(({ code, err }) => code !== 0 || err !== ""), []);
  await t.assertSnapshot(pages.map(({ out }) => out).join(`${"─".repeat(20)}\n`));
});

Deno.test("help fits a terminal, and 100 characters elsewhere", async () => {
  for (const [isTerminal, width] of [[true, 80], [false, 100]] as const) {
    for (const { name } of COMMANDS) {
      const { out } = await orderlens(`help ${name}`, { isTerminal });
      const wide = out.split("\n").filter((line) => line.length > width && !/^ {4}\S/.test(line));
      assertEquals(wide, [], name);
    }
  }
});

Deno.test("every example of help is a command line that the parser takes", async () => {
  const { out } = await orderlens("--help");
  const own = COMMANDS.flatMap(({ examples }) => Object.keys(examples));
  const general = [...out.matchAll(/^ {4}orderlens (.*)$/gm)].map(([, words = ""]) => words);
  assert(general.length >= 3);
  for (const words of [...own, ...general]) {
    const raw = words.replace(/ >.*$/, "").match(/"[^"]*"|\S+/g)!.map((word) =>
      word.replaceAll('"', "")
    );
    const { spec } = parseWords(raw, COMMANDS);
    assert(words.startsWith(spec.name), words);
  }
});

Deno.test("without a command, help goes to stderr with exit code 2", async () => {
  for (const words of ["", "notebook"]) {
    const { code, out, err } = await orderlens(words);
    assertEquals([code, out], [2, ""]);
    assertStringIncludes(err, "Usage: orderlens");
  }
});

Deno.test("--version prints the version of the library", async () => {
  const { version } = JSON.parse(
    await Deno.readTextFile(new URL("../../deno.json", import.meta.url)),
  );
  assertEquals(await orderlens("--version"), { code: 0, out: `${version}\n`, err: "" });
});
