import { assert, assertEquals, assertRejects } from "@std/assert";
import { openSandbox } from "../../../lib/sandbox/mod.ts";

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
