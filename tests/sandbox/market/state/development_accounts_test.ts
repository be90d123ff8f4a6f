import { assert, assertEquals } from "@std/assert";
import { mnemonicToAccount, privateKeyToAccount } from "viem/accounts";
import { DEVELOPMENT_ACCOUNTS } from "../../../../lib/sandbox/mod.ts";

const MNEMONIC = "test test test test test test test test test test test junk";

Deno.test("DEVELOPMENT_ACCOUNTS are the first ten of the well-known mnemonic", () => {
  assertEquals(DEVELOPMENT_ACCOUNTS.length, 10);
  for (const [addressIndex, { address, privateKey }] of DEVELOPMENT_ACCOUNTS.entries()) {
    const expected = mnemonicToAccount(MNEMONIC, { addressIndex }).address.toLowerCase();
    assertEquals(address, expected);
    const own = privateKeyToAccount(privateKey as `0x${string}`).address.toLowerCase();
    assertEquals(own, expected);
  }
});

Deno.test("DEVELOPMENT_ACCOUNTS never show their keys when printed", () => {
  const text = JSON.stringify(DEVELOPMENT_ACCOUNTS) + Deno.inspect(DEVELOPMENT_ACCOUNTS);
  for (const { privateKey } of DEVELOPMENT_ACCOUNTS) assert(!text.includes(privateKey));
});
