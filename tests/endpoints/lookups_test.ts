import { assertEquals, assertRejects, assertStringIncludes } from "@std/assert";
import {
  DecodeError,
  HttpStatusError,
  IncompleteListError,
  NotFoundError,
  UnauthorizedError,
  UnavailableError,
} from "orderlens";
import {
  getCompetition,
  getDebugReport,
  getNotifications,
  getOrder,
  getTransactionOrders,
} from "orderlens/endpoints";
import { encodeNotification } from "orderlens/schemas";
import {
  answering,
  type FakeAnswer,
  FakeTransport,
  NOT_FOUND,
  response,
} from "./fake_transport.ts";
import { orderNumber, RECORDED_COMPETITION, RECORDED_ORDER, uidNumber } from "./recorded_bodies.ts";

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

/** The routes of a service, how often a report is requested, and the requested paths. */
const ROUTES: readonly [what: string, Record<string, FakeAnswer>, times: number, string[]][] = [
  ["the live service's path alone", { [SERVICE_DEBUG]: { body: REPORT } }, 1, [SERVICE_DEBUG]],
  ["the document's path, which it remembers", { [DOCUMENT_DEBUG]: { body: REPORT } }, 2, [
    SERVICE_DEBUG,
    DOCUMENT_DEBUG,
    DOCUMENT_DEBUG,
  ]],
  [
    "the document's path after JSON from a proxy",
    {
      [SERVICE_DEBUG]: { status: 404, body: { message: "no Route matched with those values" } },
      [DOCUMENT_DEBUG]: { body: REPORT },
    },
    1,
    [SERVICE_DEBUG, DOCUMENT_DEBUG],
  ],
];

Deno.test("getDebugReport() requests the live service's path first, and then the document's", async () => {
  for (const [what, routes, times, paths] of ROUTES) {
    const service = serviceOf(routes);
    for (let count = 0; count < times; count++) {
      assertEquals((await getDebugReport(service, UID)).orderUid, UID, what);
    }
    assertEquals(service.paths, paths, what);
  }
});

Deno.test("getDebugReport() takes an explained 404 for the order's, and a rejection for all reports'", async () => {
  const absent = serviceOf({ [SERVICE_DEBUG]: NOT_FOUND });
  await assertRejects(() => getDebugReport(absent, UID), NotFoundError, "debug report");
  const refusing = serviceOf({ [SERVICE_DEBUG]: { status: 403, body: "<html>no</html>" } });
  const error = await assertRejects(() => getDebugReport(refusing, UID), UnauthorizedError);
  for (const remaining of ["order", "trades", "orderStatus", "competition"]) {
    assertStringIncludes(error.remedy, remaining);
  }
  assertEquals([...absent.paths, ...refusing.paths], [SERVICE_DEBUG, SERVICE_DEBUG]);
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

Deno.test("getTransactionOrders() falls back to the document's path too", async () => {
  const service = serviceOf({ [DOCUMENT_TX]: { body: [orderNumber(1), orderNumber(2)] } });
  const orders = await getTransactionOrders(service, TX);
  assertEquals(orders.map((order) => order.uid), [uidNumber(1), uidNumber(2)]);
  await getTransactionOrders(service, TX);
  assertEquals(service.paths, [SERVICE_TX, DOCUMENT_TX, DOCUMENT_TX]);
});

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
  const service = answering([PUBLISHED, TYPED]);
  const notifications = await getNotifications(service, ACCOUNT);
  assertEquals<unknown>(notifications.map(encodeNotification), [PUBLISHED, TYPED]);
  const [request] = service.requests;
  assertEquals([request?.at, request?.path], ["root", `/accounts/${ACCOUNT}/notifications`]);
});

interface ListOptions {
  readonly onFailure?: (failure: { readonly index: number }) => void;
}

/** Calls that give a whole list, and two of its elements. */
const LISTS: readonly [
  name: string,
  list: (service: FakeTransport, options?: ListOptions) => Promise<unknown[]>,
  elements: readonly unknown[],
  unavailable: readonly FakeAnswer[],
][] = [
  [
    "getTransactionOrders",
    (service, options) => getTransactionOrders(service, TX, options),
    [orderNumber(1), orderNumber(3)],
    [{ status: 404 }],
  ],
  [
    "getNotifications",
    (service, options) => getNotifications(service, ACCOUNT, options),
    [PUBLISHED, TYPED],
    [{ status: 404 }, { status: 503 }, { status: 404, body: "not here" }],
  ],
];

