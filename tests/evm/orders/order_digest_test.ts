import { orderDigest, orderDomain, type SignableOrder } from "orderlens/evm";
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { hashTypedData } from "viem/utils";
import { InputError } from "../../../lib/errors/mod.ts";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { RECORDED_ORDERS, SERVICES_ORDER } from "../signed_orders.ts";

const DOMAIN = orderDomain(services.testDeployment);
const ZERO_ADDRESS = `0x${"00".repeat(20)}`;

const TYPES = {
  Order: [
    { name: "sellToken", type: "address" },
    { name: "buyToken", type: "address" },
    { name: "receiver", type: "address" },
    { name: "sellAmount", type: "uint256" },
    { name: "buyAmount", type: "uint256" },
    { name: "validTo", type: "uint32" },
    { name: "appData", type: "bytes32" },
    { name: "feeAmount", type: "uint256" },
    { name: "kind", type: "string" },
    { name: "partiallyFillable", type: "bool" },
    { name: "sellTokenBalance", type: "string" },
    { name: "buyTokenBalance", type: "string" },
  ],
} as const;

type Hex = `0x${string}`;

function hex(bytes: number): fc.Arbitrary<Hex> {
  return fc.uint8Array({ minLength: bytes, maxLength: bytes })
    .map((all): Hex => `0x${all.toHex()}`);
}

const amount = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n });

Deno.test("orderDigest() is the digest of the service's own vector", () => {
  assertEquals(orderDigest(DOMAIN, SERVICES_ORDER), services.uid.slice(0, 66));
});

Deno.test("orderDigest() is the first part of recorded UIDs", () => {
  for (const { what, chainId, order } of RECORDED_ORDERS) {
    const { settlementContract } = order;
    const domain = orderDomain({ chainId, settlementContract });
    assertEquals(orderDigest(domain, order), order.uid.slice(0, 66), what);
  }
});

Deno.test("orderDigest() agrees with viem's typed data on any order", () => {
  const orders = fc.record({
    sellToken: hex(20),
    buyToken: hex(20),
    receiver: hex(20),
    sellAmount: amount,
    buyAmount: amount,
    validTo: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
    appData: hex(32),
    feeAmount: amount,
    kind: fc.constantFrom("sell", "buy"),
    partiallyFillable: fc.boolean(),
    sellTokenBalance: fc.constantFrom("erc20", "external", "internal"),
    buyTokenBalance: fc.constantFrom("erc20", "internal"),
  });
  const domains = fc.record({ chainId: fc.integer({ min: 1 }), settlementContract: hex(20) });
  fc.assert(
    fc.property(domains, orders, ({ chainId, settlementContract }, order) => {
      const expected = hashTypedData({
        domain: {
          name: "Gnosis Protocol",
          version: "v2",
          chainId,
          verifyingContract: settlementContract,
        },
        types: TYPES,
        primaryType: "Order",
        message: order,
      });
      assertEquals(orderDigest(orderDomain({ chainId, settlementContract }), order), expected);
    }),
  );
});

Deno.test("orderDigest() signs a missing receiver as the zero address", () => {
  const expected = orderDigest(DOMAIN, { ...SERVICES_ORDER, receiver: ZERO_ADDRESS });
  const { receiver: _, ...without } = SERVICES_ORDER;
  assertEquals(orderDigest(DOMAIN, { ...SERVICES_ORDER, receiver: null }), expected);
  assertEquals(orderDigest(DOMAIN, without), expected);
});

Deno.test("orderDigest() reads missing balances as erc20", () => {
  const { sellTokenBalance: _, buyTokenBalance: __, ...without } = SERVICES_ORDER;
  assertEquals(orderDigest(DOMAIN, without), orderDigest(DOMAIN, SERVICES_ORDER));
});

Deno.test("orderDigest() ignores the case of hex", () => {
  const shouted = {
    ...SERVICES_ORDER,
    sellToken: `0x${"Ab".repeat(20)}`,
    appData: `0x${"CD".repeat(32)}`,
  };
  assertEquals(
    orderDigest(DOMAIN, shouted),
    orderDigest(DOMAIN, {
      ...shouted,
      sellToken: shouted.sellToken.toLowerCase(),
      appData: shouted.appData.toLowerCase(),
    }),
  );
});

Deno.test("orderDigest() names the field that cannot be signed", async (t) => {
  const changes: Partial<SignableOrder>[] = [
    { sellToken: "0x1234" },
    { receiver: "me" },
    { sellAmount: -1n },
    { buyAmount: 2n ** 256n },
    { feeAmount: 5 as unknown as bigint },
    { validTo: 1795273344000 },
    { appData: '{"version":"1.6.0"}' },
    { kind: "limit" },
    { partiallyFillable: "no" as unknown as boolean },
    { sellTokenBalance: "vault" },
    { buyTokenBalance: "external" },
  ];
  const messages = changes.map((change) =>
    assertThrows(() => orderDigest(DOMAIN, { ...SERVICES_ORDER, ...change }), InputError).message
  );
  await t.assertSnapshot(messages.join("\n\n"));
});
