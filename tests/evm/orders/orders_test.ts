import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { assertEquals, assertThrows } from "@std/assert";
import { packOrderUid, parseOrderUid } from "orderlens";
import { computeOrderUid, orderDigest, orderDomain, type SignableOrder } from "orderlens/evm";
import { InputError } from "../../../lib/errors/mod.ts";
import { RECORDED_ORDERS, recordedOrder, SERVICES_ORDER } from "../signed_orders.ts";
import fc from "fast-check";
import { bytesToHex, hashTypedData } from "viem/utils";
import { domainSeparator, hashText } from "../../../lib/evm/orders/order_digest.ts";

const DOMAIN = orderDomain(services.testDeployment);

Deno.test("computeOrderUid() returns the UID of the service's own vector", () => {
  assertEquals(computeOrderUid(DOMAIN, SERVICES_ORDER, services.owner), services.uid);
  assertEquals(
    computeOrderUid(DOMAIN, { ...SERVICES_ORDER, owner: services.owner }),
    services.uid,
  );
});

Deno.test("computeOrderUid() returns the UIDs of recorded orders", () => {
  for (const { what, chainId, order } of RECORDED_ORDERS) {
    const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
    assertEquals(computeOrderUid(domain, order), order.uid, what);
  }
});

Deno.test("computeOrderUid() accepts an EthFlow order as the service returns it", () => {
  const { chainId, order } = recordedOrder("ethflow (eip1271)");
  const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
  assertEquals(parseOrderUid(computeOrderUid(domain, order)).validTo, 4294967295);
  assertEquals(order.ethflowData?.userValidTo === 4294967295, false);
});

Deno.test("computeOrderUid() prefers an explicit owner", () => {
  const owner = `0x${"0e".repeat(20)}`;
  const uid = computeOrderUid(DOMAIN, { ...SERVICES_ORDER, owner: services.owner }, owner);
  assertEquals(parseOrderUid(uid).owner, owner);
});

Deno.test("computeOrderUid() requires an owner", () => {
  assertThrows(
    () => computeOrderUid(DOMAIN, SERVICES_ORDER),
    InputError,
    "Cannot compute the UID of an order without its owner",
  );
});

const SETTLEMENT = "0x9008D19f58AAbD9eD0D60971565AA8510560ab41";

Deno.test("orderDomain() has the contract's name and version, the chain and the contract", () => {
  assertEquals(orderDomain({ chainId: 100, settlementContract: SETTLEMENT }), {
    name: "Gnosis Protocol",
    version: "v2",
    chainId: 100,
    verifyingContract: "0x9008d19f58aabd9ed0d60971565aa8510560ab41",
  });
});

Deno.test("orderDomain() rejects an invalid chain id", () => {
  for (const chainId of [0, -1, 1.5, NaN, 2 ** 53]) {
    const domainOf = () => orderDomain({ chainId, settlementContract: SETTLEMENT });
    assertThrows(domainOf, InputError, `Cannot use ${chainId} as a chain id`);
  }
});

