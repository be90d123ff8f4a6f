import { assert, assertEquals } from "@std/assert";
import { formatAdvice } from "../../lib/cli/arguments/format_advice.ts";
import { listOptions, parseDeclaration } from "../../lib/cli/arguments/command_line.ts";
import { COMMANDS } from "../../lib/cli/mod.ts";

/** Options of the library that commands reach, and that none of them has by this name. */
const LIBRARY_OPTIONS = [
  ...["headers", "timeoutMs", "silenceMs", "rateLimit", "concurrency", "maxBodyBytes", "retries"],
  ...["node", "follow", "follow: true", "walk", "isRestricted", "auctions", "dates", "last"],
];
/** Rooms that no command passes advice of. */
const OTHER_ROOMS = [
  "cli",
  "charts",
  "notebook",
  "sandbox",
  "sql",
  "tables",
  "metrics",
  "evm/orders",
];

/** Every line of code of the library that has a text. */
async function* codeLines(folder: string): AsyncGenerator<readonly [place: string, line: string]> {
  for await (const { name, isDirectory } of Deno.readDir(folder)) {
    const path = `${folder}/${name}`;
    if (OTHER_ROOMS.some((room) => path.endsWith(`/lib/${room}`))) continue;
    if (isDirectory) yield* codeLines(path);
    if (!name.endsWith(".ts")) continue;
    const lines = (await Deno.readTextFile(path)).split("\n");
    for (const [index, line] of lines.entries()) {
      if (/^\s*(\/?\*|\/\/)/.test(line) || !/["`]/.test(line)) continue;
      yield [`${path}:${index + 1}`, line.replaceAll("\\`", "`")];
    }
  }
}

/** Library options that a text advises to change. */
function advisedOptions(text: string): string[] {
  if (!/\b(pass|lower|leave out|omit|raise|set|use)\b/i.test(text)) return [];
  return LIBRARY_OPTIONS.filter((name) =>
    text.includes(`\`${name}\``) && !text.includes(`\`${name}\` in code`)
  );
}

Deno.test("formatAdvice() leaves no option of the library in any advice that a command can print", async () => {
  const root = new URL("../../lib", import.meta.url).pathname;
  let count = 0;
  for await (const [place, line] of codeLines(root)) {
    if (advisedOptions(line).length > 0) count++;
    assertEquals(advisedOptions(formatAdvice(line)), [], `${place}: ${line.trim()}`);
  }
  assert(count >= 10, `${count} lines were found`);
});

Deno.test("formatAdvice() names options that a command has, and --rate only where it has it", () => {
  const all = new Set(
    COMMANDS.flatMap((spec) => Object.keys(listOptions(spec))).map((text) =>
      parseDeclaration(text).name
    ),
  );
  const advice = [
    "Wait before retrying, and lower the option `rateLimit`",
    "Pass `node`, such as the URL of a JSON-RPC endpoint, or leave out `walk`",
    "Pass dates up to now, or follow new auctions with `follow` and no end",
    "Pass `to`, or `follow: true` to keep exporting new auctions",
  ];
  for (const text of advice) {
    for (const [option] of formatAdvice(text, { hasRate: true }).matchAll(/--[a-z-]+/g)) {
      assert(all.has(option), option);
    }
  }
  assertEquals(formatAdvice(advice[0]!), "Wait before retrying");
  assertEquals(
    formatAdvice(advice[0]!, { hasRate: true }),
    "Wait before retrying, and lower --rate",
  );
});
