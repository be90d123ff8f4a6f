import { assert } from "@std/assert";
import fc from "fast-check";
import { hashAppData, orderDigest, orderDomain } from "../../lib/evm/mod.ts";
import { signDigest } from "../../lib/evm/sign_digest.ts";
import { DEVELOPMENT_ACCOUNTS, openSandbox } from "../../lib/sandbox/mod.ts";

const ANY_HEX = fc.constantFrom(
  `0x${"ab".repeat(20)}`,
  `0x${"AB".repeat(32)}`,
  `0x${"00".repeat(56)}`,
  `0x${"12".repeat(65)}`,
  "0x",
  "0xzz",
  DEVELOPMENT_ACCOUNTS[0]!.address,
  "0x57e7000000000000000000000000000000000001",
  "0x57e7000000000000000000000000000000000002",
  "0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee",
);
const ANY_AMOUNT = fc.oneof(
  fc.bigInt(-1n, 2n ** 256n).map(String),
  fc.constantFrom("0x10", "", "1e18", "1.5", " 1", "0"),
);
const ANY_VALUE = fc.oneof(
  ANY_HEX,
  ANY_AMOUNT,
  fc.jsonValue({ maxDepth: 2 }),
  fc.constantFrom("sell", "buy", "eip712", "presign", "eip1271", "{}", '{"metadata":{"hooks":[]}}'),
);
const FIELDS = [
  "sellToken",
  "buyToken",
  "receiver",
  "sellAmount",
  "buyAmount",
  "validTo",
  "validFor",
  "feeAmount",
  "kind",
  "partiallyFillable",
  "sellTokenBalance",
  "buyTokenBalance",
  "appData",
  "appDataHash",
  "from",
  "quoteId",
  "signingScheme",
  "signature",
  "sellAmountBeforeFee",
  "buyAmountAfterFee",
  "priceQuality",
  "timeout",
  "fullAppData",
  "orderUids",
];
const BODIES: readonly [string, string][] = [
  ["POST", "/api/v1/orders"],
  ["POST", "/api/v1/quote"],
  ["POST", "/api/v1/quote/stream"],
  ["POST", "/api/v1/orders/by_uids"],
  ["PUT", "/api/v1/app_data"],
  ["DELETE", "/api/v1/orders"],
];
const SEGMENTS = fc.array(
  fc.oneof(
    fc.constantFrom("api", "v1", "v2", "orders", "account", "trades", "status", "token"),
    fc.constantFrom("solver_competition", "latest", "by_tx_hash", "native_price", "restricted"),
    ANY_HEX,
    fc.webSegment(),
  ),
  { maxLength: 7 },
);

Deno.test("openSandbox() never answers 500 to what it does not understand", async () => {
  const sandbox = await openSandbox({ seed: 9, auctions: 10 });
  const { tokens, accounts, now } = sandbox.description;
  const good: Record<string, unknown> = {
    sellToken: tokens[0]!.address,
    buyToken: tokens[1]!.address,
    from: accounts[0],
    kind: "sell",
    sellAmount: "1000000000000000000",
    buyAmount: "1",
    sellAmountBeforeFee: "1000000000000000000",
    feeAmount: "0",
    validTo: now + 600,
    partiallyFillable: false,
    appData: "{}",
    signingScheme: "presign",
    signature: "0x",
    fullAppData: "{}",
    orderUids: [],
  };
  const changes = fc.dictionary(fc.constantFrom(...FIELDS), ANY_VALUE, { maxKeys: 4 });
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...BODIES), changes, async ([method, path], changed) => {
      const response = await sandbox.fetch(`http://x${path}`, {
        method,
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ ...good, ...changed }),
      });
      await response.text();
      assert(response.status < 500, `${method} ${path} ${JSON.stringify(changed)}`);
    }),
    { numRuns: 1_500 },
  );
  await fc.assert(
    fc.asyncProperty(SEGMENTS, fc.webQueryParameters(), async (segments, query) => {
      const response = await sandbox.fetch(`http://x/${segments.join("/")}?${query}`);
      await response.text();
      assert(response.status < 500, `${segments.join("/")}?${query}`);
    }),
    { numRuns: 1_000 },
  );
  // What was taken in along the way must not stop the market either, and must be told as well.
  await sandbox.advance({ auctions: 10 });
  const path = `/api/v1/account/${accounts[0]}/orders?limit=1000`;
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
