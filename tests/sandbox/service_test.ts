import { assert, assertEquals, assertRejects } from "@std/assert";
import { openSandbox } from "../../lib/sandbox/mod.ts";
import { askEdges } from "./recorded_edges.ts";
import { INVENTED, SANDBOX, unexpected } from "./invented_requests.ts";
import { comparable, OrderDesk } from "./order_desk.ts";

/** Requests with different answers, by their index in the recording, and why. */
const EXCEPTIONS: ReadonlyMap<number, string> = new Map([
  [61, "a list as app data is described in simpler words"],
  [63, "the service's parser reads a hash as the number 0 first"],
  [150, "debug reports are served at the interface document's path too"],
  [156, "orders of a transaction are served at the interface document's path too"],
]);

/**
 * The compared part of an answer: the fields of a success, and the whole text of an error, without
 * details of a deployment or build: hashes, fees, stack traces.
 */
function contentOf(contentType: string | null, body: string): string {
  if (contentType?.startsWith("text/plain")) return comparable(body);
  if (contentType?.startsWith("text/event-stream")) return "events";
  if (body === "") return "nothing";
  const value = JSON.parse(body);
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  const { errorType, description } = value;
  if (errorType === undefined) return Object.keys(value).sort().join(" ");
  const words = comparable(description.split("\n")[0]).replaceAll(/0x[0-9a-f]{40,}/g, "0x…");
  return `${errorType} ${words}`;
}

Deno.test("openSandbox() answers 241 recorded requests as the service did", async () => {
  // The recorded deployment had its notifications elsewhere.
  const sandbox = await openSandbox({ seed: 3, auctions: 60, notifications: false });
  const edges = await askEdges(sandbox);
  assertEquals(edges.length, 241);
  const differences: string[] = [];
  for (const [at, { edge, answer }] of edges.entries()) {
    const expected = `${edge.status} ${contentOf(edge.contentType, edge.responseBody)}`;
    const found = `${answer.status} ${contentOf(answer.contentType, answer.text)}`;
    const isVersion = edge.path === "/api/v1/version";
    if (!isVersion && (expected !== found) !== EXCEPTIONS.has(at)) {
      differences.push(`${at} ${edge.method} ${edge.path.slice(0, 60)}: ${expected} / ${found}`);
    }
  }
  assertEquals(differences, []);
});

for (const [what, requests] of Object.entries(INVENTED)) {
  Deno.test(`openSandbox() answers ${requests.length} ${what} by the service's rules`, async () => {
    assertEquals(await unexpected(new OrderDesk(SANDBOX), requests), []);
  });
}

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
