import { assertEquals } from "@std/assert";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import {
  composeByUids,
  composeOrder,
  recordedOrders,
} from "../../lib/recordings/recorded_lists.ts";
import { Recording } from "../../lib/recordings/recording.ts";

const [a = "", b = "", c = "", d = ""] = ["a", "b", "c", "d"].map((digit) =>
  `0x${digit.repeat(112)}`
);
const order = (uid: string, status = "open") => `{"uid":"${uid}","status":"${status}","price":1.0}`;

function get(path: string, responseBody: string, status = 200): Exchange {
  return { method: "GET", path, status, contentType: "application/json", responseBody };
}

function byUids(uids: readonly string[], responseBody: string): Exchange {
  return {
    method: "POST",
    path: "/api/v1/orders/by_uids",
    requestBody: JSON.stringify(uids),
    status: 200,
    contentType: "application/json",
    responseBody,
  };
}

function ask(recorded: readonly Exchange[], uids: readonly string[]): string | undefined {
  const orders = recordedOrders(new Recording(recorded));
  return composeByUids(orders, JSON.stringify(uids))?.responseBody;
}

Deno.test("composeByUids() wraps recorded orders, without duplicates, in the requested order", () => {
  const recorded = [get(`/api/v1/orders/${a}`, order(a)), get(`/api/v1/orders/${b}`, order(b))];
  assertEquals(ask(recorded, [b, a, b]), `[{"order":${order(b)}},{"order":${order(a)}}]`);
  assertEquals(ask(recorded, [a.toUpperCase().replace("0X", "0x")]), `[{"order":${order(a)}}]`);
  assertEquals(ask(recorded, []), "[]");
});

Deno.test("composeByUids() omits orders that do not exist and UIDs that occur nowhere", () => {
  const recorded = [
    get(`/api/v1/orders/${a}`, order(a)),
    get(`/api/v1/orders/${b}`, '{"errorType":"NotFound"}', 404),
  ];
  assertEquals(ask(recorded, [b, a, c]), `[{"order":${order(a)}}]`);
});

Deno.test("composeByUids() does not omit an order that is only mentioned", () => {
  const recorded = [
    get(`/api/v1/orders/${a}`, order(a)),
    get("/api/v2/trades?owner=0x12", `[{"orderUid":"${b}"}]`),
  ];
  assertEquals(ask(recorded, [a, b]), undefined);
});

Deno.test("composeByUids() is undefined if no order was recorded", () => {
  assertEquals(ask([get("/api/v1/version", "1")], [a]), undefined);
});

Deno.test("composeByUids() returns the later of two bodies, and errors unchanged", () => {
  const error = `{"error":{"uid":"${c}","description":"conversion failed"}}`;
  const recorded = [
    get(`/api/v1/orders/${a}`, order(a)),
    byUids([a, b, c], `[{"order":${order(a, "fulfilled")}},${error}]`),
  ];
  assertEquals(ask(recorded, [c, b, a]), `[${error},{"order":${order(a, "fulfilled")}}]`);
});

Deno.test("composeByUids() rejects 129 UIDs as the service does, and answers 128", () => {
  const orders = recordedOrders(new Recording([get(`/api/v1/orders/${a}`, order(a))]));
  assertEquals(composeByUids(orders, JSON.stringify(Array(129).fill(a))), {
    status: 400,
    contentType: "text/plain; charset=utf-8",
    responseBody: "Request exceeds maximum number of order UIDs of 128",
  });
  assertEquals(composeByUids(orders, JSON.stringify(Array(128).fill(a)))?.status, 200);
});

Deno.test("composeByUids() is undefined for a body that is not a list of UIDs", () => {
  const orders = recordedOrders(new Recording([get(`/api/v1/orders/${a}`, order(a))]));
  for (const body of ["{}", "[", '["0x12"]', "[1]", "", undefined]) {
    assertEquals(composeByUids(orders, body), undefined);
  }
});

Deno.test("composeOrder() finds an order, or its absence, in a by_uids response", () => {
  const error = `{"error":{"uid":"${d}","description":"conversion failed"}}`;
  const recorded = byUids([a, b, d], `[ {"order": ${order(a)} }, ${error} ]`);
  const orders = recordedOrders(new Recording([recorded]));
  assertEquals(composeOrder(orders, `/api/v1/orders/${a}`)?.responseBody, order(a));
  assertEquals(composeOrder(orders, `/api/v1/orders/${b}`), {
    status: 404,
    contentType: "application/json",
    responseBody: '{"errorType":"NotFound","description":"Order was not found"}',
  });
  assertEquals(composeOrder(orders, `/api/v1/orders/${c}`), undefined);
  assertEquals(composeOrder(orders, `/api/v1/orders/${d}`), undefined);
  assertEquals(composeOrder(orders, `/api/v1/orders/${a}/status`), undefined);
});
