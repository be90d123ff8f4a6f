import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { assertEquals, assertThrows } from "@std/assert";
import { packOrderUid, parseOrderUid } from "orderlens";
import { computeOrderUid, orderDigest, orderDomain, type SignableOrder } from "orderlens/evm";
import { InputError } from "../../../lib/errors/mod.ts";
import { RECORDED_ORDERS, SERVICES_ORDER } from "../signed_orders.ts";
import fc from "fast-check";
import { bytesToHex, hashTypedData, keccak256 as keccak256OfViem } from "viem/utils";
import { enableWasmKeccak, keccak256, toHex } from "../../../lib/evm/hex.ts";
import { computeDomainSeparator } from "../../../lib/evm/orders/order_digest.ts";

const DOMAIN = orderDomain(services.testDeployment);

Deno.test("computeOrderUid() returns the UIDs of recorded orders, and of the service's own vector", () => {
  for (const { what, chainId, order } of RECORDED_ORDERS) {
    const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
    assertEquals(computeOrderUid(domain, order), order.uid, what);
  }
  assertEquals(computeOrderUid(DOMAIN, SERVICES_ORDER, services.owner), services.uid);
  // An explicit owner is preferred.
  const owner = `0x${"0e".repeat(20)}`;
  const uid = computeOrderUid(DOMAIN, { ...SERVICES_ORDER, owner: services.owner }, owner);
  assertEquals(parseOrderUid(uid).owner, owner);
  const ask = () => computeOrderUid(DOMAIN, SERVICES_ORDER);
  assertThrows(ask, InputError, "Cannot compute the UID of an order without its owner");
});

const SETTLEMENT = "0x9008D19f58AAbD9eD0D60971565AA8510560ab41";

Deno.test("orderDomain() rejects an invalid chain id or address", () => {
  for (const chainId of [0, -1, 1.5, NaN, 2 ** 53]) {
    const domainOf = () => orderDomain({ chainId, settlementContract: SETTLEMENT });
    assertThrows(domainOf, InputError, `Cannot use ${chainId} as a chain id`);
  }
  const short = () => orderDomain({ chainId: 1, settlementContract: "0x9008" });
  const says = "Cannot read the settlementContract of a domain: it has 2 bytes instead of 20";
  assertThrows(short, InputError, says);
});

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

const NAMED = { name: "Gnosis Protocol", version: "v2" };

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
        domain: { ...NAMED, chainId, verifyingContract: settlementContract },
        types: TYPES,
        primaryType: "Order",
        message: order,
      });
      assertEquals(orderDigest(orderDomain({ chainId, settlementContract }), order), expected);
    }),
  );
});

Deno.test("orderDigest() ignores the case of hex; no receiver is the zero address, no balance erc20", () => {
  const { receiver: _, sellTokenBalance: __, buyTokenBalance: ___, ...without } = SERVICES_ORDER;
  const [sellToken, appData] = [`0x${"ab".repeat(20)}`, `0x${"cd".repeat(32)}`];
  const expected = orderDigest(DOMAIN, {
    ...without,
    sellToken,
    appData,
    receiver: `0x${"00".repeat(20)}`,
    sellTokenBalance: "erc20",
    buyTokenBalance: "erc20",
  });
  const upper = { sellToken: `0x${"Ab".repeat(20)}`, appData: `0x${"CD".repeat(32)}` };
  for (const spelt of [{ sellToken, appData }, { sellToken, appData, receiver: null }, upper]) {
    assertEquals(orderDigest(DOMAIN, { ...without, ...spelt }), expected);
  }
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

Deno.test("packOrderUid() and parseOrderUid() are inverse, as in the service's own vector, in either case", () => {
  const { uid, orderDigest, ...rest } = services.orderUidParts;
  const own = { digest: orderDigest, owner: rest.owner, validTo: rest.validTo };
  assertEquals(parseOrderUid(`0x${uid.slice(2).toUpperCase()}`), own);
  const upper = (text: string) => `0x${text.slice(2).toUpperCase()}`;
  assertEquals(packOrderUid({ ...own, digest: upper(own.digest), owner: upper(own.owner) }), uid);
  const validTo = fc.integer({ min: 0, max: 2 ** 32 - 1 });
  const parts = fc.record({ digest: hex(32), owner: hex(20), validTo });
  fc.assert(fc.property(parts, (given) => {
    assertEquals<unknown>(parseOrderUid(packOrderUid(given)), { ...given });
  }));
});

Deno.test("packOrderUid() names the invalid part", () => {
  const cases: [object, string][] = [
    [
      { digest: OWNER },
      'Cannot read the digest of an order UID: it has 20 bytes instead of 32\n  found: "0xcdcd',
    ],
    [{ owner: DIGEST }, "Cannot read the owner of an order UID: it has 32 bytes instead of 20"],
    ...[-1, 2 ** 32, 1.5, NaN, 1795273344000].map((validTo): [object, string] => [
      { validTo },
      `Cannot use ${validTo} as the validTo of an order`,
    ]),
  ];
  for (const [part, message] of cases) {
    const pack = () => packOrderUid({ digest: DIGEST, owner: OWNER, validTo: 1, ...part });
    assertThrows(pack, InputError, message);
  }
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

Deno.test("computeDomainSeparator() supports a modified domain", () => {
  const [mainnet, , gnosis] = services.domainSeparators;
  const { verifyingContract: settlementContract } = mainnet!;
  const domain = { ...orderDomain({ chainId: 1, settlementContract }) };
  assertEquals(bytesToHex(computeDomainSeparator(domain)), mainnet?.domainSeparator);
  domain.chainId = 100;
  assertEquals(bytesToHex(computeDomainSeparator(domain)), gnosis?.domainSeparator);
});

const OF_NOTHING = "0xc5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470";
const OF_ABC = "0x4e03657aea45a94fc7d47ba826c8d667c0d1e6e33a64a036ec44f58fa12d6c45";
const ABC = new TextEncoder().encode("abc");

function requireHashes(): void {
  assertEquals(toHex(keccak256(new Uint8Array())), OF_NOTHING);
  assertEquals(toHex(keccak256(ABC)), OF_ABC);
  const lengths = [...Array.from({ length: 2 * 136 + 2 }, (_, length) => length), 16_385, 50_000];
  for (const length of lengths) {
    const bytes = Uint8Array.from({ length }, (_, at) => (at * 167 + length * 31) & 0xff);
    assertEquals(toHex(keccak256(bytes)), keccak256OfViem(bytes), `${length} bytes`);
  }
}

Deno.test("keccak256() computes the hash of Ethereum, not SHA3-256", requireHashes);

Deno.test("keccak256() returns the same hash in WebAssembly, without state between hashes", async () => {
  await enableWasmKeccak();
  const first = keccak256(ABC);
  requireHashes();
  assertEquals(toHex(first), OF_ABC);
});
