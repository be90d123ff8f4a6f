import { assertEquals } from "@std/assert";
import { Responses } from "../../lib/recordings/responses.ts";
import type { Exchange } from "../../lib/recordings/request_key.ts";
import {
  collectOrders,
  collectPages,
  composeByUids,
  composeOrder,
  composePage,
  parseRowRange,
} from "../../lib/recordings/recorded_lists.ts";
import { Recording } from "../../lib/recordings/recording.ts";

const owner = `0x${"a".repeat(40)}`;
const orders = `/api/v1/account/${owner}/orders`;

function get(path: string, responseBody: string, status = 200): Exchange {
  return { method: "GET", path, status, contentType: "application/json", responseBody };
}

function page(path: string, rows: readonly number[], status = 200): Exchange {
  return get(path, JSON.stringify(rows), status);
}

function ask(recorded: readonly Exchange[], path: string): string | undefined {
  const range = parseRowRange(path);
  if (range === undefined) return "no list";
  return composePage(collectPages(new Recording(recorded)), range)?.responseBody;
}

Deno.test("parseRowRange() reads list, offset and limit, with defaults 0 and 10", () => {
  assertEquals(parseRowRange(orders), { list: orders, offset: 0, limit: 10 });
  assertEquals(
    parseRowRange(
      `/api/v2/trades?limit=3&offset=20&owner=${owner.toUpperCase()}`.replace("0X", "0x"),
    ),
    {
      list: `/api/v2/trades?owner=${owner}`,
      offset: 20,
      limit: 3,
    },
  );
  assertEquals(parseRowRange(`/api/v1/trades?owner=${owner}`), {
    list: `/api/v2/trades?owner=${owner}`,
    offset: 0,
    limit: Infinity,
  });
});

Deno.test("parseRowRange() is undefined for invalid paging and for other routes", () => {
  const cases = [
    `${orders}?limit=x`,
    `${orders}?offset=-1`,
    `${orders}?limit=`,
    `${orders}?color=red`,
    "/api/v2/trades",
    `/api/v2/trades?owner=${owner}&orderUid=0x12`,
    `/api/v1/trades?owner=${owner}&limit=5`,
    "/api/v1/version",
    `/api/v1/account/${owner}/orders/more`,
  ];
  for (const path of cases) assertEquals(parseRowRange(path), undefined, path);
});

Deno.test("composePage() cuts a page out of a recorded one, and detects the end of the list", () => {
  const whole = [page(`${orders}?limit=1000`, [0, 1, 2, 3, 4])];
  assertEquals(ask(whole, orders), "[0,1,2,3,4]");
  assertEquals(ask(whole, `${orders}?limit=2`), "[0,1]");
  assertEquals(ask(whole, `${orders}?limit=2&offset=3`), "[3,4]");
  assertEquals(ask(whole, `${orders}?limit=2&offset=4`), "[4]");
  assertEquals(ask(whole, `${orders}?limit=2&offset=5`), "[]");
  assertEquals(ask(whole, `${orders}?limit=1000&offset=1000`), "[]");
});

Deno.test("composePage() prefers pages that were recorded later, also under another paging", () => {
  const grown = [
    page(`${orders}?limit=1000`, [3, 2, 1]),
    page(`${orders}?limit=2`, [6, 5]),
    page(`${orders}?limit=2&offset=2`, [4, 3]),
    page(`${orders}?limit=2&offset=4`, [2, 1]),
    page(`${orders}?limit=2&offset=6`, []),
  ];
  assertEquals(ask(grown, `${orders}?limit=1000`), "[6,5,4,3,2,1]");
  // The newest page alone was asked for again: what an earlier answer has goes on behind it.
  const polled = [page(`${orders}?limit=1000`, [3, 2, 1]), page(`${orders}?limit=2`, [4, 3])];
  assertEquals(ask(polled, `${orders}?limit=1000`), "[4,3,2,1]");
});

Deno.test("composePage() does not go beyond a full page", () => {
  const full = [page(`${orders}?limit=3`, [0, 1, 2])];
  const cut = [page(`/api/v2/trades?owner=${owner}&limit=3`, [0, 1, 2])];
  assertEquals(ask(cut, `/api/v1/trades?owner=${owner}`), undefined);
  assertEquals(ask(full, `${orders}?limit=2&offset=1`), "[1,2]");
  assertEquals(ask(full, `${orders}?limit=3&offset=1`), undefined);
  assertEquals(ask(full, `${orders}?limit=1&offset=3`), undefined);
});

Deno.test("composePage() is undefined for rows before the recorded ones, and for recorded errors", () => {
  assertEquals(ask([page(`${orders}?limit=5`, [], 503)], `${orders}?limit=5`), undefined);
  const later = [page(`${orders}?limit=3&offset=5`, [5, 6])];
  assertEquals(ask(later, `${orders}?limit=3&offset=4`), undefined);
  assertEquals(ask(later, `${orders}?limit=3&offset=6`), "[6]");
});