for (const [name, list, [one, other], unavailable] of LISTS) {
  Deno.test(`${name}() returns [] only if the service does`, async () => {
    assertEquals(await list(answering([])), []);
    for (const answer of unavailable) {
      await assertRejects(() => list(new FakeTransport(() => answer)), UnavailableError);
    }
    await assertRejects(() => list(new FakeTransport(() => ({ status: 500 }))), HttpStatusError);
  });

  Deno.test(`${name}() attaches the valid elements to the error about the invalid ones`, async () => {
    const service = answering([one, { uid: 7 }, other]);
    const error = await assertRejects(() => list(service), IncompleteListError);
    assertEquals([error.items.length, error.failureCount], [2, 1]);
    const indexes: number[] = [];
    const found = await list(service, { onFailure: ({ index }) => indexes.push(index) });
    assertEquals([found, indexes], [[...error.items], [1]]);
  });

  Deno.test(`${name}() decodes at most as many elements as there can be`, async () => {
    const service = answering(new Array(10_001).fill(1));
    const error = await assertRejects(() => list(service), DecodeError);
    assertEquals(error.failure.found, "10001 elements");
  });
}

const EXPIRY_SEC = 1_795_273_344;
const DURING = EXPIRY_SEC * 1_000 - 1;
const A_DAY_AFTER = EXPIRY_SEC * 1_000 + 86_400_000;

function isKept({ requests: [request] }: FakeTransport, body: unknown): boolean {
  return request?.isImmutable?.(response({ body })) === true;
}

/** Whether an answer of `getOrder` may be kept for ever. */
async function mayKeepOrder(changes: Record<string, unknown>, nowMs: number): Promise<boolean> {
  const body = { ...RECORDED_ORDER, uid: UID, validTo: EXPIRY_SEC, ...changes };
  const service = answering(body);
  await getOrder(service, UID, { now: () => nowMs });
  return isKept(service, body);
}

const FILLED_ONCE = { status: "fulfilled", executedFee: "1", partiallyFillable: false };
const ETHFLOW = {
  status: "expired",
  validTo: 4_294_967_295,
  ethflowData: { userValidTo: EXPIRY_SEC, refundTxHash: null },
};

/** What an order has, and whether it may be kept: during its validity, a day after, and later. */
const KEPT: readonly [Record<string, unknown>, during: boolean, after: boolean, later: boolean][] =
  [
    [{ status: "fulfilled", executedFee: "0" }, false, false, true],
    [{ status: "cancelled", executedFee: "0" }, false, false, true],
    [{ status: "expired", executedFee: "0" }, false, false, true],
    [FILLED_ONCE, true, true, true],
    [{ ...FILLED_ONCE, partiallyFillable: true }, false, false, true],
    [{ ...FILLED_ONCE, status: "cancelled" }, false, false, true],
    [{ status: "open" }, false, false, false],
    [{ status: "presignaturePending" }, false, false, false],
    [{ status: "somethingNew" }, false, false, false],
    [ETHFLOW, false, false, true],
  ];

Deno.test("getOrder() allows caching a closed order a day past its expiry, and one fill at once", async () => {
  for (const [order, ...kept] of KEPT) {
    const found = [DURING, A_DAY_AFTER, A_DAY_AFTER + 1].map((ms) => mayKeepOrder(order, ms));
    assertEquals(await Promise.all(found), kept, JSON.stringify(order));
  }
});

Deno.test("getCompetition() allows caching once no winner can get a transaction any more", async () => {
  const [solution] = RECORDED_COMPETITION.solutions as [Record<string, unknown>];
  const settled = { ...solution, isWinner: true, txHash: TX };
  const waiting = { ...settled, txHash: null };
  const lost = { ...waiting, isWinner: false };
  const nowSeconds = Math.floor(Date.now() / 1_000);
  // The first of its orders expired so many minutes ago.
  for (
    const [solutions, expiredMinutes, expected] of [
      [[lost, settled], -10, true],
      [[settled, settled], -10, true],
      [[settled, waiting], -10, false],
      [[settled, waiting], 115, false],
      [[settled, waiting], 125, true],
      [[lost], 115, false],
      [[], -10, false],
    ] as const
  ) {
    const transactionHashes = [TX];
    const orders = [nowSeconds - expiredMinutes * 60, nowSeconds + 86_400].map((validTo) =>
      `0x${"ab".repeat(52)}${validTo.toString(16).padStart(8, "0")}`
    );
    const auction = { ...RECORDED_COMPETITION.auction as object, orders };
    const body = { ...RECORDED_COMPETITION, auctionId: 7, auction, transactionHashes, solutions };
    for (const [which, isAllowed] of [[7, true], [TX, true], ["latest", false]] as const) {
      const service = answering(body);
      await getCompetition(service, which);
      assertEquals(isKept(service, body), isAllowed && expected, `${which} ${expiredMinutes}`);
    }
  }
});
