import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { join } from "node:path";
import { emptyTally } from "../../tools/lint/counting_plugin.ts";
import plugin from "../../tools/lint/language_plugin.ts";
import { ALLOWED_FUNCTIONS } from "../../tools/lint/words.ts";
import { PROJECT_ROOT } from "../../tools/project_root.ts";
import { tabulateCounts } from "../../tools/testing/count_language.ts";
import { walkFiles } from "../../tools/testing/files_below.ts";

/** Sources that a rule rejects, with a word of its message, and sources that every rule accepts. */
const SOURCES: readonly (readonly [rule: string | null, source: string, word?: string])[] = [
  ["functions", "function textOf() {}", "textOf"],
  ["functions", "const rowsIn = () => [];", "rowsIn"],
  ["functions", "class Reader { #sidesOf() {} }", "sidesOf"],
  ["functions", "const reader = { partsOf() {} };", "partsOf"],
  [
    null,
    "function formatReason() {} const readRows = () => []; function proof() {} function begin() {}",
  ],
  ["types", "interface Asking {}", "Asking"],
  ["types", "type Kept = string;", "Kept"],
  ["types", "class Unsent {}", "Unsent"],
  [null, "interface ExportContext {} type Listing = string; class Cache {}"],
  ["limits", "const MOST_ROWS = 5;", "MAX_ROWS"],
  ["limits", "const LEAST_ROWS = 5;", "MIN_ROWS"],
  [null, "const MAX_ROWS = 5; const MOST = 1;"],
  ["variables", "const one = 1;", "one"],
  ["variables", "const [found, ...rest] = [1];", "found"],
  ["variables", "function read({ uid: known = 1 }) {}", "known"],
  [null, "function read({ at, what = 1, ...fields }) {}"],
  ["variables", "const read = ({ parts: { at } }) => at;", "at"],
  ["variables", "class Reader { constructor(private own: number) {} }", "own"],
  ["variables", "type Read = (what: string) => void;", "what"],
  [
    null,
    "const order = { one: 1 }; const olderFills = order.one; function read({ known: ids }) {}",
  ],
  ["docs", "/** What a run needs. */ type Context = string;", "What"],
  ["docs", "/**\n * How long it waits.\n */ const WAIT = 5;", "How"],
  [
    null,
    "/** Limits of a run. */ type Context = string; // What a run needs.\n/* What */ type Run = 1;",
  ],
];

for (const [rule, source, word = ""] of SOURCES) {
  const title = rule === null ? "the language rules accept" : `language/${rule} rejects`;
  Deno.test(`${title} ${source.replaceAll("\n", " ")}`, () => {
    const diagnostics = lint("lib/units/hex.ts", source);
    if (rule === null) return assertEquals(diagnostics, []);
    assert(diagnostics.some(({ id }) => id === `language/${rule}`), "not rejected");
    assertEquals([...new Set(diagnostics.map(({ id }) => id))], [`language/${rule}`]);
    assertStringIncludes(diagnostics.map(({ message, hint }) => message + hint).join(), word);
  });
}

Deno.test("the language rules leave tests alone and check tools", () => {
  assertEquals(lint("tests/units/hex_test.ts", "const one = 1;"), []);
  assertEquals(lint("tools/drift.ts", "const one = 1;").length, 1);
});

Deno.test("ALLOWED_FUNCTIONS has at most 20 names, all of them in use", async () => {
  const names = Object.keys(ALLOWED_FUNCTIONS);
  assert(names.length <= 20, "the list of exceptions can only shrink");
  const sources: string[] = [];
  for await (const file of walkFiles(PROJECT_ROOT, ["lib", "tools"])) {
    if (file.endsWith(".ts") && !file.endsWith("tools/lint/words.ts")) {
      sources.push(await Deno.readTextFile(join(PROJECT_ROOT, file)));
    }
  }
  const text = sources.join("\n");
  assertEquals(names.filter((name) => !new RegExp(`\\b${name}\\(`).test(text)), []);
});

Deno.test("tabulateCounts fails where a share is past its bar", () => {
  const tally = { ...emptyTally(), functions: 200, verbs: 120, types: 1000, variables: 1000 };
  const docs = { docs: 100 };
  assertEquals(tabulateCounts({ ...tally, ...docs, halfSentences: 2, questions: 1 }).success, true);
  const past = tabulateCounts({ ...tally, ...docs, halfSentences: 3 });
  assertEquals(past.success, false);
  assertStringIncludes(past.output, "OVER functions ending in Of or In: 1.5 % (at most 1 %)");
  assertEquals(tabulateCounts({ ...tally, ...docs, verbs: 119 }).success, false);
  assertEquals(tabulateCounts({ ...tally, ...docs, oldLimits: 1 }).success, false);
});

function lint(file: string, source: string): Deno.lint.Diagnostic[] {
  return Deno.lint.runPlugin(plugin, join(PROJECT_ROOT, file), source);
}