Deno.test("composePage() joins recorded pages", () => {
  const pages = [
    page(`${orders}?limit=3`, [0, 1, 2]),
    page(`${orders}?limit=3&offset=3`, [3, 4, 5]),
    page(`${orders}?limit=3&offset=6`, []),
  ];
  assertEquals(ask(pages, `${orders}?limit=4&offset=1`), "[1,2,3,4]");
  assertEquals(ask(pages, `${orders}?limit=1000`), "[0,1,2,3,4,5]");
  assertEquals(ask(pages.slice(0, 2), `${orders}?limit=1000`), undefined);
  assertEquals(ask([...pages.slice(0, 1), ...pages.slice(2)], `${orders}?limit=1000`), undefined);
});

Deno.test("composePage() prefers the page that was recorded last", () => {
  const grown = [page(`${orders}?limit=10`, [1, 2]), page(`${orders}?limit=20`, [0, 1, 2])];
  assertEquals(ask(grown, `${orders}?limit=5`), "[0,1,2]");
  const again = [...grown, page(`${orders}?limit=10`, [9])];
  assertEquals(ask(again, `${orders}?limit=5`), "[9]");
});

Deno.test("composePage() rejects a limit out of bounds without recorded pages too", () => {
  const refused = `${orders}?limit=0`;
  const answer = (...recorded: Exchange[]) =>
    new Responses(new Recording(recorded), { name: "one" }).respond({
      method: "GET",
      path: refused,
    });
  assertEquals(answer().status, 400);
  const recorded = page(refused, [7], 400);
  assertEquals(answer(page(orders, [0, 1]), recorded), recorded);
});

const [a = "", b = "", c = "", d = ""] = ["a", "b", "c", "d"].map((digit) =>
  `0x${digit.repeat(112)}`
);
const order = (uid: string, status = "open") => `{"uid":"${uid}","status":"${status}","price":1.0}`;

function byUids(uids: readonly string[], responseBody: string): Exchange {
  const path = "/api/v1/orders/by_uids";
  return { ...get(path, responseBody), method: "POST", requestBody: JSON.stringify(uids) };
}

function askByUids(recorded: readonly Exchange[], uids: readonly string[]): string | undefined {
  const orders = collectOrders(new Recording(recorded));
  return composeByUids(orders, JSON.stringify(uids))?.responseBody;
}

Deno.test("composeByUids() omits orders that do not exist and UIDs that occur nowhere", () => {
  const recorded = [
    get(`/api/v1/orders/${a}`, order(a)),
    get(`/api/v1/orders/${b}`, '{"errorType":"NotFound"}', 404),
  ];
  const upper = a.toUpperCase().replace("0X", "0x");
  for (const uids of [[b, a, c], [upper], [a, b, a]]) {
    assertEquals(askByUids(recorded, uids), `[{"order":${order(a)}}]`);
  }
  assertEquals(askByUids(recorded, []), "[]");
});

Deno.test("composeByUids() is undefined for an order that is only mentioned, and without orders", () => {
  assertEquals(askByUids([get("/api/v1/version", "1")], [a]), undefined);
  const recorded = [
    get(`/api/v1/orders/${a}`, order(a)),
    get("/api/v2/trades?owner=0x12", `[{"orderUid":"${b}"}]`),
  ];
  assertEquals(askByUids(recorded, [a, b]), undefined);
});

Deno.test("composeByUids() returns the later of two bodies, and errors unchanged", () => {
  const error = `{"error":{"uid":"${c}","description":"conversion failed"}}`;
  const recorded = [
    get(`/api/v1/orders/${a}`, order(a)),
    byUids([a, b, c], `[{"order":${order(a, "fulfilled")}},${error}]`),
  ];
  assertEquals(askByUids(recorded, [c, b, a]), `[${error},{"order":${order(a, "fulfilled")}}]`);
});

Deno.test("composeByUids() is undefined for a body that is not a list of UIDs", () => {
  const orders = collectOrders(new Recording([get(`/api/v1/orders/${a}`, order(a))]));
  for (const body of ["{}", "[", '["0x12"]', "[1]", "", undefined]) {
    assertEquals(composeByUids(orders, body), undefined);
  }
});

Deno.test("composeOrder() finds an order, or its absence, in a by_uids response", () => {
  const error = `{"error":{"uid":"${d}","description":"conversion failed"}}`;
  const recorded = byUids([a, b, d], `[ {"order": ${order(a)} }, ${error} ]`);
  const orders = collectOrders(new Recording([recorded]));
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
