import { assertEquals } from "@std/assert";
import { printedBy } from "./printed_by.ts";

Deno.test("the README's blocks print what the README shows", async () => {
  const readme = await Deno.readTextFile(new URL("../../README.md", import.meta.url));
  const blocks = [...readme.matchAll(/^```ts\n([^]*?)```\n(?:\n```text\n([^]*?)```)?/gm)];
  assertEquals(blocks.length, 1);
  for (const [, program = "", expected] of blocks) {
    assertEquals(`${await printedBy(program)}\n`, expected);
  }
});
