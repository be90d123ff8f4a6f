import fc from "fast-check";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { assert, assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import {
  cancellationDigest,
  cancellationsDigest,
  orderDomain,
  recoverCancellationsSigner,
  recoverOrderSigner,
} from "orderlens/evm";
import { hashTypedData } from "viem/utils";
import { InputError } from "../../../lib/errors/mod.ts";
import { holdsKey, recoverSigner } from "../../../lib/evm/orders/request_signature.ts";
import { parseOrderUid } from "orderlens";
import recorded from "../../testdata/evm/cancellations.json" with { type: "json" };
import { RECORDED_ORDERS, SERVICES_ORDER } from "../signed_orders.ts";
import { signDigest } from "../../../lib/evm/orders/sign_order.ts";

type Hex = `0x${string}`;

const SETTLEMENT = "0x9008d19f58aabd9ed0d60971565aa8510560ab41";
const DOMAIN = orderDomain({ chainId: 1, settlementContract: SETTLEMENT });
const { name, version, chainId } = DOMAIN;
const TYPED_DOMAIN = { name, version, chainId, verifyingContract: SETTLEMENT } as const;

const uid = fc.uint8Array({ minLength: 56, maxLength: 56 })
  .map((bytes): Hex => `0x${bytes.toHex()}`);

/** The digest that viem computes of a struct with one field. */
function byViem(primaryType: string, field: string, type: string, value: unknown): string {
  const types = { [primaryType]: [{ name: field, type }] };
  return hashTypedData({ domain: TYPED_DOMAIN, types, primaryType, message: { [field]: value } });
}

Deno.test("cancellationsDigest() and cancellationDigest() agree with viem's typed data", () => {
  fc.assert(
    fc.property(fc.array(uid, { maxLength: 5 }), uid, (several, one) => {
      const all = byViem("OrderCancellations", "orderUids", "bytes[]", several);
      assertEquals(cancellationsDigest(DOMAIN, several), all);
      const single = byViem("OrderCancellation", "orderUid", "bytes", one);
      assertEquals(cancellationDigest(DOMAIN, one), single);
    }),
    { numRuns: 120 },
  );
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

Deno.test("holdsKey() finds the account's own key in any spelling, and no other key, hash or UID", async () => {
  for (
    const text of [KEY, `0x${KEY}`, `0x${KEY.toUpperCase()}`, `{"note":"0x${KEY}"}`, `a ${KEY}, b`]
  ) {
    assertEquals(await holdsKey(text, ADDRESS), true, text);
    assertEquals(await holdsKey(text, ADDRESS.toLowerCase()), true, text);
    assertEquals(await holdsKey(text, `0x${"11".repeat(20)}`), false, text);
  }
  assertEquals(await holdsKey(`${"ff".repeat(32)} ${KEY}`, ADDRESS), true);
  for (const text of ["", "{}", `0x${"00".repeat(32)}`, `0x${"ff".repeat(32)}`, `0x${KEY}${KEY}`]) {
    assertEquals(await holdsKey(text, ADDRESS), false, text);
  }
});

const OF_RECORDING = orderDomain(recorded);

Deno.test("recoverCancellationsSigner() finds the owner of all orders of recorded cancellations", async () => {
  for (const { recording, body } of recorded.several) {
    const owners = body.orderUids.map((uid) => parseOrderUid(uid).owner);
    const signer = await recoverCancellationsSigner(OF_RECORDING, body);
    assertEquals(owners, owners.map(() => signer), `${recording}, ${body.signingScheme}`);
  }
  const schemes = recorded.several.map(({ body }) => body.signingScheme);
  assertEquals(schemes, ["eip712", "ethsign", "eip712"]);
  const { orderUid, body } = recorded.single;
  const signer = await recoverSigner(cancellationDigest(OF_RECORDING, orderUid), body);
  assertEquals(signer, parseOrderUid(orderUid).owner);
});

Deno.test("recoverCancellationsSigner() rejects the schemes that cannot cancel", async () => {
  const [{ body }] = recorded.several as [(typeof recorded.several)[number]];
  for (const signingScheme of ["presign", "eip1271", "other"]) {
    await assertRejects(
      () => recoverCancellationsSigner(OF_RECORDING, { ...body, signingScheme }),
      InputError,
      "Use an eip712 or ethsign signature; signers of other schemes cannot be recovered",
    );
  }
});

const OF_SERVICE = orderDomain(services.testDeployment);
const [EIP712] = services.orderSignatures;
const SIGNATURE = EIP712!.signature;

function signedWith(signature: string) {
  return { ...SERVICES_ORDER, signature, signingScheme: "eip712" };
}

Deno.test("recoverOrderSigner() recovers the service's own vectors, in the order or separate", async () => {
  for (const signed of services.orderSignatures) {
    const order = { ...SERVICES_ORDER, ...signed };
    const { expectedSigner, signingScheme } = signed;
    assertEquals(await recoverOrderSigner(OF_SERVICE, order), expectedSigner, signingScheme);
    const separate = await recoverOrderSigner(OF_SERVICE, SERVICES_ORDER, signed);
    assertEquals(separate, expectedSigner, signingScheme);
  }
  // A last byte of 0 or 1 is 27 or 28.
  assertEquals(SIGNATURE.slice(-2), "1c");
  const order = signedWith(`${SIGNATURE.slice(0, -2)}01`);
  assertEquals(await recoverOrderSigner(OF_SERVICE, order), services.owner);
});

Deno.test("recoverOrderSigner() recovers another signer for another order", async () => {
  const order = signedWith(SIGNATURE);
  const other = { ...order, sellAmount: order.sellAmount + 1n };
  for (let time = 0; time < 2; time++) {
    assertEquals(await recoverOrderSigner(OF_SERVICE, order), services.owner);
    assertNotEquals(await recoverOrderSigner(OF_SERVICE, other), services.owner);
  }
});

Deno.test("recoverOrderSigner() recovers the owner of recorded orders, and null for those signed on-chain", async () => {
  const schemes = new Set<string>();
  for (const { what, chainId, order } of RECORDED_ORDERS) {
    schemes.add(order.signingScheme);
    const isOnChain = order.signingScheme === "presign" || order.signingScheme === "eip1271";
    const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
    const signer = await recoverOrderSigner(domain, order);
    assertEquals(signer, isOnChain ? null : order.owner, what);
  }
  assertEquals(schemes, new Set(["eip712", "ethsign", "presign", "eip1271"]));
});

Deno.test("recoverOrderSigner() rejects impossible, missing and unknown signatures", async (t) => {
  const cut = SIGNATURE.slice(0, -2);
  const ends = [cut, `${SIGNATURE}00`, `${cut}1d`, `${cut}02`];
  const parts = ["00".repeat(64), "ff".repeat(64), `${"00".repeat(31)}05${"01".repeat(32)}`];
  const messages: string[] = [];
  for (const signature of ["0x", ...ends, ...parts.map((each) => `0x${each}1b`)]) {
    const recover = () => recoverOrderSigner(OF_SERVICE, signedWith(signature));
    messages.push((await assertRejects(recover, InputError)).message);
  }
  await t.assertSnapshot(messages.join("\n\n"));
  const unsigned = () => recoverOrderSigner(OF_SERVICE, SERVICES_ORDER);
  await assertRejects(unsigned, InputError, "the signer of an order without its signature");
  const unknown = { ...signedWith(SIGNATURE), signingScheme: "eip7702" };
  const recover = () => recoverOrderSigner(OF_SERVICE, unknown);
  await assertRejects(recover, InputError, 'the signer of a signature of scheme "eip7702"');
});

Deno.test("signDigest() shows no invalid key", async () => {
  const privateKey = `0x${"ff".repeat(32)}`;
  for (const signingScheme of ["eip712", "ethsign"] as const) {
    const sign = () => signDigest(`0x${"5a".repeat(32)}`, { signingScheme, privateKey });
    const error = await assertRejects(sign, InputError);
    assert(!Deno.inspect(error).includes("ffffffff"));
  }
});
