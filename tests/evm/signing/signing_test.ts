import fc from "fast-check";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { assertEquals, assertNotEquals, assertThrows } from "@std/assert";
import { cancellationDigest, cancellationsDigest, orderDomain } from "orderlens/evm";
import { concat, hashTypedData, keccak256 } from "viem/utils";
import { InputError } from "../../../lib/errors/mod.ts";
import { holdsKeyOf } from "../../../lib/evm/orders/request_signature.ts";

type Hex = `0x${string}`;

const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const DOMAIN = orderDomain({ chainId: 1, settlementContract: SETTLEMENT });
const TYPED_DOMAIN = {
  name: "Gnosis Protocol",
  version: "v2",
  chainId: 1,
  verifyingContract: SETTLEMENT,
} as const;

const uid = fc.uint8Array({ minLength: 56, maxLength: 56 })
  .map((bytes): Hex => `0x${bytes.toHex()}`);

Deno.test("cancellationsDigest() signs the struct hashes of the service's own vectors", () => {
  const separator = services.domainSeparators[0]?.domainSeparator as Hex;
  for (const { orderUids, structHash } of services.orderCancellations.cases) {
    assertEquals(
      cancellationsDigest(DOMAIN, orderUids),
      keccak256(concat(["0x1901", separator, structHash as Hex])),
    );
  }
});

Deno.test("cancellationsDigest() agrees with viem's typed data on any list", () => {
  fc.assert(
    fc.property(fc.array(uid, { maxLength: 5 }), (orderUids) => {
      const expected = hashTypedData({
        domain: TYPED_DOMAIN,
        types: { OrderCancellations: [{ name: "orderUids", type: "bytes[]" }] },
        primaryType: "OrderCancellations",
        message: { orderUids },
      });
      assertEquals(cancellationsDigest(DOMAIN, orderUids), expected);
    }),
    { numRuns: 30 },
  );
});

Deno.test("cancellationDigest() agrees with viem's typed data on any UID", () => {
  fc.assert(
    fc.property(uid, (orderUid) => {
      const expected = hashTypedData({
        domain: TYPED_DOMAIN,
        types: { OrderCancellation: [{ name: "orderUid", type: "bytes" }] },
        primaryType: "OrderCancellation",
        message: { orderUid },
      });
      assertEquals(cancellationDigest(DOMAIN, orderUid), expected);
    }),
    { numRuns: 30 },
  );
});

Deno.test("cancellationsDigest() depends on the order of the UIDs", () => {
  const [one, two] = [`0x${"11".repeat(56)}`, `0x${"22".repeat(56)}`];
  assertNotEquals(cancellationsDigest(DOMAIN, [one, two]), cancellationsDigest(DOMAIN, [two, one]));
});

Deno.test("cancellationsDigest() and cancellationDigest() reject invalid UIDs", () => {
  const hash = `0x${"11".repeat(32)}`;
  const message = "Cannot read the UID of an order to cancel: it has 32 bytes instead of 56";
  assertThrows(() => cancellationsDigest(DOMAIN, [hash]), InputError, message);
  assertThrows(() => cancellationDigest(DOMAIN, hash), InputError, message);
});

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
