import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import configuration from "../../deno.json" with { type: "json" };
import { COMMANDS } from "../../lib/cli/mod.ts";
import { COMMON_OPTIONS } from "../../lib/cli/arguments/command_line.ts";
import { parseWords } from "../../lib/cli/commands/run_command.ts";
import { runWithInput } from "../../tools/terminal/run_with_input.ts";
import { orderlens, succeeds } from "./memory_io.ts";

Deno.test("every page of help is this", async (t) => {
  const pages = [await orderlens("--help")];
  for (const { name } of [...COMMANDS, { name: "notebook" }]) {
    pages.push(await orderlens(`${name} --help`));
  }
  assertEquals(pages.filter(({ code, err }) => code !== 0 || err !== ""), []);
  await t.assertSnapshot(pages.map(({ out }) => out).join(`${"─".repeat(20)}\n`));
});

Deno.test("help fits a terminal, and 100 characters elsewhere", async () => {
  assert(COMMANDS.length > 0);
  for (const [isTerminal, width] of [[true, 80], [false, 100]] as const) {
    for (const { name } of COMMANDS) {
      const { out } = await orderlens(`help ${name}`, { isTerminal });
      const wide = out.split("\n").filter((line) => line.length > width && !/^ {4}\S/.test(line));
      assertEquals(wide, [], name);
    }
  }
});

Deno.test("every example of help is a valid command line", async () => {
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
  const out = `${configuration.version}\n`;
  assertEquals(await orderlens("--version"), { code: 0, out, err: "" });
});

const SHELLS = ["bash", "zsh", "fish"] as const;

/** Whether a shell is installed. */
async function isThere(shell: string): Promise<boolean> {
  try {
    return (await runWithInput({ program: shell, args: ["-c", "exit 0"], input: "" })).success;
  } catch (error) {
    if (error instanceof Deno.errors.NotFound) return false;
    throw error;
  }
}

/** What bash offers for the last of some words, for each line of words. */
async function bashOffers(lines: readonly (readonly string[])[]): Promise<string[][]> {
  const { out: script } = await orderlens("completions bash");
  const asked = lines.map((words) => {
    const all = ["orderlens", ...words].map((word) => `'${word}'`).join(" ");
    return `COMP_WORDS=(${all}); COMP_CWORD=${words.length}; _orderlens; echo "\${COMPREPLY[*]}"`;
  });
  const { success, stdout, stderr } = await runWithInput({
    program: "bash",
    args: ["--norc", "-s"],
    input: `${script}\ncomplete -p orderlens >&2\n${asked.join("\n")}\n`,
  });
  assertEquals([success, stderr], [true, "complete -F _orderlens orderlens\n"]);
  return stdout.split("\n").slice(0, lines.length).map((line) => line.split(" "));
}

Deno.test({
  name: "bash suggests commands, options and values",
  ignore: !await isThere("bash"),
  fn: async () => {
    const [first, prefix, second, options, network, table, format, off, files] = await bashOffers([
      [""],
      ["ver"],
      ["notebook", ""],
      ["export", "x", "--"],
      ["export", "x", "--network", "x"],
      ["export", "x", "--tables", "ord"],
      ["export", "x", "--format", ""],
      ["notebook", "new", "--fr"],
      ["completions", ""],
    ]);
    const words = new Set(COMMANDS.map(({ name }) => name.split(" ")[0] ?? ""));
    assertEquals(new Set(first), new Set([...words, "help", "--help", "--version"]));
    assertEquals(prefix, ["verify"]);
    assertEquals(second, ["new", "run"]);
    const known = COMMANDS.find(({ name }) => name === "export")?.options ?? {};
    const names = Object.keys({ ...known, ...COMMON_OPTIONS }).map((flags) => flags.split(" ")[0]);
    assertEquals(new Set(options), new Set([...names, "--help"]));
    assertEquals(network, ["xdai"]);
    assertEquals(table, ["orders", "order_events", "order_listings"]);
    assertEquals(format, ["parquet", "csv", "ndjson", "sqlite"]);
    assertEquals([off, files], [["--from"], [...SHELLS]]);
  },
});

for (const shell of SHELLS) {
  Deno.test({
    name: `${shell} takes its completions`,
    ignore: !await isThere(shell),
    fn: async () => {
      const { out: script } = await orderlens(`completions ${shell}`);
      const loaded = shell === "zsh" ? `autoload -Uz compinit && compinit -u\n${script}` : script;
      const { success, stdout, stderr } = await runWithInput({
        program: shell,
        args: shell === "zsh" ? ["-f", "-s"] : [],
        input: loaded,
      });
      assertEquals([success, stdout, stderr], [true, "", ""]);
    },
  });
}

Deno.test("completions of each shell have every command, option and network", async () => {
  for (const shell of SHELLS) {
    const { out } = await succeeds(`completions ${shell}`);
    for (const { name, options = {} } of COMMANDS) {
      for (const word of name.split(" ")) assert(out.includes(word), `${shell}: ${word}`);
      for (const flags of Object.keys(options)) {
        const option = (flags.split(" ")[0] ?? "").slice(2);
        assert(out.includes(option), `${shell}: ${flags}`);
      }
    }
    for (const word of ["arbitrum_one", "market_1", "protocol_fees", "sqlite", "staging"]) {
      assert(out.includes(word), `${shell}: ${word}`);
    }
  }
});
