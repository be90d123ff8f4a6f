import { parseOrderUid } from "orderlens";
import { cancellationDigest, orderDomain, recoverCancellationsSigner } from "orderlens/evm";
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { InputError } from "../../../lib/errors/mod.ts";
import { recoverSigner } from "../../../lib/evm/orders/request_signature.ts";
import recorded from "../../testdata/evm/cancellations.json" with { type: "json" };

const DOMAIN = orderDomain(recorded);

Deno.test("recoverCancellationsSigner() finds the owner of all orders of recorded cancellations", async () => {
  for (const { recording, body } of recorded.several) {
    const owners = body.orderUids.map((uid) => parseOrderUid(uid).owner);
    const signer = await recoverCancellationsSigner(DOMAIN, body);
    assertEquals(owners, owners.map(() => signer), `${recording}, ${body.signingScheme}`);
  }
  assertEquals(recorded.several.map(({ body }) => body.signingScheme), [
    "eip712",
    "ethsign",
    "eip712",
  ]);
});

Deno.test("recoverSigner() finds the owner in the recorded cancellation of one order", async () => {
  const { orderUid, body } = recorded.single;
  const signer = await recoverSigner(cancellationDigest(DOMAIN, orderUid), body);
  assertEquals(signer, parseOrderUid(orderUid).owner);
});

Deno.test("recoverCancellationsSigner() returns another signer if a UID is missing", async () => {
  const { body } = recorded.several.find(({ body }) => body.orderUids.length > 1)!;
  const signer = await recoverCancellationsSigner(DOMAIN, {
    ...body,
    orderUids: body.orderUids.slice(1),
  });
  assertNotEquals(signer, parseOrderUid(body.orderUids[0]!).owner);
});

Deno.test("recoverCancellationsSigner() rejects the schemes that cannot cancel", async () => {
  const [{ body }] = recorded.several as [(typeof recorded.several)[number]];
  for (const signingScheme of ["presign", "eip1271", "other"]) {
    await assertRejects(
      () => recoverCancellationsSigner(DOMAIN, { ...body, signingScheme }),
      InputError,
      "Use an eip712 or ethsign signature; signers of other schemes cannot be recovered",
    );
  }
});
