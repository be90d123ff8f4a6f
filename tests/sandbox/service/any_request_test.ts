import { assert } from "@std/assert";
import fc from "fast-check";
import { hashAppData, orderDigest, orderDomain } from "../../../lib/evm/mod.ts";
import { signDigest } from "../../../lib/evm/sign_digest.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox, type Sandbox } from "../../../lib/sandbox/mod.ts";
import { ANY_GET, anyBody, type AnyRequest, damagedBody } from "./any_request.ts";

async function statusOf(sandbox: Sandbox, { method, path, body }: AnyRequest): Promise<number> {
  const response = await sandbox.fetch(`http://x${path}`, {
    method,
    ...(body === undefined ? {} : { body, headers: { "content-type": "application/json" } }),
  });
  await response.text();
  return response.status;
}

Deno.test("openSandbox() never answers 500 to what it does not understand", async () => {
  const sandbox = await openSandbox({ seed: 9, auctions: 10 });
  const isUnderstood = async (request: AnyRequest) => {
    assert(await statusOf(sandbox, request) < 500, JSON.stringify(request));
  };
  await fc.assert(fc.asyncProperty(anyBody(sandbox), isUnderstood), { numRuns: 1_500 });
  await fc.assert(fc.asyncProperty(damagedBody(sandbox), isUnderstood), { numRuns: 1_000 });
  await fc.assert(fc.asyncProperty(ANY_GET, isUnderstood), { numRuns: 1_000 });
  // What was taken in along the way must not stop the market either, and must be told as well.
  await sandbox.advance({ auctions: 10 });
  const [account] = sandbox.description.accounts;
  const path = `/api/v1/account/${account}/orders?limit=1000`;
  const response = await sandbox.fetch(`http://x${path}`);
  assert((await response.json()).length > 0);
});

Deno.test("openSandbox() bears orders of any size", async () => {
  const sandbox = await openSandbox({ seed: 9 });
  const { tokens, now } = sandbox.description;
  const domain = orderDomain(sandbox.deployment);
  const { address, privateKey } = DEVELOPMENT_ACCOUNTS[0]!;
  const uids: string[] = [];
  let validTo = now + 100;
  for (const kind of ["sell", "buy"]) {
    for (const partiallyFillable of [true, false]) {
      for (
        const [sellAmount, buyAmount] of [[2n ** 256n - 1n, 1n], [1n, 2n ** 256n - 1n], [1n, 1n]]
      ) {
        const order = {
          sellToken: tokens[1]!.address,
          buyToken: tokens[3]!.address,
          sellAmount: sellAmount!,
          buyAmount: buyAmount!,
          validTo: validTo++,
          appData: hashAppData("{}"),
          feeAmount: 0n,
          kind,
          partiallyFillable,
        };
        const digest = orderDigest(domain, order);
        const signature = await signDigest(digest, { signingScheme: "eip712", privateKey });
        const response = await sandbox.fetch("http://x/api/v1/orders", {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify({
            ...order,
            sellAmount: String(sellAmount),
            buyAmount: String(buyAmount),
            feeAmount: "0",
            appData: "{}",
            from: address,
            signature,
            signingScheme: "eip712",
          }),
        });
        uids.push(await response.json());
        assert(response.status === 201);
      }
    }
  }
  await sandbox.advance({ auctions: 10 });
  for (const uid of uids) {
    for (const path of [`/api/v1/orders/${uid}`, `/restricted/api/v1/debug/order/${uid}`]) {
      const response = await sandbox.fetch(`http://x${path}`);
      await response.text();
      assert(response.status === 200, `${response.status} for ${path}`);
    }
  }
});
