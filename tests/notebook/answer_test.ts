import { answer } from "orderlens/notebook";
import { assertEquals, assertRejects } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { answerBundle } from "../../lib/notebook/outline_value.ts";

Deno.test("answer() is Markdown in which HTML and control characters have no effect", () => {
  assertEquals(answerBundle("**14 of 20**: a <b>name</b> & a bell\u0007"), {
    "text/plain": "**14 of 20**: a <b>name</b> & a bell\\u0007",
    "text/markdown": "**14 of 20**: a &lt;b>name&lt;/b> &amp; a bell\\u0007",
  });
});

Deno.test("answer() leaves code as it is, which Markdown shows literally, and nothing else", () => {
  const of = (text: string) => answerBundle(text)["text/markdown"];
  assertEquals(of("`'10' < '9'` is 1 < 2"), "`'10' < '9'` is 1 &lt; 2");
  // None of these is code for Markdown, so that a tag in it would be one.
  assertEquals(of("\\`<b>`"), "\\`&lt;b>`");
  assertEquals(of("`a\n\n<b>`"), "`a\n\n&lt;b>`");
  assertEquals(of("``<b>`"), "``&lt;b>`");
});

Deno.test("answer() writes negative numbers with a minus sign, and no other hyphen", () => {
  const text = "From **-1.9 bps** to (-0.5), on 2026-11-21, ids 5-7, `x - -3`, pre-2 and - 4";
  const { "text/plain": plain } = answerBundle(text);
  assertEquals(
    plain,
    "From **−1.9 bps** to (−0.5), on 2026-11-21, ids 5-7, `x - -3`, pre-2 and - 4",
  );
});

Deno.test("answer() outside a notebook says where it works", async () => {
  await assertRejects(() => answer("14"), InputError, "Cannot show a value outside a notebook");
});
