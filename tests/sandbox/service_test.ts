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

/** The compared part of an answer: the whole text of an error, the fields of a success. */
function contentOf(contentType: string | null, body: string): string {
  if (contentType?.startsWith("text/plain")) return comparable(body);
  if (contentType?.startsWith("text/event-stream")) return "events";
  if (body === "") return "nothing";
  const value = JSON.parse(body);
  if (Array.isArray(value)) return "list";
  if (typeof value !== "object") return typeof value;
  return "errorType" in value ? rejectionText(value) : Object.keys(value).sort().join(" ");
}

/** An error without details of a deployment or build: hashes, fees, stack traces. */
function rejectionText(
  { errorType, description }: { errorType: string; description: string },
): string {
  const words = comparable(description.split("\n")[0]!).replaceAll(/0x[0-9a-f]{40,}/g, "0x…");
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

Deno.test("a body is read up to the limit of its route, and no further", async () => {
  const cases = [
    ["POST", "/api/v1/orders/by_uids", 16],
    ["POST", "/api/v1/orders", 16],
    ["POST", "/api/v1/quote", 16],
    ["DELETE", "/api/v1/orders", 16],
    ["PUT", "/api/v1/app_data", 8],
  ] as const;
  for (const [method, path, limitKib] of cases) {
    const { body, seen } = endless();
    const headers = { "content-type": "application/json" };
    const response = await sandbox.fetch(path, { method, body, headers });
    assertEquals(response.status, 413, path);
    assertEquals(
      await response.text(),
      "Failed to buffer the request body: length limit exceeded",
      path,
    );
    assert(seen.bytes <= (limitKib + 1) * 1024, `${path}: ${seen.bytes}`);
    assert(seen.isOver, path);
  }
});

Deno.test("no body is read if its route, method or content type is rejected", async () => {
  const cases = [
    ["POST", "/nowhere", "text/plain", 404],
    ["PATCH", "/api/v1/orders", "text/plain", 405],
    ["POST", "/api/v1/orders", "text/plain", 415],
  ] as const;
  for (const [method, path, contentType, status] of cases) {
    const { body, seen } = endless();
    const headers = { "content-type": contentType };
    const response = await sandbox.fetch(path, { method, body, headers });
    assertEquals([response.status, seen.bytes, seen.isOver], [status, 0, true], path);
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

async function headersOf(method: string, path: string): Promise<[number, Headers, string]> {
  const response = await sandbox.fetch(`http://x${path}`, { method });
  return [response.status, response.headers, await response.text()];
}

Deno.test("RequestHandler sends CORS headers to any origin, also with errors", async () => {
  const methods = "GET,POST,DELETE,OPTIONS,PUT,PATCH,HEAD";
  for (const path of ["/api/v1/orders", "/api/v1/orders/0x12", "/nowhere"]) {
    const [status, headers, body] = await headersOf("OPTIONS", path);
    assertEquals([status, body], [200, ""]);
    assertEquals(headers.get("access-control-allow-methods"), methods);
    assertEquals(headers.get("access-control-allow-origin"), "*");
  }
  for (const [path, expected] of [["/api/v1/orders/0x12", 400], ["/nowhere", 404]] as const) {
    const [status, headers] = await headersOf("GET", path);
    assertEquals([status, headers.get("access-control-allow-origin")], [expected, "*"]);
  }
});

Deno.test("RequestHandler answers HEAD as GET without a body", async () => {
  const [status, headers, body] = await headersOf("HEAD", "/api/v1/version");
  assertEquals([status, headers.get("content-type"), body], [200, "text/plain; charset=utf-8", ""]);
});

Deno.test("RequestHandler lists the methods of a path", async () => {
  const cases = [
    ["PATCH", "/api/v1/orders", "POST,DELETE"],
    ["DELETE", "/api/v1/version", "GET,HEAD"],
    ["GET", "/api/v1/orders/by_uids", "POST"],
    ["PUT", `/api/v1/orders/0x${"ab".repeat(56)}`, "GET,HEAD,DELETE"],
  ] as const;
  for (const [method, path, allowed] of cases) {
    const [status, headers, body] = await headersOf(method, path);
    assertEquals([status, headers.get("allow"), body], [405, allowed, ""]);
  }
});

Deno.test("RequestHandler accepts paths as well as whole URLs", async () => {
  const version = await sandbox.fetch("/api/v1/version");
  assertEquals(await version.text(), "orderlens-sandbox");
  const request = new Request("http://x/api/v1/orders/by_uids", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: "[]",
  });
  const response = await sandbox.fetch(request);
  assertEquals(await response.json(), []);
});
