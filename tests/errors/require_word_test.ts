import { InputError } from "orderlens";
import { requireWord } from "../../lib/errors/option_rules.ts";
import { assertEquals, assertThrows } from "@std/assert";

const WORDS = ["gross", "net", "userShown", "limit"];

function refusalOf(word: unknown): string {
  return assertThrows(
    () => requireWord(word, WORDS, { what: "baseline", action: "Cannot measure slippage" }),
    InputError,
  ).message;
}

Deno.test("requireWord() accepts known words", () => {
  for (const word of WORDS) requireWord(word, WORDS, { what: "baseline", action: "Cannot" });
});

Deno.test("requireWord() names the nearest word, and all", async (t) => {
  await t.assertSnapshot(refusalOf("shown"));
  const meant = (word: unknown) => /did you mean "(\w+)"/.exec(refusalOf(word))?.[1];
  assertEquals(
    ["user_shown", "USERSHOWN", " gros ", "limits", "quote", "", 7, undefined].map(meant),
    ["userShown", "userShown", "gross", "limit", undefined, undefined, undefined, undefined],
  );
});
