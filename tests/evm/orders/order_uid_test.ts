import { packOrderUid, parseOrderUid } from "orderlens";
import { assertEquals, assertThrows } from "@std/assert";
import fc from "fast-check";
import { InputError } from "../../../lib/errors/mod.ts";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { RECORDED_ORDERS } from "../signed_orders.ts";

const DIGEST = `0x${"ab".repeat(32)}`;
const OWNER = `0x${"cd".repeat(20)}`;

Deno.test("parseOrderUid() splits the service's own vector", () => {
  const { uid, orderDigest, owner, validTo } = services.orderUidParts;
  assertEquals(parseOrderUid(uid), { digest: orderDigest, owner, validTo });
});

Deno.test("packOrderUid() assembles the service's own vector", () => {
  const { uid, orderDigest, owner, validTo } = services.orderUidParts;
  assertEquals(packOrderUid({ digest: orderDigest, owner, validTo }), uid);
});

Deno.test("parseOrderUid() finds owner and expiry of recorded orders", () => {
  for (const { what, order } of RECORDED_ORDERS) {
    const { owner, validTo } = parseOrderUid(order.uid);
    assertEquals({ owner, validTo }, { owner: order.owner, validTo: order.validTo }, what);
  }
});

Deno.test("packOrderUid() and parseOrderUid() are inverse", () => {
  const hex = (bytes: number) =>
    fc.uint8Array({ minLength: bytes, maxLength: bytes }).map((all) => `0x${all.toHex()}`);
  const parts = fc.record({
    digest: hex(32),
    owner: hex(20),
    validTo: fc.integer({ min: 0, max: 2 ** 32 - 1 }),
  });
  fc.assert(
    fc.property(
      parts,
      (given) => assertEquals(parseOrderUid(packOrderUid(given)), { ...given }),
    ),
  );
});

Deno.test("packOrderUid() and parseOrderUid() accept either case and write lower case", () => {
  const upper = packOrderUid({
    digest: `0x${"AB".repeat(32)}`,
    owner: `0x${"cD".repeat(20)}`,
    validTo: 1,
  });
  assertEquals(upper, packOrderUid({ digest: DIGEST, owner: OWNER, validTo: 1 }));
  assertEquals(parseOrderUid(`0x${upper.slice(2).toUpperCase()}`), {
    digest: DIGEST,
    owner: OWNER,
    validTo: 1,
  });
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
  assertThrows(
    () => packOrderUid({ digest: OWNER, owner: OWNER, validTo: 1 }),
    InputError,
    'Cannot read the digest of an order UID: it has 20 bytes instead of 32\n  found: "0xcdcd',
  );
  assertThrows(
    () => packOrderUid({ digest: DIGEST, owner: DIGEST, validTo: 1 }),
    InputError,
    "Cannot read the owner of an order UID: it has 32 bytes instead of 20",
  );
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
