import { assertEquals, assertRejects } from "@std/assert";
import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  InputError,
  UnavailableError,
} from "orderlens";
import { getNotifications } from "orderlens/endpoints";
import { FakeTransport } from "./fake_transport.ts";

const ACCOUNT = "0xd217E8A0924a6806C7616A4ab0C39Df86e0bF889";

/** As the service of today sends it, after the sources of the service that does. */
const PUBLISHED = {
  id: 17,
  account: ACCOUNT,
  title: "Trade filled",
  description: "Your order was filled",
  createdAt: "2026-10-01T12:00:00.000Z",
  url: null,
  thumbnail: null,
};

/** As the interface document describes it. */
const TYPED = {
  id: "n-1",
  account: ACCOUNT,
  type: "order_filled",
  message: "Your order was filled",
  timestamp: "2026-10-01T12:00:00Z",
  metadata: { orderUid: "0x12" },
};

Deno.test("getNotifications() requests the root, and accepts both forms", async () => {
  const service = new FakeTransport(() => ({ body: [PUBLISHED, TYPED] }));
  const [published, typed] = await getNotifications(service, ACCOUNT);
  assertEquals(published?.id, 17);
  assertEquals(typed?.id, "n-1");
  const [request] = service.requests;
  assertEquals(request?.at, "root");
  assertEquals(request?.path, `/accounts/${ACCOUNT}/notifications`);
});

Deno.test("getNotifications() returns [] only if the service does", async () => {
  assertEquals(await getNotifications(new FakeTransport(() => ({ body: [] })), ACCOUNT), []);
  for (const answer of [{ status: 404 }, { status: 503 }, { status: 404, body: "not here" }]) {
    const service = new FakeTransport(() => answer);
    await assertRejects(() => getNotifications(service, ACCOUNT), UnavailableError);
  }
  for (const status of [400, 500]) {
    const service = new FakeTransport(() => ({ status }));
    await assertRejects(() => getNotifications(service, ACCOUNT), HttpStatusError);
  }
});

Deno.test("getNotifications() attaches the valid notifications to the error about the invalid ones", async () => {
  const service = new FakeTransport(() => ({ body: [PUBLISHED, { id: 1 }, TYPED] }));
  const error = await assertRejects(() => getNotifications(service, ACCOUNT), IncompleteListError);
  assertEquals(error.items.length, 2);
});

Deno.test("getNotifications() rejects an invalid address before sending", async () => {
  const service = new FakeTransport(() => ({ body: [] }));
  await assertRejects(() => getNotifications(service, "vitalik.eth"), InputError);
  assertEquals(service.requests, []);
});

Deno.test("getNotifications() decodes at most as many notifications as an account can have", async () => {
  const service = new FakeTransport(() => ({ body: new Array(10_001).fill(1) }));
  const error = await assertRejects(() => getNotifications(service, ACCOUNT), DecodeError);
  assertEquals(error.failure.found, "10001 elements");
});
