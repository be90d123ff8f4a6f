import { assertEquals } from "@std/assert";
import { openSandbox } from "../../../lib/sandbox/mod.ts";

const sandbox = await openSandbox();

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