Deno.test("orderDomain() rejects an invalid address", () => {
  assertThrows(
    () => orderDomain({ chainId: 1, settlementContract: "0x9008" }),
    InputError,
    "Cannot read the settlementContract of a domain: it has 2 bytes instead of 20",
  );
});

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
  const [sellToken, appData] = [`0x${"Ab".repeat(20)}`, `0x${"CD".repeat(32)}`];
  const lower = { sellToken: sellToken.toLowerCase(), appData: appData.toLowerCase() };
  assertEquals(
    orderDigest(DOMAIN, { ...SERVICES_ORDER, sellToken, appData }),
    orderDigest(DOMAIN, { ...SERVICES_ORDER, ...lower }),
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

const DIGEST = `0x${"ab".repeat(32)}`;
const OWNER = `0x${"cd".repeat(20)}`;

Deno.test("parseOrderUid() splits the service's own vector, which packOrderUid() assembles", () => {
  const { uid, orderDigest, owner, validTo } = services.orderUidParts;
  assertEquals(parseOrderUid(uid), { digest: orderDigest, owner, validTo });
  assertEquals(packOrderUid({ digest: orderDigest, owner, validTo }), uid);
});

Deno.test("parseOrderUid() finds owner and expiry of recorded orders", () => {
  for (const { what, order } of RECORDED_ORDERS) {
    const { owner, validTo } = parseOrderUid(order.uid);
    assertEquals({ owner, validTo }, { owner: order.owner, validTo: order.validTo }, what);
  }
});

Deno.test("packOrderUid() and parseOrderUid() are inverse", () => {
  const validTo = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const parts = fc.record({ digest: hex(32), owner: hex(20), validTo });
  fc.assert(fc.property(parts, (given) => {
    assertEquals<unknown>(parseOrderUid(packOrderUid(given)), { ...given });
  }));
});

Deno.test("packOrderUid() and parseOrderUid() accept either case and write lower case", () => {
  const lower = { digest: DIGEST, owner: OWNER, validTo: 1 };
  const [digest, owner] = [`0x${"AB".repeat(32)}`, `0x${"cD".repeat(20)}`];
  const upper = packOrderUid({ digest, owner, validTo: 1 });
  assertEquals(upper, packOrderUid(lower));
  assertEquals(parseOrderUid(`0x${upper.slice(2).toUpperCase()}`), lower);
});

Deno.test("packOrderUid() rejects an expiry that does not fit 32 bits", () => {
  for (const validTo of [-1, 2 ** 32, 1.5, NaN, 1795273344000]) {
    assertThrows(
      () => packOrderUid({ digest: DIGEST, owner: OWNER, validTo }),
      InputError,
      `Cannot use ${validTo} as the validTo of an order`,
    );
  }
});

Deno.test("packOrderUid() names the invalid part", () => {
  const refuses = (digest: string, owner: string, message: string) =>
    assertThrows(() => packOrderUid({ digest, owner, validTo: 1 }), InputError, message);
  refuses(
    OWNER,
    OWNER,
    'Cannot read the digest of an order UID: it has 20 bytes instead of 32\n  found: "0xcdcd',
  );
  refuses(DIGEST, DIGEST, "Cannot read the owner of an order UID: it has 32 bytes instead of 20");
});

Deno.test("parseOrderUid() shows the form of a UID if it is invalid", async (t) => {
  const messages = [
    DIGEST,
    OWNER,
    "0x",
    `${DIGEST}${OWNER.slice(2)}0000000`,
    `${DIGEST}${OWNER.slice(2)}0000000g`,
    `${DIGEST.slice(2)}${OWNER.slice(2)}00000000`,
    `"${DIGEST}${OWNER.slice(2)}00000000"`,
  ].map((uid) => assertThrows(() => parseOrderUid(uid), InputError).message);
  await t.assertSnapshot(messages.join("\n\n"));
});

Deno.test("domainSeparator() matches those of the public deployments", () => {
  const deployments = [...services.domainSeparators, {
    ...services.testDeployment,
    verifyingContract: services.testDeployment.settlementContract,
  }];
  for (const { chainId, verifyingContract, domainSeparator: expected } of deployments) {
    const domain = orderDomain({ chainId, settlementContract: verifyingContract });
    assertEquals(bytesToHex(domainSeparator(domain)), expected);
    assertEquals(bytesToHex(domainSeparator(domain)), expected, "asked again");
  }
});

Deno.test("domainSeparator() supports a modified domain", () => {
  const [mainnet, , gnosis] = services.domainSeparators;
  const domain = {
    ...orderDomain({ chainId: 1, settlementContract: mainnet!.verifyingContract }),
  };
  assertEquals(bytesToHex(domainSeparator(domain)), mainnet?.domainSeparator);
  domain.chainId = 100;
  assertEquals(bytesToHex(domainSeparator(domain)), gnosis?.domainSeparator);
});

Deno.test("hashText() returns the type hashes of the contract", () => {
  assertEquals(
    bytesToHex(hashText("OrderCancellations(bytes[] orderUids)")),
    services.orderCancellations.typeHash,
  );
});
