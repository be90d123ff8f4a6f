import { assertEquals } from "@std/assert";
import { InputError } from "../../lib/errors/mod.ts";

/** The key of the first development account of Anvil. */
const KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";

Deno.test("InputError shows only the ends of a possible private key", () => {
  const { message } = new InputError(`Cannot use ${KEY} as an address`, {
    facts: { found: `key=${KEY.slice(2).toUpperCase()}`, digits: 64 },
    remedy: "Pass an address as 0x and 40 hex digits",
  });
  assertEquals(
    message,
    `Cannot use 0xac09…ff80 (32 bytes, shortened because they could be a private key) as an address
  found: key=AC09…FF80 (32 bytes, shortened because they could be a private key)
  digits: 64
Fix: Pass an address as 0x and 40 hex digits`,
  );
});

Deno.test("InputError shows longer and shorter hex in full", () => {
  for (const text of [`${KEY}00`, KEY.slice(0, -2)]) {
    assertEquals(
      new InputError(`Cannot use ${text}`, { remedy: "Pass another" }).message,
      `Cannot use ${text}\nFix: Pass another`,
    );
  }
});
