import { assertEquals } from "@std/assert";
import { holdsKeyOf } from "../../../lib/evm/orders/request_signature.ts";

/** Second of the well-known development accounts, and its key. */
const ADDRESS = "0x70997970C51812dc3A010C7d01b50e0d17dc79C8";
const KEY = "59c6995e998f97a5a0044966f0945389dc9e86dae88c7a8412f4603b6b78690d";

Deno.test("holdsKeyOf() finds the account's own key in any spelling", async () => {
  for (
    const text of [KEY, `0x${KEY}`, `0x${KEY.toUpperCase()}`, `{"note":"0x${KEY}"}`, `a ${KEY}, b`]
  ) {
    assertEquals(await holdsKeyOf(text, ADDRESS), true, text);
    assertEquals(await holdsKeyOf(text, ADDRESS.toLowerCase()), true, text);
  }
});

Deno.test("holdsKeyOf() accepts hashes, UIDs and keys of other accounts", async () => {
  const other = `0x${"11".repeat(20)}`;
  assertEquals(await holdsKeyOf(KEY, other), false);
  for (const text of ["", "{}", `0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`, `0x${KEY}${KEY}`]) {
    assertEquals(await holdsKeyOf(text, ADDRESS), false, text);
  }
});
