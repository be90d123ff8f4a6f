import { assert, assertEquals, assertRejects } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import { recoverSigner } from "../../../lib/evm/orders/request_signature.ts";
import { signDigest } from "../../../lib/evm/orders/sign_order.ts";

/** The key of the first account of every development node. */
const PRIVATE_KEY = "0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80";
const ADDRESS = "0xf39fd6e51aad88f6f4ce6ab8827279cfffb92266";
const DIGEST = `0x${"5a".repeat(32)}`;

for (const signingScheme of ["eip712", "ethsign"] as const) {
  Deno.test(`signDigest() signs by ${signingScheme}, deterministically and recoverably`, async () => {
    const options = { signingScheme, privateKey: PRIVATE_KEY };
    const signature = await signDigest(DIGEST, options);
    assertEquals(signature.length, 132);
    assertEquals(await signDigest(DIGEST, options), signature);
    assertEquals(await recoverSigner(DIGEST, { signature, signingScheme }), ADDRESS);
  });
}

Deno.test("signDigest() does not show an invalid key", async () => {
  const privateKey = `0x${"ff".repeat(32)}`;
  const error = await assertRejects(
    () => signDigest(DIGEST, { signingScheme: "eip712", privateKey }),
    InputError,
  );
  assert(!Deno.inspect(error).includes("ffffffff"));
});
