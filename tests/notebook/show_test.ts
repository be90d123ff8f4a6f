import { assertEquals, assertRejects } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";
import { show } from "../../lib/notebook/mod.ts";

Deno.test("show() outside a notebook says where it works", async () => {
  const error = await assertRejects(() => show(1n), InputError);
  assertEquals(
    error.message,
    "Cannot show a value outside a notebook\n" +
      "Fix: Call it in a notebook cell on the Deno kernel, or use console.log",
  );
});
