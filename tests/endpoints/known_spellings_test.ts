import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  NotFoundError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import { getDebugReport, getTransactionOrders } from "orderlens/endpoints";
import { type FakeAnswer, FakeTransport, NOT_FOUND } from "./fake_transport.ts";
import { orderNumber, uidNumber } from "./recorded_bodies.ts";

const UID = uidNumber(1);
const TX = `0x${"cd".repeat(32)}`;
const REPORT = { orderUid: UID, order: orderNumber(1), events: [], auctions: [], trades: [] };

const SERVICE_DEBUG = `/restricted/api/v1/debug/order/${UID}`;
const DOCUMENT_DEBUG = `/api/v1/debug/order/${UID}`;
const SERVICE_TX = `/api/v1/transactions/${TX}/orders`;
const DOCUMENT_TX = `/api/v1/orders/tx/${TX}`;

function serviceOf(routes: Record<string, FakeAnswer>): FakeTransport {
  return new FakeTransport(({ path }) => routes[path] ?? { status: 404, contentType: null });
}

Deno.test("getDebugReport() requests the live service's path first, and only this one once it is known", async () => {
  const service = serviceOf({ [SERVICE_DEBUG]: { body: REPORT } });
  assertEquals((await getDebugReport(service, UID)).orderUid, UID);
  assertEquals(service.paths, [SERVICE_DEBUG]);
});

Deno.test("getDebugReport() tries the document's path once, and remembers it for the deployment", async () => {
  const service = serviceOf({ [DOCUMENT_DEBUG]: { body: REPORT } });
  await getDebugReport(service, UID);
  await getDebugReport(service, UID);
  assertEquals(service.paths, [SERVICE_DEBUG, DOCUMENT_DEBUG, DOCUMENT_DEBUG]);

  const other = serviceOf({ [SERVICE_DEBUG]: { body: REPORT } });
  await getDebugReport(other, UID);
  assertEquals(other.paths, [SERVICE_DEBUG]);
});

Deno.test("getDebugReport() attributes an explained 404 to the order, not to the route", async () => {
  const service = serviceOf({ [SERVICE_DEBUG]: NOT_FOUND });
  await assertRejects(() => getDebugReport(service, UID), NotFoundError, "debug report");
  assertEquals(service.paths, [SERVICE_DEBUG]);
});

Deno.test("getDebugReport() treats JSON from a proxy as a missing route", async () => {
  const service = serviceOf({
    [SERVICE_DEBUG]: { status: 404, body: { message: "no Route matched with those values" } },
    [DOCUMENT_DEBUG]: { body: REPORT },
  });
  assertEquals((await getDebugReport(service, UID)).orderUid, UID);
});

Deno.test("getDebugReport() is unavailable if neither route exists, and each call tries again", async () => {
  const routes: Record<string, FakeAnswer> = {};
  const service = serviceOf(routes);
  const error = await assertRejects(() => getDebugReport(service, UID), UnavailableError);
  assertStringIncludes(error.remedy, "trades");
  assertEquals(service.paths, [SERVICE_DEBUG, DOCUMENT_DEBUG]);
  routes[SERVICE_DEBUG] = { body: REPORT };
  await getDebugReport(service, UID);
  assertEquals(service.paths, [SERVICE_DEBUG, DOCUMENT_DEBUG, SERVICE_DEBUG]);
});

Deno.test("getDebugReport() reports the alternatives if it is rejected, and does not try the other path", async () => {
  for (const status of [401, 403]) {
    const service = serviceOf({ [SERVICE_DEBUG]: { status, body: "<html>no</html>" } });
    const error = await assertRejects(() => getDebugReport(service, UID), UnauthorizedError);
    for (const remaining of ["order", "trades", "orderStatus", "competition"]) {
      assertStringIncludes(error.remedy, remaining);
    }
    assertEquals(error.status, status);
    assertEquals(service.paths, [SERVICE_DEBUG]);
  }
});

Deno.test("getTransactionOrders() falls back to the document's path too", async () => {
  const service = serviceOf({ [DOCUMENT_TX]: { body: [orderNumber(1), orderNumber(2)] } });
  const orders = await getTransactionOrders(service, TX);
  assertEquals(orders.map((order) => order.uid), [uidNumber(1), uidNumber(2)]);
  await getTransactionOrders(service, TX);
  assertEquals(service.paths, [SERVICE_TX, DOCUMENT_TX, DOCUMENT_TX]);
});

Deno.test("getTransactionOrders() returns [] for a transaction without orders, but not for a missing route", async () => {
  assertEquals(await getTransactionOrders(serviceOf({ [SERVICE_TX]: { body: [] } }), TX), []);
  await assertRejects(() => getTransactionOrders(serviceOf({}), TX), UnavailableError);
  const failing = serviceOf({ [SERVICE_TX]: { status: 500 } });
  await assertRejects(() => getTransactionOrders(failing, TX), HttpStatusError);
});

Deno.test("getTransactionOrders() attaches the valid orders to the error about the invalid ones", async () => {
  const body = [orderNumber(1), { uid: 7 }, orderNumber(3)];
  const service = serviceOf({ [SERVICE_TX]: { body } });
  const error = await assertRejects(() => getTransactionOrders(service, TX), IncompleteListError);
  assertEquals(error.items.length, 2);
  assertEquals(error.failureCount, 1);

  const indexes: number[] = [];
  const orders = await getTransactionOrders(service, TX, {
    onFailure: ({ index }) => indexes.push(index),
  });
  assertEquals(orders.map((order) => order.uid), [uidNumber(1), uidNumber(3)]);
  assertEquals(indexes, [1]);
});

Deno.test("getTransactionOrders() decodes at most as many orders as a transaction can have", async () => {
  const service = serviceOf({ [SERVICE_TX]: { body: new Array(10_001).fill(1) } });
  const error = await assertRejects(() => getTransactionOrders(service, TX), DecodeError);
  assertEquals(error.failure.found, "10001 elements");
});
