import { orderDomain, recoverOrderSigner } from "orderlens/evm";
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import services from "../../testdata/evm/services_vectors.json" with { type: "json" };
import { RECORDED_ORDERS, recordedOrder, SERVICES_ORDER } from "../signed_orders.ts";

const DOMAIN = orderDomain(services.testDeployment);
const [EIP712] = services.orderSignatures;
const SIGNATURE = EIP712!.signature;

function signedWith(signature: string) {
  return { ...SERVICES_ORDER, signature, signingScheme: "eip712" };
}

Deno.test("recoverOrderSigner() recovers the service's own vectors", async () => {
  for (const { signingScheme, signature, expectedSigner } of services.orderSignatures) {
    const order = { ...SERVICES_ORDER, signature, signingScheme };
    assertEquals(await recoverOrderSigner(DOMAIN, order), expectedSigner, signingScheme);
  }
});

Deno.test("recoverOrderSigner() finds the owner of recorded eip712 and ethsign orders", async () => {
  const schemes = new Set<string>();
  for (const { what, chainId, order } of RECORDED_ORDERS) {
    if (order.signingScheme === "presign" || order.signingScheme === "eip1271") continue;
    schemes.add(order.signingScheme);
    const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
    assertEquals(await recoverOrderSigner(domain, order), order.owner, what);
  }
  assertEquals(schemes, new Set(["eip712", "ethsign"]));
});

Deno.test("recoverOrderSigner() is null for orders that are signed on-chain", async () => {
  for (const what of ["presign buy", "ethflow (eip1271)", "eip1271"]) {
    const { chainId, order } = recordedOrder(what);
    const domain = orderDomain({ chainId, settlementContract: order.settlementContract });
    assertEquals(await recoverOrderSigner(domain, order), null, what);
  }
});

Deno.test("recoverOrderSigner() accepts a separate signature", async () => {
  for (const signed of services.orderSignatures) {
    assertEquals(
      await recoverOrderSigner(DOMAIN, SERVICES_ORDER, signed),
      signed.expectedSigner,
    );
  }
});

Deno.test("recoverOrderSigner() returns another signer if the order or the scheme differs", async () => {
  const order = signedWith(SIGNATURE);
  const changed = await recoverOrderSigner(DOMAIN, { ...order, buyAmount: order.buyAmount + 1n });
  assertNotEquals(changed, services.owner);
  const other = await recoverOrderSigner(DOMAIN, { ...order, signingScheme: "ethsign" });
  assertNotEquals(other, services.owner);
});

Deno.test("recoverOrderSigner() reads a last byte of 0 or 1 as 27 or 28", async () => {
  assertEquals(SIGNATURE.slice(-2), "1c");
  const order = signedWith(`${SIGNATURE.slice(0, -2)}01`);
  assertEquals(await recoverOrderSigner(DOMAIN, order), services.owner);
});

Deno.test("recoverOrderSigner() rejects impossible signatures", async (t) => {
  const messages: string[] = [];
  for (
    const signature of [
      "0x",
      SIGNATURE.slice(0, -2),
      `${SIGNATURE}00`,
      `${SIGNATURE.slice(0, -2)}1d`,
      `${SIGNATURE.slice(0, -2)}02`,
      `0x${"00".repeat(64)}1b`,
      `0x${"ff".repeat(64)}1b`,
      `0x${"00".repeat(31)}05${"01".repeat(32)}1b`,
    ]
  ) {
    const error = await assertRejects(
      () => recoverOrderSigner(DOMAIN, signedWith(signature)),
      InputError,
    );
    messages.push(error.message);
  }
  await t.assertSnapshot(messages.join("\n\n"));
});

Deno.test("recoverOrderSigner() rejects an order without a signature, and an unknown scheme", async () => {
  await assertRejects(
    () => recoverOrderSigner(DOMAIN, SERVICES_ORDER),
    InputError,
    "Cannot recover the signer of an order without its signature",
  );
  await assertRejects(
    () => recoverOrderSigner(DOMAIN, { ...signedWith(SIGNATURE), signingScheme: "eip7702" }),
    InputError,
    'Cannot recover the signer of a signature of scheme "eip7702"',
  );
});
