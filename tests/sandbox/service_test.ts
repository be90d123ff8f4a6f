import { assert, assertEquals, assertRejects } from "@std/assert";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { comparable, OrderDesk } from "./order_desk.ts";

const CHUNK = 1024;

/** An endless body that counts the bytes read, and whether the rest was cancelled. */
function endless(): { body: ReadableStream<Uint8Array>; seen: { bytes: number; isOver: boolean } } {
  const seen = { bytes: 0, isOver: false };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      seen.bytes += CHUNK;
      controller.enqueue(new Uint8Array(CHUNK).fill(0x20));
    },
    cancel() {
      seen.isOver = true;
    },
  }, { highWaterMark: 0 });
  return { body, seen };
}

const sandbox = await openSandbox();

/** Requests with an endless body, the status of their answer, and how much is read, in KiB. */
const ENDLESS = [
  ["POST", "/api/v1/orders/by_uids", "application/json", 413, 16],
  ["POST", "/api/v1/orders", "application/json", 413, 16],
  ["POST", "/api/v1/quote", "application/json", 413, 16],
  ["DELETE", "/api/v1/orders", "application/json", 413, 16],
  ["PUT", "/api/v1/app_data", "application/json", 413, 8],
  ["POST", "/nowhere", "text/plain", 404, 0],
  ["PATCH", "/api/v1/orders", "text/plain", 405, 0],
  ["POST", "/api/v1/orders", "text/plain", 415, 0],
] as const;

Deno.test("a body is read up to the limit of its route, and not at all if its head is rejected", async () => {
  for (const [method, path, contentType, status, limitKib] of ENDLESS) {
    const { body, seen } = endless();
    const headers = { "content-type": contentType };
    const response = await sandbox.fetch(path, { method, body, headers });
    const text = await response.text();
    assertEquals([response.status, seen.isOver], [status, true], path);
    if (status === 413) {
      assertEquals(text, "Failed to buffer the request body: length limit exceeded", path);
    }
    const most = limitKib === 0 ? 0 : (limitKib + 1) * 1024;
    assert(seen.bytes <= most, `${path}: ${seen.bytes}`);
  }
});

Deno.test("a truncated body is the caller's failure, and gets no answer", async () => {
  const body = new ReadableStream({ start: (controller) => controller.error(new Error("cut")) });
  const headers = { "content-type": "application/json" };
  await assertRejects(
    () => sandbox.fetch("/api/v1/orders/by_uids", { method: "POST", body, headers }),
    Error,
    "cut",
  );
});

const RECORDED = new URL("../testdata/sandbox/http_validation.ndjson", import.meta.url);

Deno.test("openSandbox() answers 36 malformed requests with the service's texts", async () => {
  const exchanges = (await Deno.readTextFile(RECORDED)).trim().split("\n")
    .map((line) => JSON.parse(line));
  assertEquals(exchanges.length, 36);
  const desk = new OrderDesk(await openSandbox());
  for (const { method, path, requestBody, status, responseBody } of exchanges) {
    const body = method === "GET" ? undefined : requestBody ?? "";
    const answer = await desk.ask(`${method} ${path}`, body);
    const found = [answer.status, comparable(answer.text)];
    assertEquals(found, [status, comparable(responseBody)], `${method} ${path}`);
  }
});

/** Requests, the status of their answer, and its headers. */
const HEADERS = [
  ["OPTIONS", "/api/v1/orders", 200, {
    "access-control-allow-methods": "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD",
  }],
  ["OPTIONS", "/nowhere", 200, {}],
  ["GET", "/api/v1/orders/0x12", 400, {}],
  ["GET", "/nowhere", 404, {}],
  ["HEAD", "/api/v1/version", 200, { "content-type": "text/plain; charset=utf-8" }],
  ["PATCH", "/api/v1/orders", 405, { allow: "POST,DELETE" }],
  ["DELETE", "/api/v1/version", 405, { allow: "GET,HEAD" }],
  ["GET", "/api/v1/orders/by_uids", 405, { allow: "POST" }],
  ["PUT", `/api/v1/orders/0x${"ab".repeat(56)}`, 405, { allow: "GET,HEAD,DELETE" }],
] as const;

Deno.test("RequestHandler allows any origin, answers HEAD without a body, and lists the methods of a path", async () => {
  for (const [method, path, status, headers] of HEADERS) {
    const response = await sandbox.fetch(path, { method });
    const text = await response.text();
    assertEquals([response.status, text === ""], [status, status !== 400], `${method} ${path}`);
    const all = { "access-control-allow-origin": "*", ...headers };
    for (const [name, value] of Object.entries(all)) {
      assertEquals(response.headers.get(name), value, `${method} ${path}`);
    }
  }
  const request = new Request("http://x/api/v1/orders/by_uids", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "[]",
  });
  assertEquals(await (await sandbox.fetch(request)).json(), []);
});
